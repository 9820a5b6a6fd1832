"""What a round leaves for the next one: the hidden state at the end of our comment.

It is memory, not proof: it decides what is called new, never the verdict. Whoever edits the comment can
make us call an old finding new, and no more.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from bot.model.finding import Finding
from bot.model.review import Activity, Ignore, Known, NotRechecked, Resolved, Review

MAX_ROWS = 20  # rounds in the activity table
MAX_KNOWN = 1_000
MAX_TITLE = 160  # characters


class Memory(Struct, frozen=True):
    number: int | None  # of the pull request
    round: int
    head: str
    base: str
    open: tuple[Known, ...] = ()
    resolved: tuple[Resolved, ...] = ()  # in this round: they are shown until the head moves on
    not_rechecked: tuple[NotRechecked, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    activity: tuple[Activity, ...] = ()
    cut: bool = False  # there was no room for every finding
    run: int = 0  # of the run that wrote it: a later run has a higher number


def remembered(review: Review) -> Memory:
    """What the next round needs of this one."""
    found = (*review.findings, *(ignored.finding for ignored in review.ignored))
    return Memory(
        number=review.number,
        round=review.round,
        head=review.head_sha,
        base=review.base_sha,
        open=tuple(known(each) for each in found[:MAX_KNOWN]),
        resolved=review.resolved[:MAX_KNOWN],
        not_rechecked=review.not_rechecked[:MAX_KNOWN],
        ignores=tuple(each.ignore for each in review.ignored)[:MAX_KNOWN],
        activity=review.activity[-MAX_ROWS:],
        cut=len(found) > MAX_KNOWN,
        run=review.run,
    )


def known(finding: Finding) -> Known:
    return Known(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        level=finding.level,
        since=finding.since,
        file=finding.at.file,
        title=_short(finding.title),
    )


def without_texts(memory: Memory) -> Memory:
    """The same, for a comment that is short of room: the next round knows the findings, not their titles."""
    return replace(
        memory,
        open=tuple(_bare(each) for each in memory.open),
        resolved=tuple(replace(each, known=_bare(each.known)) for each in memory.resolved),
        not_rechecked=tuple(replace(each, known=_bare(each.known)) for each in memory.not_rechecked),
        activity=memory.activity[-3:],
    )


def fewer(memory: Memory, keep: int) -> Memory:
    """The first findings only: those of the highest level, since findings come in that order."""
    return replace(
        without_texts(memory),
        open=tuple(_bare(each) for each in memory.open[:keep]),
        resolved=(),
        not_rechecked=memory.not_rechecked[:keep],
        ignores=memory.ignores[:keep],
        cut=memory.cut or len(memory.open) > keep,
    )


def _bare(known: Known) -> Known:
    return replace(known, file="", title="")


def _short(text: str) -> str:
    return text if len(text) <= MAX_TITLE else text[: MAX_TITLE - 1] + "…"
