"""Parts of a page that can do with less room, and the order in which they must."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from bot.review.escape import NOTHING, Safe, joined, ours


class Name(Enum):
    """The parts of the comment, in the order in which they stand there."""

    MARKER = "marker"
    VERDICT = "verdict"
    ACTIVITY = "activity"
    ANSWER = "answer"
    CHANGES = "changes"
    EVERY_CHANGE = "every change"
    BLOCKING = "blocking"
    FOLLOW_UPS = "follow-ups"
    NOTES = "notes"
    OWED_ELSEWHERE = "owed elsewhere"
    DEPLOY = "deploy"
    CAUSES = "causes"
    GATES = "gates"
    PREREQUISITES = "prerequisites"
    STACK = "stack"
    CHECKS = "checks"
    EXCLUDED = "excluded"
    IGNORED = "ignored"
    RESOLVED = "resolved"
    NOT_RECHECKED = "not re-checked"
    GAPS = "gaps"
    FOOT = "foot"
    STATE = "state"


# What goes first when a page is too large. Never the marker, the verdict, the foot; gaps and blocking
# findings only lose their details, and only when nothing else is left to lose.
ORDER = (
    Name.CAUSES,
    Name.GATES,
    Name.EVERY_CHANGE,
    Name.ANSWER,
    Name.STATE,
    Name.IGNORED,
    Name.EXCLUDED,
    Name.RESOLVED,
    Name.OWED_ELSEWHERE,
    Name.CHECKS,
    Name.NOTES,
    Name.NOT_RECHECKED,
    Name.FOLLOW_UPS,
    Name.DEPLOY,
    Name.PREREQUISITES,
    Name.STATE,
    Name.STACK,
    Name.CHANGES,
    Name.ACTIVITY,
    Name.GAPS,
    Name.BLOCKING,
    Name.BLOCKING,
)


GAP = "\n\n"


class Part(Protocol):
    @property
    def name(self) -> Name: ...
    @property
    def text(self) -> Safe: ...
    def shorter(self, excess: int) -> Part:
        """The same with at least `excess` bytes less, or as little of it as there can be."""
        ...


class Whole(Struct, frozen=True):
    """A part that is there as a whole, or in the first of its shorter forms that it still has."""

    name: Name
    text: Safe
    forms: tuple[Safe, ...] = ()

    def shorter(self, excess: int) -> Whole:  # noqa: ARG002 - there is only one next form
        return replace(self, text=self.forms[0], forms=self.forms[1:]) if self.forms else self


class Items(Struct, frozen=True):
    """A part that loses whole items from its end, and says how many. `brief` items go before they do."""

    name: Name
    opening: Safe
    items: tuple[Safe, ...]
    briefs: tuple[Safe, ...] = ()  # none: an item is there or not
    closing: Safe = NOTHING
    kept: int = -1  # items from here on are brief or gone; -1: all are there
    gone: int = 0

    @property
    def text(self) -> Safe:
        kept = len(self.items) if self.kept < 0 else self.kept
        shown = [*self.items[:kept], *self.briefs[kept:]]
        shown = shown[: len(shown) - self.gone] if self.briefs else shown
        missing = len(self.items) - len(shown)
        more = [ours("and {} more (see the job summary)", missing)] if missing else []
        parts = [self.opening, joined("\n", shown), *more, self.closing]
        return joined(GAP, [part for part in parts if part])

    def shorter(self, excess: int) -> Items:
        if self.kept != 0:
            return self._less(excess)
        return replace(self, gone=self._fewest_gone(excess)) if self.briefs else self

    def _less(self, excess: int) -> Items:
        """As many items as still fit, from the end."""
        saved, keep = (
            -64,
            len(self.items) if self.kept < 0 else self.kept,
        )  # the line that says how many are missing needs room too
        while keep and saved < excess:
            keep -= 1
            saved += size(self.items[keep]) + 1 - (size(self.briefs[keep]) + 1 if self.briefs else 0)
        return replace(self, kept=keep)

    def _fewest_gone(self, excess: int) -> int:
        saved, gone = -64, 0
        while gone < len(self.briefs) and saved < excess:
            gone += 1
            saved += size(self.briefs[-gone]) + 1
        return gone


def fitted(parts: Iterable[Part], limit: int) -> str:
    """The page in at most `limit` bytes of UTF-8, as far as leaving out can make it so."""
    page = [part for part in parts if part.text]
    for name in ORDER:
        excess = size(_page(page)) - limit
        if excess <= 0:
            break
        page = [part.shorter(excess) if part.name is name else part for part in page]
    return _page(page)


def _page(parts: list[Part]) -> str:
    return f"{joined(GAP, [part.text for part in parts if part.text])}\n"


def size(text: str) -> int:
    return len(text.encode())
