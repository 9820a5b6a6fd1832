"""Revisions, folders or a case as a `Reading`: all that a local review knows of the world."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bot.intake.json_fields import FactsError
from bot.intake.pull_facts import read_pull
from bot.local.case import case_round
from bot.local.commits import told_by_commits
from bot.local.failure import WrongRequest
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import tree_of
from bot.local.merge import landing
from bot.local.side import CommitSide, FolderSide, Side, Sides
from bot.model.pull import Pull
from bot.ports import Reading, Tree


class LocalRequest(Struct, frozen=True):
    """What to review, as the command line says it. `repo` is where revisions are looked up."""

    base: str | None = None
    head: str | None = None
    case: Path | None = None
    round_: int | None = None
    pr_file: Path | None = None
    previous: str | None = None
    repo: Path = Path()


def read_local(
    base: str | None = None,
    head: str | None = None,
    case: Path | None = None,
    round_: int | None = None,
    pr_file: Path | None = None,
    previous: str | None = None,
    repo: Path = Path(),
) -> Reading:
    """Read both sides and the facts about the pull request.

    `base` and `head` are revisions or folders; by default head is the working tree, and base the commit
    where head left the default branch. Of two commits of one repository, head is what would land: merged
    into base. `case` reads a case folder instead, `round_` one of its rounds (by default the last).
    `pr_file` gives facts, and wins over a case's own; `previous` is the text of our last comment.

    Raises WrongRequest (exit code 64) for what does not exist, LocalError (2) for what cannot be read.
    """
    request = LocalRequest(base, head, case, round_, pr_file, previous, repo)
    reading = _read_case(request, case) if case is not None else _read_sides(request)
    return replace(reading, pull=replace(reading.pull, previous=previous))


def _read_case(request: LocalRequest, case: Path) -> Reading:
    if request.base is not None or request.head is not None:
        raise WrongRequest("a case brings its own base and head: leave out --base and --head")
    found = case_round(case, request.round_)
    pull = _facts(request.pr_file or found.facts) or Pull()
    return Reading(
        pull=pull,
        base=FolderTree(found.base),
        head=FolderTree(found.head),
        base_name=pull.base_ref or str(found.base.relative_to(case)),
        head_name=pull.head_ref or str(found.head.relative_to(case)),
    )


def _read_sides(request: LocalRequest) -> Reading:
    if request.round_ is not None:
        raise WrongRequest("--round is about a case: name it with --case")
    sides = Sides(request.repo)
    facts = _facts(request.pr_file)
    head = sides.named(request.head) if request.head is not None else sides.working_tree()
    base = sides.named(request.base) if request.base is not None else _default_base(sides, head)
    if isinstance(base, CommitSide) and isinstance(head, CommitSide) and base.repository is head.repository:
        return _read_commits(facts, base, head)
    return _read_apart(facts, base, head)


def _default_base(sides: Sides, head: Side) -> CommitSide:
    if isinstance(head, CommitSide):
        return sides.default_base(head.repository, head.tip)
    return sides.default_base(sides.repository, sides.repository.commit("HEAD"))


def _read_commits(facts: Pull | None, base: CommitSide, head: CommitSide) -> Reading:
    """Two commits of one repository: what would land is simulated."""
    repository = head.repository
    landed = landing(repository, base.commit, head.commit)
    if facts is None:
        facts = told_by_commits(repository, base.commit, head.tip, head.branch or head.name)
        if repository.default_branch is not None:
            named = replace(facts.repository, default_branch=repository.default_branch.name)
            facts = replace(facts, repository=named)
    return Reading(
        pull=_with_commits(facts, base, head),
        base=tree_of(repository.store, base.commit),
        head=landed.tree,
        base_name=base.name,
        head_name=head.name,
        conflicts=tuple(dict.fromkeys((*base.conflicts, *head.conflicts, *landed.conflicts))),
        gaps=(*base.gaps, *head.gaps, *((landed.gap,) if landed.gap else ())),
    )


def _read_apart(facts: Pull | None, base: Side, head: Side) -> Reading:
    """Sides that no merge joins: at least one is a folder, or they are of two repositories."""
    commits = [each for each in (base, head) if isinstance(each, CommitSide)]
    algorithm = commits[0].repository.store.algorithm if commits else "sha1"
    return Reading(
        pull=_with_commits(facts or Pull(), base, head),
        base=_tree(base, algorithm),
        head=_tree(head, algorithm),
        base_name=base.name,
        head_name=head.name,
        conflicts=tuple(path for each in commits for path in each.conflicts),
        gaps=tuple(gap for each in commits for gap in each.gaps),
    )


def _with_commits(pull: Pull, base: Side, head: Side) -> Pull:
    """With the commits that are really compared, whatever a file says of them."""
    if isinstance(base, CommitSide):
        pull = replace(pull, base_sha=base.sha, base_ref=pull.base_ref or base.branch)
    if isinstance(head, CommitSide):
        pull = replace(pull, head_sha=head.sha, head_ref=pull.head_ref or head.branch)
    return pull


def _facts(path: Path | None) -> Pull | None:
    if path is None:
        return None
    try:
        return read_pull(path)
    except FactsError as error:
        raise WrongRequest(str(error)) from None


def _tree(which: Side, algorithm: str) -> Tree:
    if isinstance(which, FolderSide):
        return FolderTree(which.path, algorithm)
    return tree_of(which.repository.store, which.commit)
