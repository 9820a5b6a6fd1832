"""What rules say, and what becomes of it."""

from __future__ import annotations

import hashlib
import json
from enum import IntEnum, StrEnum

from msgspec import Struct, field

from bot.model.place import Place


class Level(IntEnum):
    """SARIF's levels: an error blocks the merge, a warning is an optional follow-up, a note is context."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


class Certainty(StrEnum):
    SURE = "sure"
    LIKELY = "likely"


class Status(StrEnum):
    NEW = "new"
    OPEN = "open"


class Related(Struct, frozen=True):
    at: Place
    says: str


class Found(Struct, frozen=True):
    """One fact that a rule flags.

    `about` is its identity: names and values, no prose, no line number, no path (the rulebook adds the
    file's own where twins must stay apart). `says` is the fact with its evidence, `do` the one next step.
    Text in backticks is shown as code; whatever the reviewed repository wrote belongs in them.
    """

    at: Place
    about: tuple[str, ...]
    says: str
    do: str
    title: str = ""
    service: str | None = None
    related: tuple[Related, ...] = ()
    certainty: Certainty = Certainty.SURE
    level: Level | None = None  # only where it differs from the rule's own
    swap: tuple[str, str] | None = None  # on the first line of `at`: this text, and the one that is right


class Passed(Struct, frozen=True):
    """Something a rule looked at and found in order, worth a line under Checks."""

    name: str
    detail: str = ""
    at: Place | None = None


class Failed(Struct, frozen=True):
    """A check with a name of its own that does not hold; what is wrong is found besides."""

    name: str
    detail: str = ""


class Skipped(Struct, frozen=True):
    """A check that could not be made here, and why."""

    name: str
    why: str


class Excluded(Struct, frozen=True):
    """What a rule would have flagged, had the author or the configuration not left it out in words."""

    file: str
    said_in: str  # "pull request text", "comment FILE:LINE", "README.md:LINE", "configuration"
    quote: str


Outcome = Found | Passed | Failed | Skipped | Excluded


class Finding(Struct, frozen=True):
    """A finding as the review shows it: one cause, with its twins in other files among `related`."""

    rule: str
    level: Level
    certainty: Certainty
    at: Place
    service: str | None
    title: str
    says: str
    do: str
    related: tuple[Related, ...]
    about: tuple[str, ...]
    status: Status = Status.NEW
    twins: tuple[Place, ...] = ()  # where the same thing stands in other files
    inherited: bool = False
    since: int = 1  # the round that first saw it
    suggestion: str | None = None  # the line of `at` as it should be, where one edit is right

    @property
    def fingerprint(self) -> str:
        """Stable over rounds: moved lines, renamed files and other wording do not change it."""
        return fingerprint(self.rule, self.about)


def fingerprint(rule: str, about: tuple[str, ...]) -> str:
    text = json.dumps([rule, *about], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


class Check(Struct, frozen=True):
    """A line under Checks."""

    name: str
    status: CheckStatus
    detail: str = ""
    why: str | None = None


class CheckStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Gap(Struct, frozen=True):
    """A part of the change that could not be read. A review with gaps is `incomplete`."""

    what: str
    why: str
    at: Place | None = None


class Crash(Struct, frozen=True):
    """A rule of ours that failed. Our bug, shown, and never a pass."""

    rule: str
    subject: str
    error: str


class Findings(Struct, frozen=True):
    """Everything the rulebook has to say about one change."""

    findings: tuple[Finding, ...] = ()
    excluded: tuple[tuple[str, Excluded], ...] = ()  # with the rule's name
    checks: tuple[Check, ...] = ()
    gaps: tuple[Gap, ...] = ()
    crashes: tuple[Crash, ...] = ()
    inherited: int = field(default=0)
