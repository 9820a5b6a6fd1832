"""The decision table: what a stacked pull request needs, and why. First match wins.

Measured on real repositories with three ways to merge and six shapes of parent; the method of the merge
decides nothing, only whether `cut` is in the trunk.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from msgspec import Struct

from bot.model.pull import PullState
from bot.model.review import Needs, StackEntry
from bot.model.text import code
from bot.stack import commands, says, words
from bot.stack.names import label
from bot.stack.situation import Situation


class Severity(IntEnum):
    NONE = 0
    INFO = 1
    ACTION = 2  # the author has work
    BLOCK = 3  # merging now loses or doubles work


class Row(Struct, frozen=True):
    name: str
    when: Callable[[Situation], object]
    severity: Severity | Callable[[Situation], Severity]
    needs: Needs
    say: Callable[[Situation], str]
    commands: Callable[[Situation], commands.Lines] = lambda _: ()


class Ruling(Struct, frozen=True):
    row: str
    severity: Severity
    entry: StackEntry


def rule_on(here: Situation) -> Ruling:
    """The first row that fits. Auto-merge is looked at besides every other row."""
    row = next(row for row in ROWS if row.when(here))
    severity = row.severity(here) if callable(row.severity) else row.severity
    say, lines, needs = row.say(here), row.commands(here), row.needs
    if _auto_merge(here):
        severity = Severity.BLOCK
        warning = (
            f"**Auto-merge is armed**: it will merge into {code(here.child.base_ref)}, not into {code(here.trunk)}."
        )
        say, lines = f"{warning} {say}".strip(), (*commands.disarm(here), *lines)
        needs = Needs.DISARM_AUTO_MERGE if needs is Needs.NOTHING_YET else needs
    return Ruling(row.name, severity, StackEntry(here.child.number, needs, say, lines))


def _auto_merge(here: Situation) -> bool:
    return here.child.auto_merge and not here.on_trunk and here.child.state is PullState.OPEN and not here.native


def _child_is(state: PullState) -> Callable[[Situation], bool]:
    return lambda here: here.child.state is state


def _parent_is(state: PullState) -> Callable[[Situation], bool]:
    return lambda here: here.parent is not None and here.parent.state is state


_child_merged, _child_closed = _child_is(PullState.MERGED), _child_is(PullState.CLOSED)
_merged, _parent_open, _closed = (_parent_is(each) for each in (PullState.MERGED, PullState.OPEN, PullState.CLOSED))


def _on_dead_branch(here: Situation) -> bool:
    return not here.on_trunk and _merged(here)


def _untold(here: Situation) -> bool:
    """A parent that has ended, and what Git would say of the two is not known."""
    return (_merged(here) or (_closed(here) and not here.on_trunk)) and (here.cut is None or here.landed is None)


def _unless(lesser: Callable[[Situation], object]) -> Callable[[Situation], Severity]:
    """A block, unless this holds: then it is only work for the author."""
    return lambda here: Severity.ACTION if lesser(here) else Severity.BLOCK


ROWS: tuple[Row, ...] = (
    Row(
        "native",
        lambda here: here.native,
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda _: "GitHub keeps this stack itself: it rebases and retargets what builds on a merged part.",
    ),
    Row("tool-made", lambda here: here.tool_made, Severity.INFO, Needs.NOTHING_YET, says.tool_made),
    Row(
        "merged-in-time",
        lambda here: _child_merged(here) and (here.child_landed or here.on_trunk or here.parent is None),
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda here: f"{label(here.child)} is merged and on {code(here.trunk)}." if here.parent is not None else "",
    ),
    Row(
        "merged-into-open",
        lambda here: _child_merged(here) and _parent_open(here),
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: (
            f"{label(here.child)} is merged into {code(here.child.base_ref)} and reaches {code(here.trunk)} with {words.parent(here)}."
        ),
    ),
    Row(
        "not-on-trunk",
        lambda here: _child_merged(here) and here.child_landed is False,
        Severity.BLOCK,
        Needs.RELAND,
        says.lost,
        commands.reland,
    ),
    Row(
        "merged-somewhere",
        _child_merged,
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: (
            f"{label(here.child)} is merged into {code(here.child.base_ref)}. Whether its commits are on {code(here.trunk)} could not be told."
        ),
    ),
    Row(
        "closed-by-deletion",
        lambda here: _child_closed(here) and here.base_tip == "" and _merged(here) and here.child.orphaned is not False,
        Severity.ACTION,
        Needs.REOPEN,
        says.closed_by_deletion,
        commands.reopen,
    ),
    Row("closed", _child_closed, Severity.NONE, Needs.NOTHING_YET, lambda _: "It is closed."),
    Row(
        "queued",
        lambda here: _parent_open(here) and here.parent is not None and here.parent.queued,
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda here: f"{words.parent(here)} waits in the merge queue: its commits are not on {code(here.trunk)} yet.",
    ),
    Row(
        "could-not-tell",
        _untold,
        _unless(lambda here: here.on_trunk or _closed(here)),
        Needs.RETARGET,
        words.could_not_tell,
        lambda here: commands.retarget(here) if _on_dead_branch(here) else (),
    ),
    Row(
        "nothing-left",
        lambda here: (
            _merged(here) and here.cut is not None and not here.cut.own and (_on_dead_branch(here) or here.cut.parents)
        ),
        Severity.ACTION,
        Needs.CLOSE,
        lambda here: f"**Everything in it is on {code(here.trunk)} already**: close it.",
        commands.close,
    ),
    Row(
        "retarget",
        lambda here: _on_dead_branch(here) and here.landed and here.bases < 2,
        Severity.BLOCK,
        Needs.RETARGET,
        says.retarget_only,
        commands.retarget,
    ),
    Row(
        "retarget-and-merge",
        lambda here: _on_dead_branch(here) and here.landed,
        Severity.BLOCK,
        Needs.RETARGET_AND_MERGE,
        says.retarget_and_merge,
        commands.retarget_and_merge,
    ),
    Row(
        "rebase-and-retarget",
        _on_dead_branch,
        Severity.BLOCK,
        Needs.REBASE_AND_RETARGET,
        says.rebase_and_retarget,
        commands.rebase_onto_trunk,
    ),
    Row(
        "still-carries",
        lambda here: here.on_trunk and _merged(here) and here.landed is False and here.cut and here.cut.parents,
        _unless(lambda here: here.mergeable is False),
        Needs.REBASE,
        says.still_carries,
        lambda here: commands.rebase_onto_trunk(here, edit=False),
    ),
    Row(
        "contains",
        lambda here: here.on_trunk and _parent_open(here) and here.cut and here.cut.parents,
        Severity.INFO,
        Needs.NOTHING_YET,
        says.contains,
        lambda here: (
            commands.retarget(here, here.parent.head_ref) if here.parent and not here.parent.head_repository else ()
        ),
    ),
    Row(
        "base-gone",
        lambda here: here.base_tip == "" and not here.on_trunk and here.parent is None,
        Severity.BLOCK,
        Needs.RETARGET,
        lambda here: (
            f"**Its base {code(here.child.base_ref)} is gone**, and no pull request is known that started there."
        ),
        commands.retarget,
    ),
    Row(
        "no-pull-request",
        lambda here: here.parent is None and not here.on_trunk,
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: f"Its base {code(here.child.base_ref)} has no open pull request.",
    ),
    Row("on-trunk", lambda here: here.on_trunk, Severity.NONE, Needs.NOTHING_YET, lambda _: ""),
    Row(
        "parent-closed",
        _closed,
        Severity.ACTION,
        Needs.REBASE_AND_RETARGET,
        says.parent_closed,
        commands.rebase_onto_trunk,
    ),
    Row(
        "rewritten",
        lambda here: here.rewritten,
        Severity.ACTION,
        Needs.REBASE,
        says.rewritten,
        commands.rebase_onto_parent,
    ),
    Row(
        "grown",
        lambda here: here.grown,
        lambda here: Severity.ACTION if here.clashes else Severity.INFO,
        Needs.NOTHING_YET,
        says.grown,
        commands.rebase_onto_parent,
    ),
    Row(
        "stale-base", lambda here: here.stale, Severity.INFO, Needs.NOTHING_YET, says.stale_base, commands.refresh_base
    ),
    Row("up-to-date", lambda _: True, Severity.INFO, Needs.NOTHING_YET, says.stacked),
)
