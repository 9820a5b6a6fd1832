"""The stack of one pull request: what it needs, what its children will need, and what must not be done."""

from __future__ import annotations

from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.model.review import Needs, Stack, StackEntry
from bot.model.text import code, counted
from bot.stack.ancestry import Ancestry
from bot.stack.family import children_of, comes_after, line_of, parent_of, trunk_of
from bot.stack.picture import picture
from bot.stack.situation import as_ref, situation_of
from bot.stack.table import Ruling, Severity, rule_on

MAX_CHILDREN = 8


def stack_of(pull: Pull, git: Ancestry) -> Stack:
    """Empty for a lone pull request on a trunk."""
    if not pull.base_ref or not pull.head_ref:
        return Stack()  # revisions or folders: no branches, no stack
    parent = parent_of(pull, git)
    ruling = _ruling(pull, parent, git)
    mine = as_ref(pull)
    children = [] if pull.native_stack else list(children_of(pull))
    shown = [each for each in children if pull.state is not PullState.OPEN or each.state is PullState.OPEN]
    said = [*_own(ruling, parent), *_children_said(pull, mine, children), *_order(pull, parent)]
    below = [] if len(shown) > 1 else list(pull.line)
    return Stack(
        parent=_parent_entry(ruling, parent),
        children=tuple(_children(pull, mine, children, git, _target(pull, parent))),
        say=" ".join(part for part in said if part),
        blocks=ruling.severity is Severity.BLOCK,
        picture=picture([*_above(parent, pull), mine], shown, below, mine.number),
        refers=(mine.number, *(each.number for each in pull.line)),
    )


def own_ruling(pull: Pull, git: Ancestry) -> tuple[Ruling, PullRef | None]:
    """What this pull request needs, and the one it is built on."""
    parent = parent_of(pull, git)
    return _ruling(pull, parent, git), parent


def ruling_beside(pull: Pull, parent: PullRef, git: Ancestry) -> Ruling:
    """What this pull request needs with a parent that is known from elsewhere, whatever its base is now."""
    return _ruling(pull, parent, git)


def _ruling(pull: Pull, parent: PullRef | None, git: Ancestry) -> Ruling:
    mine = as_ref(pull)
    here = situation_of(
        git,
        mine,
        parent,
        pull.repository,
        native=pull.native_stack,
        trunk=trunk_of(parent, pull.parents, pull.repository),
        line=line_of(mine, (*pull.children, *pull.line), git) if parent is not None else (),
        oldest=pull.oldest,
    )
    return rule_on(here)


def child_ruling(
    child: PullRef,
    parent: PullRef,
    others: tuple[PullRef, ...],
    repository: Repository,
    git: Ancestry,
    line: tuple[PullRef, ...] = (),
) -> Ruling:
    """What one child needs, its parent being what it is now."""
    trunk = trunk_of(parent, others, repository)
    return rule_on(situation_of(git, child, parent, repository, trunk=trunk, line=line))


def _parent_entry(ruling: Ruling, parent: PullRef | None) -> StackEntry | None:
    """The words are about this pull request; the number is that of the one it is built on."""
    if parent is None or not ruling.entry.say:
        return None
    entry = ruling.entry
    return StackEntry(parent.number, entry.needs, entry.say, entry.commands)


def _own(ruling: Ruling, parent: PullRef | None) -> list[str]:
    """Without a parent the row's words, and its commands as words, are those of the stack as a whole."""
    if parent is not None or ruling.severity is Severity.NONE:
        return []
    commands = [code(each) for each in ruling.entry.commands]
    return [ruling.entry.say, f"{' '.join(commands)} changes that." if commands else ""]


def _above(parent: PullRef | None, pull: Pull) -> list[PullRef]:
    """From the trunk up to the parent, as far as the parents are known."""
    found: list[PullRef] = []
    while parent is not None and parent not in found:
        found.insert(0, parent)
        base = parent.base_ref
        parent = next((each for each in pull.parents if each.head_ref == base and each.number), None)
    return found


