"""The commands that put a stacked pull request right, each tried as it is printed against real repositories.

No comments inside a block and one `&&` chain each: people paste them. Every push names the head it expects.
"""

from __future__ import annotations

from bot.model.pull import PullRef
from bot.stack.names import may_be_printed
from bot.stack.situation import Situation

Lines = tuple[str, ...]


def retarget(here: Situation, onto: str = "") -> Lines:
    base = onto or here.trunk
    return (f"gh pr edit {here.child.number} --base {base}",) if here.child.number and may_be_printed(base) else ()


def refresh_base(here: Situation) -> Lines:
    """To the trunk and back: GitHub then works out anew what the pull request holds."""
    base, number = here.child.base_ref, here.child.number
    if not number or here.child.auto_merge or not may_be_printed(base, here.trunk):
        return ()
    return (f"gh pr edit {number} --base {here.trunk} && gh pr edit {number} --base {base}",)


def retarget_and_merge(here: Situation) -> Lines:
    """For a child that has merged the trunk in already: one more merge makes the diff its own."""
    b, t = here.child.head_ref, here.trunk
    if not printable(here):
        return retarget(here)
    merge = f"&& git merge --no-edit origin/{t} && git push origin {b}"
    return _chain(_edit(here, t), f"git switch {b} && git merge --ff-only origin/{b}", merge)


def rebase_onto_trunk(here: Situation, *, edit: bool = True) -> Lines:
    """The child alone, or with all that builds on it in a straight line."""
    if not printable(here):
        return retarget(here) if edit and not here.on_trunk else ()
    first = _edit(here, here.trunk) if edit else "git fetch origin"
    return _line(here, first) or _moved(here, here.trunk, first)


def rebase_onto_parent(here: Situation) -> Lines:
    """The base stays: the parent was rewritten, or grew."""
    assert here.parent is not None
    return _moved(here, here.parent.head_ref, "git fetch origin")


def _moved(here: Situation, onto: str, first: str) -> Lines:
    """Own commits onto a branch: by rebase, or picked one by one where merges stand between them."""
    cut = here.cut
    b, h = here.child.head_ref, here.child.head_sha
    if cut is None or not printable(here, onto):
        return ()
    push = f"&& git push --force-with-lease={b}:{h} origin {b}"
    start = f"git switch {b} && git merge --ff-only origin/{b}"
    if not cut.merges or not cut.own:
        return _chain(first, start, f"&& git rebase --onto origin/{onto} {cut.commit} {b}", push)
    without = dict.fromkeys((f"^{cut.commit}", f"^origin/{onto}", f"^origin/{here.trunk}"))
    # Without --no-track the next plain `git push` could go to the trunk.
    reset = f"{start} && git switch --no-track -C {b} origin/{onto}"
    picks = f"&& git cherry-pick $(git rev-list --reverse --topo-order --no-merges '{b}@{{1}}' {' '.join(without)})"
    return _chain(first, reset, picks, push)


def in_line(here: Situation) -> tuple[PullRef, ...]:
    """What moves along with the child in one go: all of the line, or nothing."""
    cut = here.cut
    names = [each.head_ref for each in here.line]
    if cut is None or cut.merges or not cut.own or not printable(here, *names):
        return ()
    return here.line


def _line(here: Situation, first: str) -> Lines:
    """A straight line of children, rebased from its last one; `--update-refs` takes those between along."""
    line = in_line(here)
    if not line or here.cut is None:
        return ()
    all_ = (here.child, *line)
    switches = [f"git switch {each.head_ref} && git merge --ff-only origin/{each.head_ref}" for each in all_]
    leases = " ".join(f"--force-with-lease={each.head_ref}:{each.head_sha}" for each in all_)
    return _chain(
        first,
        switches[0],
        *(f"&& {each}" for each in switches[1:]),
        f"&& git rebase --update-refs --onto origin/{here.trunk} {here.cut.commit} {all_[-1].head_ref}",
        f"&& git push --atomic {leases} origin {' '.join(each.head_ref for each in all_)}",
    )


def reland(here: Situation) -> Lines:
    """A child that was merged into a branch nobody merges any more."""
    n, h, b, t, cut = here.child.number, here.child.head_sha, here.child.head_ref, here.trunk, here.cut
    if cut is None or not n or not cut.own or not printable(here):
        return ()
    new = f"{b}-reland"
    first = f"git fetch origin && git fetch origin refs/pull/{n}/head"
    end = f"&& git push -u origin {new} && gh pr create --base {t} --head {new}"
    if not cut.merges:
        return _chain(first, f"git switch -c {new} {h}", f"&& git rebase --onto origin/{t} {cut.commit} {new}", end)
    picks = f"$(git rev-list --reverse --topo-order --no-merges {h} ^{cut.commit} ^origin/{t})"
    return _chain(first, f"git switch --no-track -c {new} origin/{t}", f"&& git cherry-pick {picks}", end)


def reopen(here: Situation) -> Lines:
    parent = here.parent
    if parent is None or not parent.number or not parent.head_sha or not here.child.number:
        return ()
    if not may_be_printed(here.child.base_ref, here.trunk):
        return ()
    return _chain(
        f"git fetch origin refs/pull/{parent.number}/head",
        f"git push origin {parent.head_sha}:refs/heads/{here.child.base_ref}",
        f"&& gh pr reopen {here.child.number} && gh pr edit {here.child.number} --base {here.trunk}",
    )


def close(here: Situation) -> Lines:
    return (f"gh pr close {here.child.number}",) if here.child.number else ()


def disarm(here: Situation) -> Lines:
    return (f"gh pr merge {here.child.number} --disable-auto",) if here.child.number else ()


def _edit(here: Situation, base: str) -> str:
    """Retargeted before anything is pushed: the other order spends the only run of the checks on the old base."""
    if not here.child.number or here.child.base_ref == base:
        return "git fetch origin"
    return f"gh pr edit {here.child.number} --base {base} && git fetch origin"


def printable(here: Situation, *more: str) -> bool:
    """A fork's branch is not at `origin`: its author gets the sentence, and no commands that would fail."""
    return not here.child.head_repository and may_be_printed(here.child.head_ref, here.trunk, *more)


def _chain(first: str, second: str, *rest: str) -> Lines:
    lines = [first, f"  && {second}", *(f"  {each}" for each in rest)]
    return tuple(f"{line} \\" if line is not lines[-1] else line for line in lines)
