"""The decision table: what a stacked pull request needs, and why. First match wins.

Measured on real repositories with three ways to merge and six shapes of parent; the method of the merge
decides nothing, only whether `cut` is in the trunk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from bot.model.pull import PullState
from bot.model.review import Needs, StackEntry
from bot.model.text import code, counted
from bot.stack import commands, words
from bot.stack.names import label
from bot.stack.situation import Situation


class Severity(IntEnum):
    NONE = 0
    INFO = 1
    ACTION = 2  # the author has work
    BLOCK = 3  # merging now loses or doubles work


@dataclass(frozen=True)
class Row:
    name: str
    when: Callable[[Situation], object]
    severity: Severity | Callable[[Situation], Severity]
    needs: Needs
    say: Callable[[Situation], str]
    commands: Callable[[Situation], commands.Lines] = lambda _: ()


@dataclass(frozen=True)
class Ruling:
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


def _open(here: Situation) -> bool:
    return here.child.state is PullState.OPEN


def _parent_is(state: PullState) -> Callable[[Situation], bool]:
    return lambda here: here.parent is not None and here.parent.state is state and not here.parent.queued


_merged, _parent_open, _closed = (_parent_is(each) for each in (PullState.MERGED, PullState.OPEN, PullState.CLOSED))


def _nothing_own(here: Situation) -> bool:
    return here.cut is not None and not here.cut.own and not here.cut.merges


def _untold(here: Situation) -> bool:
    """A parent is there, and what Git would say of the two is not known."""
    return here.parent is not None and (here.cut is None or here.landed is None)


def _lost(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    return f"{label(here.child)} is merged into {a}, and its commits are **not on {t}**. Keep {a} and {code(here.child.head_ref)} until they are."


def _retarget_only(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    return (
        f"**Retarget only: {words.parent(here)} is merged.** This still targets {a}, and merging it now would land it there, "
        f"not on {t}. No rebase: it already stands on what landed. {_approvals()}"
    )


def _retarget_and_merge(here: Situation) -> str:
    t = code(here.trunk)
    return (
        f"**Retarget, then merge {t} in once: {words.parent(here)} is merged.** {t} was merged into this branch before, so that a "
        f"retarget alone would show the files of {words.parent(here)} again. {_approvals()}"
    )


def _rebase_and_retarget(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    return _joined(
        f"**Retarget and rebase: {words.parent(here)} is merged.** This still targets {a}: merging it now would put "
        f"{counted(len(here.cut.own) if here.cut else 0, 'commit')} on {a}, not on {t}.",
        f"{words.parent(here)} landed as new commits, so a plain {code(f'git rebase origin/{here.trunk}')} would replay "
        f"{words.carried(here)} of it again, or bring back what was reverted.",
        "This picks only its own commits, past the merges between them." if here.cut and here.cut.merges else "",
        words.own(here),
        words.in_a_fork(here) or words.way_back(here),
        _approvals(),
    )


def _still_carries(here: Situation) -> str:
    return _joined(
        f"**Rebase: it still carries {words.carried(here)} of {words.parent(here)}, which is merged.** The base is right; merged like this, "
        "those commits land a second time.",
        words.own(here),
        words.in_a_fork(here) or words.way_back(here),
    )


def _rewritten(here: Situation) -> str:
    return _joined(
        f"{words.parent(here)} was pushed by force: {words.carried(here)} of its old version {'is' if _one(here) else 'are'} still in here. "
        f"**Rebase onto it**; the base stays {code(here.child.base_ref)}.",
        words.own(here),
        words.in_a_fork(here) or words.way_back(here),
    )


def _one(here: Situation) -> bool:
    return here.cut is not None and len(here.cut.parents) == 1


def _grown(here: Situation) -> str:
    does_not = " The two do not merge as they are." if here.clashes else ""
    return f"{words.parent(here)} has {counted(here.grown, 'new commit')} that {'is' if here.grown == 1 else 'are'} not in here.{does_not}"


def _parent_closed(here: Situation) -> str:
    return _joined(
        f"{words.parent(here)} was closed without a merge. Either take its {words.carried(here)} over by retargeting to {code(here.trunk)}, or "
        "keep only what is this pull request's own:",
        words.own(here),
    )


def _contains(here: Situation) -> str:
    count = len(here.cut.own) if here.cut else 0
    fork = here.parent is not None and bool(here.parent.head_repository)
    more = (
        "A fork's branch cannot be its base: review and merge that one first."
        if fork
        else f"To show only its own, set its base to {code(here.parent.head_ref) if here.parent else ''}."
    )
    return f"It contains {words.carried(here)} of {words.parent(here)}; the last {counted(count, 'commit')} {'is' if count == 1 else 'are'} its own. {more}"


def _approvals() -> str:
    return "A change of the base can dismiss approvals."


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _could_not_tell(here: Situation) -> str:
    number = here.parent.number if here.parent is not None else 0
    fetch = (
        f"git fetch --unshallow origin; git fetch origin refs/pull/{number}/head"
        if number
        else "git fetch --unshallow origin"
    )
    state = "is merged" if _merged(here) else "is open"
    return f"{words.parent(here)} {state}. Whether a rebase is needed could not be told: the clone lacks commits of the two. {code(fetch)} gets them."


ROWS: tuple[Row, ...] = (
    Row(
        "native",
        lambda here: here.native,
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda _: "GitHub keeps this stack itself: it rebases and retargets what builds on a merged part.",
    ),
    Row(
        "tool-made",
        lambda here: here.tool_made,
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: (
            f"Its branches were made by a stacking tool{_on_parent(here)}: land it with that tool, not with the merge button."
        ),
    ),
    Row(
        "merged-in-time",
        lambda here: here.child.state is PullState.MERGED and (here.child_landed or here.on_trunk),
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda here: f"{label(here.child)} is merged and on {code(here.trunk)}.",
    ),
    Row(
        "merged-into-open",
        lambda here: here.child.state is PullState.MERGED and _parent_open(here),
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: (
            f"{label(here.child)} is merged into {code(here.child.base_ref)} and reaches {code(here.trunk)} with {words.parent(here)}."
        ),
    ),
    Row(
        "not-on-trunk",
        lambda here: here.child.state is PullState.MERGED,
        Severity.BLOCK,
        Needs.RELAND,
        _lost,
        commands.reland,
    ),
    Row(
        "closed-by-deletion",
        lambda here: here.child.state is PullState.CLOSED and here.base_tip == "" and _merged(here),
        Severity.ACTION,
        Needs.REOPEN,
        lambda here: (
            f"It was closed because {code(here.child.base_ref)} was deleted. **Reopen it before you push**: afterwards GitHub refuses for ever."
        ),
        commands.reopen,
    ),
    Row(
        "closed",
        lambda here: here.child.state is PullState.CLOSED,
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda _: "It is closed.",
    ),
    Row(
        "queued",
        lambda here: here.parent is not None and here.parent.queued,
        Severity.NONE,
        Needs.NOTHING_YET,
        lambda here: f"{words.parent(here)} waits in the merge queue: its commits are not on {code(here.trunk)} yet.",
    ),
    Row(
        "could-not-tell",
        lambda here: _merged(here) and _untold(here),
        Severity.ACTION,
        Needs.RETARGET,
        _could_not_tell,
        commands.retarget,
    ),
    Row(
        "nothing-left",
        lambda here: _merged(here) and _nothing_own(here),
        Severity.ACTION,
        Needs.CLOSE,
        lambda here: f"Everything in it is on {code(here.trunk)} already: close it.",
        commands.close,
    ),
    Row(
        "retarget",
        lambda here: not here.on_trunk and _merged(here) and here.landed and here.bases < 2,
        Severity.BLOCK,
        Needs.RETARGET,
        _retarget_only,
        commands.retarget,
    ),
    Row(
        "retarget-and-merge",
        lambda here: not here.on_trunk and _merged(here) and here.landed,
        Severity.BLOCK,
        Needs.RETARGET_AND_MERGE,
        _retarget_and_merge,
        commands.retarget_and_merge,
    ),
    Row(
        "rebase-and-retarget",
        lambda here: not here.on_trunk and _merged(here),
        Severity.BLOCK,
        Needs.REBASE_AND_RETARGET,
        _rebase_and_retarget,
        commands.rebase_onto_trunk,
    ),
    Row(
        "still-carries",
        lambda here: here.on_trunk and _merged(here) and here.landed is False and here.cut and here.cut.parents,
        Severity.BLOCK,
        Needs.REBASE,
        _still_carries,
        lambda here: commands.rebase_onto_trunk(here, edit=False),
    ),
    Row(
        "contains",
        lambda here: here.on_trunk and _parent_open(here) and here.cut and here.cut.parents,
        Severity.INFO,
        Needs.NOTHING_YET,
        _contains,
        lambda here: (
            commands.retarget(here, here.parent.head_ref) if here.parent and not here.parent.head_repository else ()
        ),
    ),
    Row(
        "base-gone",
        lambda here: here.base_tip == "" and not here.on_trunk and here.parent is None,
        Severity.BLOCK,
        Needs.RETARGET,
        lambda here: f"Its base {code(here.child.base_ref)} is gone.",
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
        "parent-closed", _closed, Severity.ACTION, Needs.REBASE_AND_RETARGET, _parent_closed, commands.rebase_onto_trunk
    ),
    Row(
        "rewritten", lambda here: here.rewritten, Severity.ACTION, Needs.REBASE, _rewritten, commands.rebase_onto_parent
    ),
    Row(
        "grown",
        lambda here: here.grown,
        lambda here: Severity.ACTION if here.clashes else Severity.INFO,
        Needs.NOTHING_YET,
        _grown,
        commands.rebase_onto_parent,
    ),
    Row(
        "up-to-date",
        lambda _: True,
        Severity.INFO,
        Needs.NOTHING_YET,
        lambda here: f"It is stacked on {words.parent(here)}, which is open: merge that one first.",
    ),
)


def _on_parent(here: Situation) -> str:
    return f" and stand on {label(here.parent)}" if here.parent is not None else ""
