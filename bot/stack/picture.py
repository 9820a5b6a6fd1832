"""A stack of three or more as a graph that GitHub draws."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model.pull import PullRef, PullState

MAX_BOXES = 20
_FORM = {PullState.OPEN: ('["', '"]'), PullState.MERGED: ('(["', ' merged"])'), PullState.CLOSED: ('[/"', ' closed"/]')}


def picture(above: Sequence[PullRef], children: Sequence[PullRef], below: Sequence[PullRef], here: int) -> str:
    """`above` stands from the trunk up to the pull request itself, `below` in a line on its only child.

    Numbers alone: titles and branches are foreign text, and a graph has no way to quote them. Empty for
    fewer than three boxes.
    """
    known = [*above, *children, *below]
    numbers = [each.number for each in known]
    if not 3 <= len(known) <= MAX_BOXES or 0 in numbers or len(set(numbers)) < len(numbers):
        return ""
    rows = ["graph BT", "  t((trunk))"]
    rows += [f"  p{each.number}{_FORM[each.state][0]}#{each.number}{_FORM[each.state][1]}" for each in known]
    under = "t"
    for each in above:
        rows.append(f"  p{each.number} --> {under}")
        under = f"p{each.number}"
    rows += [f"  p{each.number} --> {under}" for each in children]
    under = f"p{children[0].number}" if children else under
    for each in below:
        rows.append(f"  p{each.number} --> {under}")
        under = f"p{each.number}"
    rows += ["  classDef here stroke-width:3px", f"  class p{here} here"]
    return "\n".join(rows)
