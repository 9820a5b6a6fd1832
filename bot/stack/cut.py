"""`cut`: the youngest commit of any version of the parent that the child contains. All else follows from it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.pull import PullRef
from bot.stack.ancestry import Ancestry, Commit


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the child's own commits begin. `own` leaves merges out; newest first."""

    commit: str
    own: tuple[Commit, ...]
    merges: bool  # among the child's own range
    parents: tuple[Commit, ...]  # the parent's commits that the child still carries


def find_cut(git: Ancestry, parent: PullRef, child_head: str, trunk: str) -> Cut | None:
    """None when it could not be told. `trunk` is a commit: the tip of the branch all should end on."""
    best: str | None = None
    known = [head for head in (parent.head_sha, *parent.old_heads) if head and git.has(head)]
    for head in known:
        bases = git.merge_bases(head, child_head)
        if bases is None:
            return None
        for base in bases[:1]:
            if best is None or git.is_ancestor(best, base):
                best = base
    if best is None:
        return None
    best = _behind_copies(git, parent, child_head, best)
    own = git.commits(child_head, (best, trunk))
    carried = git.commits(best, (trunk,))
    if own is None or carried is None:
        return None
    merges = any(each.merge for each in own)
    return Cut(
        best, tuple(each for each in own if not each.merge), merges, tuple(each for each in carried if not each.merge)
    )


def _behind_copies(git: Ancestry, parent: PullRef, child_head: str, cut: str) -> str:
    """Amending and rebasing keep author and date: the newest commit that the parent has under another name is the cut."""
    theirs = git.commits(parent.head_sha, (cut,)) if git.has(parent.head_sha) else None
    mine = git.commits(child_head, (cut,))
    if not theirs or not mine:
        return cut
    copies = {each.author for each in theirs}
    stale = next((each for each in mine if not each.merge and each.author in copies), None)
    return stale.sha if stale is not None and stale.sha not in {each.sha for each in theirs} else cut
