"""What we ask of the world outside: trees to read, a clock. Implemented by `local` and `forge`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from bot.model.finding import Gap
from bot.model.pull import Pull
from bot.model.remote import Account, Comment, Now, State


class EntryKind(StrEnum):
    FILE = "file"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


class Entry(Struct, frozen=True):
    """One file of a tree. `blob` identifies its content across trees (Git's object name)."""

    path: str
    kind: EntryKind
    blob: str
    executable: bool = False
    size: int | None = None  # in bytes; None when not known without reading


class Unreadable(Exception):
    """A file of the tree that cannot be read; the message says why."""


class Tree(Protocol):
    """The files of one state of the reviewed repository. Data only: nothing is checked out or run."""

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every file by path, in the order of Git (bytes of the path). Submodules are not entered."""
        ...

    def read(self, path: str) -> bytes:
        """A file's bytes. KeyError when the tree has no such file, Unreadable when it cannot be read.

        A symbolic link is not followed: its bytes are the path it points to.
        """
        ...

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """Several files at the cost of about one; those that cannot be read are left out."""
        ...

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        """The regular files that contain one of these byte strings, with their content."""
        ...


@runtime_checkable
class Limited(Protocol):
    """A tree that may have searched less than everything. `unsearched` says what, empty for nothing."""

    unsearched: str


class Reading(Struct, frozen=True):
    """All that was read of the world for one review: nothing is read after it."""

    pull: Pull
    base: Tree
    head: Tree  # what would land: head merged with the live base, where that can be told
    base_name: str  # as a person would name it: a branch, a revision, a folder
    head_name: str
    conflicts: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = field(default=())


class Publisher(Protocol):
    """What is written to a pull request. Errors are those of the implementing room."""

    def conversation(self, number: int) -> tuple[Now, Account, tuple[Comment, ...]]:
        """Head, base and all comments of one moment, and who we are."""
        ...

    def create_comment(self, number: int, body: str, made: Callable[[], Comment | None]) -> Comment:
        """`made` finds the comment when an answer was lost after GitHub had stored it."""
        ...

    def edit_comment(self, comment: int, body: str) -> Comment: ...

    def delete_comment(self, comment: int) -> None: ...

    def set_status(self, commit: str, state: State, description: str, url: str) -> None: ...


class Clock(Protocol):
    def now(self) -> str:
        """ISO 8601 in UTC, to the second."""
        ...
