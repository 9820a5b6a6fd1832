"""Everything that decides what one stacked pull request needs, looked up once."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.stack.ancestry import Ancestry
from bot.stack.cut import Cut, find_cut
from bot.stack.names import is_tool_made, is_trunk


class Situation(Struct, frozen=True):
    """A child, the parent it is built on, and what Git says about the two. None where nobody could tell."""

    child: PullRef
    parent: PullRef | None
    trunk: str  # the branch everything should end on
    repository: Repository
    native: bool = False
    base_tip: str | None = None  # of the child's base branch; empty when it is gone
    on_trunk: bool = False  # the child's base is a trunk
    tool_made: bool = False
    cut: Cut | None = None
    landed: bool | None = None  # whether the cut is in the trunk: the commits landed as they are
    bases: int = 1  # merge bases of trunk and child
    rewritten: bool | None = None  # an open parent was pushed by force since the child was made
    grown: int = 0  # commits that an open parent has and the child does not
    clashes: bool | None = None  # the open parent and the child do not merge
    mergeable: bool | None = None  # into its present base, which is a trunk
    child_landed: bool | None = None  # a merged child's commits are in the trunk, or on their way with its parent
    stale: bool = False  # GitHub still lists commits of the parent that Git knows to be in the base
    line: tuple[PullRef, ...] = ()  # what builds on the child in a straight line


def situation_of(
    git: Ancestry,
    child: PullRef,
    parent: PullRef | None,
    repository: Repository,
    *,
    native: bool = False,
    trunk: str = "",
    line: tuple[PullRef, ...] = (),
    oldest: str = "",
) -> Situation:
    """Read what is needed for this child, and no more. `oldest` is the first commit that GitHub lists for it."""
    found = Situation(
        child=child,
        parent=parent,
        trunk=trunk or repository.default_branch,
        repository=repository,
        native=native,
        on_trunk=is_trunk(child.base_ref, repository),
        tool_made=is_tool_made(child.base_ref) or is_tool_made(child.head_ref),
        line=line,
    )
    if native or found.tool_made or (parent is None and found.on_trunk):
        return found
    if not found.on_trunk:
        found = replace(found, base_tip=git.tip(child.base_ref))
    if parent is None:
        return found
    tip = git.tip(found.trunk)
    if child.state is PullState.MERGED:
        landed = _child_landed(git, child, parent, tip)
        lost = landed is False and parent.state is not PullState.OPEN and child.head_sha and git.has(child.head_sha)
        cut = find_cut(git, parent, child.head_sha, tip) if lost and tip else None
        return replace(found, child_landed=landed, cut=cut)
    if not tip or not child.head_sha or not git.has(child.head_sha):
        return found
    return _related(git, found, parent, tip, oldest)


def _child_landed(git: Ancestry, child: PullRef, parent: PullRef, trunk_tip: str | None) -> bool | None:
    """In the trunk itself, or in the parent before that was merged: a squash then brought it along under another name."""
    if not child.merge_sha or not trunk_tip:
        return None
    there = git.is_ancestor(child.merge_sha, trunk_tip)
    if there or parent.state is not PullState.MERGED or not parent.head_sha:
        return there
    with_parent = git.is_ancestor(child.merge_sha, parent.head_sha)
    return with_parent if with_parent or there is False else None


def _related(git: Ancestry, found: Situation, parent: PullRef, trunk_tip: str, oldest: str) -> Situation:
    head = found.child.head_sha
    cut = find_cut(git, parent, head, trunk_tip)
    if cut is None:
        return found
    found = replace(found, cut=cut)
    if parent.state is PullState.OPEN:
        return _beside_open(git, found, parent, cut, trunk_tip, oldest)
    bases = git.merge_bases(trunk_tip, head)
    landed = git.is_ancestor(cut.commit, trunk_tip) if bases is not None else None
    found = replace(found, landed=landed, bases=len(bases or ("",)))
    if found.on_trunk:
        found = replace(found, mergeable=git.merges_cleanly(trunk_tip, head))
    return found


def _beside_open(git: Ancestry, found: Situation, parent: PullRef, cut: Cut, trunk_tip: str, oldest: str) -> Situation:
    if not git.has(parent.head_sha) or found.on_trunk:
        return found
    head = found.child.head_sha
    up_to_date = cut.commit == parent.head_sha
    new = () if up_to_date else git.commits(parent.head_sha, (head, trunk_tip)) or ()
    return replace(
        found,
        rewritten=False if up_to_date else _negated(git.is_ancestor(cut.commit, parent.head_sha)),
        grown=len([each for each in new if not each.merge]),
        clashes=False if up_to_date else _negated(git.merges_cleanly(parent.head_sha, head)),
        stale=up_to_date and bool(oldest) and bool(git.is_ancestor(oldest, parent.head_sha)),
    )


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def as_ref(pull: Pull) -> PullRef:
    """The reviewed pull request as its neighbours see it."""
    return PullRef(
        number=pull.number or 0,
        title=pull.title,
        state=pull.state,
        author=pull.author,
        base_ref=pull.base_ref,
        head_ref=pull.head_ref,
        head_sha=pull.head_sha,
        head_repository="a fork" if pull.from_fork else "",
        merge_sha=pull.merge_sha,
        auto_merge=pull.auto_merge,
        old_heads=pull.old_heads,
        approvals=pull.approvals,
        orphaned=pull.orphaned,
    )
