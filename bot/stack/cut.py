"""`cut`: the youngest commit of any version of the parent that the child contains. All else follows from it."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from bot.model.pull import PullRef
from bot.stack.ancestry import Ancestry, Commit


class Cut(Struct, frozen=True):
    """Where the child's own commits begin. `own` leaves merges out; newest first."""

    commit: str
    own: tuple[Commit, ...]
    merges: bool  # among the child's own range
    parents: tuple[Commit, ...]  # the parent's commits that the child still carries


def find_cut(git: Ancestry, parent: PullRef, child_head: str, trunk: str) -> Cut | None:
    """None when it could not be told. `trunk` is a commit: the tip of the branch all should end on."""
    best = _youngest(git, parent, child_head)
    if best is None:
        return None
    best = _behind_copies(git, parent, child_head, best)
    own = git.commits(child_head, (best, trunk))
    carried = git.commits(best, (trunk,))
    if own is None or carried is None:
        return None
    merges = any(each.merge for each in own)
    plain, before = ([each for each in listed if not each.merge] for listed in (own, carried))
    return Cut(best, tuple(plain), merges, tuple(before))


def _youngest(git: Ancestry, parent: PullRef, child_head: str) -> str | None:
    """Of the merge bases with every known version of the parent, the one that has the others behind it."""
    if not git.has(parent.head_sha):
        return None  # older versions alone would make the cut too old, and replay what the parent added since
    best: str | None = None
    for head in dict.fromkeys((parent.head_sha, *parent.old_heads)):
        bases = git.merge_bases(head, child_head) if head and git.has(head) else ()
        if bases is None:
            if head == parent.head_sha:
                return None
            continue  # GitHub throws old versions away some day
        for base in bases:
            if best is None or git.is_ancestor(best, base):
                best = base
    return best


def _behind_copies(git: Ancestry, parent: PullRef, child_head: str, cut: str) -> str:
    """Amending and rebasing keep author and date: the newest commit that the parent has under another name is the cut."""
    theirs = git.commits(parent.head_sha, (cut,))
    mine = git.commits(child_head, (cut,))
    if not theirs or not mine:
        return cut
    there = {each.sha for each in theirs}
    strangers = (each for each in mine if not each.merge and each.sha not in there)
    stale = next((each for each in strangers if _copied(git, each, cut, (*mine, *theirs), theirs)), None)
    return stale.sha if stale is not None else cut


def _copied(git: Ancestry, commit: Commit, cut: str, known: tuple[Commit, ...], theirs: tuple[Commit, ...]) -> bool:
    """A second is long enough for a script to commit twice: where more than two share one, content must agree too."""
    same = [each for each in theirs if each.author == commit.author and not each.merge]
    alike = [each for each in same if each.subject == commit.subject]
    if not same:
        return False
    before = git.commit(cut)
    crowded = Counter(each.author for each in known)[commit.author] > 2 or (
        before is None or before.author == commit.author
    )
    if not crowded:
        return True
    touched = git.paths(commit.sha)
    return any(touched & git.paths(each.sha) for each in alike)
