"""A stack of three or more as a graph that GitHub draws."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.pull import PullRef, PullState

MAX_BOXES = 20
_FORM = {PullState.OPEN: ('["', '"]'), PullState.MERGED: ('(["', ' merged"])'), PullState.CLOSED: ('[/"', ' closed"/]')}


def picture(trunk: str, line: Sequence[PullRef], children: Sequence[PullRef], here: int) -> str:
    """`line` stands from the trunk up to the pull request itself; empty for fewer than three boxes.

    Numbers alone: titles and branches are foreign text, and a graph has no way to quote them.
    """
    known = [*line, *children]
    if len(known) < 3 or len(known) > MAX_BOXES or any(not each.number for each in known):
        return ""
    rows = ["graph BT", "  t((trunk))"]
    rows += [f"  p{each.number}{_FORM[each.state][0]}#{each.number}{_FORM[each.state][1]}" for each in known]
    below = "t"
    for each in line:
        rows.append(f"  p{each.number} --> {below}")
        below = f"p{each.number}"
    rows += [f"  p{each.number} --> {below}" for each in children]
    rows += ["  classDef here stroke-width:3px", f"  class p{here} here"]
    assert trunk
    return "\n".join(rows)
