"""What an event asks of us, before anything but the event itself was read."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from bot.model.pull import Trigger


class Kind(StrEnum):
    REVIEW = "review"
    RERENDER = "re-render"  # words changed, commits did not: the same round, written anew
    REMIND = "remind"  # what stacked pull requests need next; nothing is reviewed
    PUBLISH_ONLY = "publish-only"  # a run with a read-only token reviewed; this one may write
    IGNORE = "ignore"


class Verb(StrEnum):
    """What a comment commands."""

    REVIEW = "review"
    EXPLAIN = "explain"
    IGNORE = "ignore"
    HELP = "help"
    UNKNOWN = "unknown"  # addressed to us, and not understood


class Command(Struct, frozen=True):
    verb: Verb
    rule: str = ""
    path: str = ""  # empty: in every file
    because: str = ""


class Said(Struct, frozen=True):
    """The comment that holds a command. `node` is its GraphQL id."""

    id: int
    node: str
    by: str
    at: str  # ISO 8601 in UTC


class Span(Struct, frozen=True):
    """Two commits to review without a pull request: a merge group's."""

    base_sha: str
    base_ref: str
    head_sha: str
    head_ref: str


class Head(Struct, frozen=True):
    """A pull request's head as a finished workflow run names it; the pull request must be looked up."""

    sha: str
    branch: str
    repository: str


class Request(Struct, frozen=True):
    """One event, understood. `why` is a sentence of ours; all other texts were written by others."""

    kind: Kind
    why: str
    trigger: Trigger = field(default_factory=Trigger)
    repository: str = ""  # "owner/name"
    number: int | None = None  # None with REMIND: every open pull request
    head_sha: str = ""  # as the event tells it; empty when it does not
    before: str = ""  # the head that a push replaced
    author: str = ""  # of the pull request
    base_ref: str = ""  # branches as the event tells them; empty when it does not
    head_ref: str = ""
    native_stack: bool | None = None  # whether GitHub keeps the stack itself; None: the event does not say
    command: Command | None = None
    said: Said | None = None
    span: Span | None = None
    head: Head | None = None
    reviewer: str = ""  # a review was asked of this login; it counts if the settings name it
    team: str = ""  # the same for a team's slug
    read_only: str = ""  # why no write may be tried; empty when writes may be tried

    @property
    def reviews(self) -> bool:
        """Whether commits are looked at, so that the status must be concluded."""
        return self.kind in (Kind.REVIEW, Kind.RERENDER, Kind.PUBLISH_ONLY)
