"""The notes of a stack: the one on a child whose parent has ended, and the list on that parent."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.model.marker import after_end, after_marker, note_marker
from bot.model.pull import PullState
from bot.model.review import Needs, StackEntry
from bot.model.text import code, counted
from bot.review.escape import Safe, block, emphasised, hidden, joined, ours

_WORDS = {
    Needs.NOTHING_YET: "needs nothing",
    Needs.RETARGET: "retarget",
    Needs.RETARGET_AND_MERGE: "retarget, then merge the trunk in",
    Needs.REBASE: "rebase",
    Needs.REBASE_AND_RETARGET: "retarget and rebase",
    Needs.REOPEN: "reopen, then retarget",
    Needs.CLOSE: "close: all of it has landed",
    Needs.RELAND: "merged, and not on the trunk: open it again",
    Needs.DISARM_AUTO_MERGE: "switch auto-merge off",
}


class Item(Struct, frozen=True):
    """A child on its parent's list."""

    number: int
    state: PullState
    needs: Needs | None  # None: done


def note(number: int, parent: int, merged: bool, entry: StackEntry) -> str:
    """What the author of a child must do now, with the commands."""
    numbers = frozenset((number, parent))
    parts = [hidden(note_marker(number, parent, merged)), emphasised(entry.say, numbers)]
    parts += [block("\n".join(entry.commands), "sh")] if entry.commands else []
    parts += [ours("This note is edited when it is done.")]
    return joined("\n\n", parts)


def note_done(number: int, parent: int, merged: bool) -> str:
    said = emphasised(f"**Done**: nothing is left to do here after the end of #{parent}.", frozenset((parent,)))
    return joined("\n\n", [hidden(note_marker(number, parent, merged)), said])


def after_merge(
    branch: str, state: PullState, items: Sequence[Item], own: StackEntry | None, gone: bool, refers: Sequence[int]
) -> Safe:
    """The part that a pull request's comment begins with once it has ended."""
    numbers = frozenset((*(each.number for each in items), *refers))
    lines: list[Safe] = []
    if own is not None:
        lines.append(emphasised(own.say, numbers))
        lines += [block("\n".join(own.commands), "sh")] if own.commands else []
    if items:
        ended = "Merged" if state is PullState.MERGED else "Closed without a merge"
        lines.append(emphasised(f"**{ended}.** {_heading(branch, items)}", numbers))
        lines.append(joined("\n", [_item(each, numbers) for each in items]))
        lines.append(emphasised(_end(branch, items, gone), numbers))
    listed = ",".join(str(each.number) for each in items if each.needs is not None) or "none"
    known = ",".join(str(each.number) for each in items) or "none"
    begin = hidden(after_marker(known, listed))
    return joined("\n\n", [begin, *lines, hidden(after_end())])


def _heading(branch: str, items: Sequence[Item]) -> str:
    return f"{counted(len(items), 'pull request')} {'builds' if len(items) == 1 else 'build'} on {code(branch)}:"


def _item(each: Item, numbers: frozenset[int]) -> Safe:
    box = ours("- [ ] ") if each.needs is not None else ours("- [x] ")
    if each.needs is not None:
        words = _WORDS[each.needs]
    else:
        words = {PullState.MERGED: "merged", PullState.CLOSED: "closed"}.get(each.state, "done")
    return joined("", [box, emphasised(f"#{each.number} {words}", numbers)])


def _end(branch: str, items: Sequence[Item], gone: bool) -> str:
    left = [each for each in items if each.needs is not None]
    if left:
        return f"Keep {code(branch)} until {'it is' if len(left) == 1 else 'all of them are'} done."
    if gone:
        return f"All of them are done; {code(branch)} is deleted already."
    return f"All of them are done: the branch can be deleted now ({code(branch)})."
