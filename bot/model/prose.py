"""Sentences that people wrote about the files, and what they claim."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from bot.model.finding import Related
from bot.model.place import Place


class Medium(StrEnum):
    PULL_REQUEST = "pull request text"
    COMMENT = "comment"
    DOCUMENT = "document"


class ClaimKind(StrEnum):
    EVERY = "every"  # every file (service, engine …) of a kind has something
    NO_CHANGE = "no-change"  # no service of these kinds changes
    UNAFFECTED = "unaffected"  # this file, service or host is not affected
    LEFT_OUT = "left-out"  # this file is meant to stay as it is
    EXACTLY_ONCE = "exactly-once"
    COMMENTS_ONLY = "comments-only"
    NO_EFFECT = "no-effect"  # nothing running is affected
    FREES = "frees"  # a device or port becomes free
    EVERYWHERE = "everywhere"  # the change was made wherever it applies


class Claim(Struct, frozen=True):
    """What a sentence says, in words of the model. Which fields are filled depends on the kind.

    `subject` are the words that name the set or thing spoken of, `object` the words that name what it
    has, `exceptions` the files or names that the sentence itself takes out.
    """

    kind: ClaimKind
    subject: str
    object: str = ""
    exceptions: tuple[str, ...] = ()


class Statement(Struct, frozen=True):
    """One sentence with one claim. `at` spans the lines of the words that make the claim."""

    medium: Medium
    quote: str
    claim: Claim
    at: Place | None  # None in the pull request's text
    touched: bool  # written or changed by this pull request

    @property
    def said_in(self) -> str:
        if self.medium is Medium.PULL_REQUEST or self.at is None:
            return str(Medium.PULL_REQUEST)
        return f"{self.medium} {self.at}" if self.medium is Medium.COMMENT else str(self.at)


class Judgement(Struct, frozen=True):
    """A statement held against the model. `holds` is None where the model cannot decide it.

    `about` identifies what is untrue, without prose; `says` and `do` word it; `evidence` are the places
    that contradict, or bear out, the statement.
    """

    statement: Statement
    holds: bool | None
    about: tuple[str, ...] = ()
    says: str = ""
    do: str = ""
    evidence: tuple[Related, ...] = ()
