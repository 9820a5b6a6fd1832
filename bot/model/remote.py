"""What GitHub holds about a pull request when a run begins: facts, comments, threads, checks."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from bot.model.pull import Pull

CONTEXT = "compose-review"  # of the required commit status


class State(StrEnum):
    """Of a commit status. Only success lets a pull request merge that requires it."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"  # findings block
    ERROR = "error"  # could not be reviewed, or not completely


class Account(Struct, frozen=True):
    """Who our token writes as. `github-actions` and `github-actions[bot]` are the same account."""

    login: str

    def wrote(self, login: str) -> bool:
        return bool(self.login) and _bare(login) == _bare(self.login)


class Comment(Struct, frozen=True):
    """A comment of the conversation. `editor` is who edited it last, empty when nobody did."""

    id: int
    author: str
    body: str
    editor: str = ""
    url: str = ""


class Thread(Struct, frozen=True):
    """A review thread on a line of the diff that one of our comments began."""

    id: str  # GraphQL id
    path: str
    body: str  # of the first comment
    author: str
    resolved: bool
    outdated: bool
    replies: int  # comments after the first


class OtherCheck(Struct, frozen=True):
    """What another check says about the head commit."""

    name: str
    state: str  # "success", "failure", "pending" and the like, in lower case
    says: str = ""  # the description of a status


class Landing(Struct, frozen=True):
    """Where GitHub itself put head onto the live base, as far as it says so."""

    commit: str = ""  # the test merge; empty when there is none, or it is of another base or head
    conflicting: bool = False


class Remote(Struct, frozen=True):
    """One pull request, read at one moment."""

    pull: Pull
    account: Account
    comments: tuple[Comment, ...] = ()
    threads: tuple[Thread, ...] = ()
    checks: tuple[OtherCheck, ...] = ()
    landing: Landing = Landing()
    node: str = ""  # the pull request's GraphQL id
    thumb: bool = False  # our own +1 of an earlier round stands on it
    tips: Mapping[str, str] = field(default_factory=dict)  # of branches, empty for one that is gone
    former_bases: tuple[str, ...] = ()  # branches it targeted before, the last one first


class Swept(Struct, frozen=True):
    """What a look at the whole repository found: numbers of pull requests with what decides whether to look closer."""

    account: Account
    default_branch: str
    open: tuple[tuple[int, str], ...]  # with the base branch
    merged: tuple[tuple[int, tuple[Comment, ...]], ...]  # lately, with their first comments


class Now(Struct, frozen=True):
    """What decides whether a write is still wanted."""

    head_sha: str
    base_ref: str
    open: bool


def _bare(login: str) -> str:
    return login.lower().removesuffix("[bot]")


class Inline(Struct, frozen=True):
    """A comment on lines of head that the diff shows. `body` is finished Markdown."""

    path: str
    line: int
    end_line: int
    body: str


class Note(Struct, frozen=True):
    """An annotation of a check run. `level` is GitHub's word: notice, warning or failure."""

    path: str
    line: int
    end_line: int
    level: str
    title: str
    message: str