def _target(pull: Pull, parent: PullRef | None) -> str:
    """Where this one will be merged: onto its base, unless that has ended."""
    if parent is None or parent.state is PullState.OPEN:
        return pull.base_ref
    return trunk_of(parent, pull.parents, pull.repository)


def _children(pull: Pull, mine: PullRef, children: list[PullRef], git: Ancestry, target: str) -> list[StackEntry]:
    if len(children) > MAX_CHILDREN:
        return []
    if pull.state is not PullState.OPEN:
        known = (*pull.children, *pull.line)
        return [
            child_ruling(each, mine, pull.parents, pull.repository, git, line_of(each, known, git)).entry
            for each in children
        ]
    open_ = [each for each in children if each.state is PullState.OPEN]
    return [StackEntry(each.number, Needs.NOTHING_YET, _later(each, mine, pull, git, target)) for each in open_]


def _later(child: PullRef, mine: PullRef, pull: Pull, git: Ancestry, target: str) -> str:
    """What a child will need once this one is merged, by the ways in which it may be."""
    here = situation_of(git, child, mine, pull.repository, trunk=target)
    t = code(target)
    ahead = f"{code(child.head_ref)} builds on this. "
    if here.rewritten:
        return f"{ahead}It still carries an older version of this branch, so it needs a rebase now, and a retarget to {t} after the merge."
    retarget, both = f"retarget it to {t}", f"retarget it to {t} and rebase it"
    ways = pull.repository
    plain, anew = ways.allow_merge_commit, (ways.allow_squash_merge, ways.allow_rebase_merge)
    if plain is True and anew == (False, False):
        return f"{ahead}After the merge, {retarget}."
    if plain is False:
        return f"{ahead}After the merge, {both}: it lands as new commits."
    return f"{ahead}After a merge commit, {retarget}; after a squash or a rebase, {both}."


def _children_said(pull: Pull, mine: PullRef, children: list[PullRef]) -> list[str]:
    open_ = [each for each in children if each.state is PullState.OPEN]
    if not open_:
        return [_deletable(mine)] if pull.state is PullState.MERGED and children else []
    a = code(mine.head_ref)
    many = counted(len(open_), "pull request")
    one = len(open_) == 1
    if len(children) > MAX_CHILDREN:
        return [
            f"{many} target {a}: too many to speak of each; none of them follows by itself when this one is merged."
        ]
    if pull.state is PullState.MERGED:
        return [
            f"This is merged; {many} still {'targets' if one else 'target'} {a}. Keep {a} until {'it is' if one else 'all are'} done."
        ]
    verb = "builds" if one else "build"
    return [f"{many} {verb} on this one. {_deletion(pull, a, len(open_))}"]


def _deletion(pull: Pull, a: str, count: int) -> str:
    them = "it" if count == 1 else "them"
    closes = f"deleting {a} with `gh pr merge --delete-branch`, through the API or from the list of branches **closes** {them}"
    if pull.repository.delete_branch_on_merge:
        return f"This repository deletes merged branches: GitHub then retargets {them}, and a rebase may still be needed. Anything else that deletes the branch does not: {closes}."
    if pull.repository.delete_branch_on_merge is False:
        return f"This repository does not delete merged branches, so {'it' if count == 1 else 'they'} must be retargeted by hand after the merge. Until then, {closes}."
    return f"Until {'it is' if count == 1 else 'they are'} retargeted, {closes}."


def _deletable(mine: PullRef) -> str:
    return f"Nothing targets {code(mine.head_ref)} any more: the branch can be deleted now."


def _order(pull: Pull, parent: PullRef | None) -> list[str]:
    """An order that only the text knows of."""
    known = {parent.number} if parent is not None else set()
    numbers = [number for number in comes_after(pull) if number not in known]
    states = {each.number: each.state for each in (*pull.parents, *pull.implicit)}
    waits = [number for number in numbers if states.get(number) is not PullState.MERGED]
    if not waits or pull.state is not PullState.OPEN:
        return []
    named = ", ".join(f"#{number}" for number in waits[:5])
    return [f"Its text says that it comes after {named}."]
