"""Everything that decides what one stacked pull request needs, looked up once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.stack.ancestry import Ancestry
from bot.stack.cut import Cut, find_cut
from bot.stack.names import is_tool_made, is_trunk


@dataclass(frozen=True)
class Situation:
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
    child_landed: bool | None = None  # a merged child's commits are in the trunk

    @property
    def told(self) -> bool:
        return self.cut is not None


def situation_of(
    git: Ancestry,
    child: PullRef,
    parent: PullRef | None,
    repository: Repository,
    *,
    native: bool = False,
    trunk: str = "",
) -> Situation:
    """Read what is needed for this child, and no more."""
    default = repository.default_branch
    target = trunk or default
    found = Situation(
        child=child,
        parent=parent,
        trunk=target,
        repository=repository,
        native=native,
        on_trunk=is_trunk(child.base_ref, default),
        tool_made=is_tool_made(child.base_ref) or is_tool_made(child.head_ref),
    )
    if native or found.tool_made:
        return found
    trunk_tip = git.tip(target)
    if not found.on_trunk:
        found = replace(found, base_tip=git.tip(child.base_ref))
    if child.state is PullState.MERGED:
        landed = git.is_ancestor(child.merge_sha, trunk_tip) if child.merge_sha and trunk_tip else None
        return replace(found, child_landed=landed)
    if parent is None or not trunk_tip or not child.head_sha or not git.has(child.head_sha):
        return found
    return _related(git, found, parent, trunk_tip)


def _related(git: Ancestry, found: Situation, parent: PullRef, trunk_tip: str) -> Situation:
    head = found.child.head_sha
    cut = find_cut(git, parent, head, trunk_tip)
    if cut is None:
        return found
    bases = git.merge_bases(trunk_tip, head)
    found = replace(found, cut=cut, landed=git.is_ancestor(cut.commit, trunk_tip), bases=len(bases or ("",)))
    if parent.state is PullState.OPEN and git.has(parent.head_sha):
        new = git.commits(parent.head_sha, (head,)) or ()
        found = replace(
            found,
            rewritten=_negated(git.is_ancestor(cut.commit, parent.head_sha)),
            grown=len([each for each in new if not each.merge]),
            clashes=_negated(git.merges_cleanly(parent.head_sha, head)),
        )
    return found


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
    )
