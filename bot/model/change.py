"""What a pull request changes: files, projects and services."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from bot.model.contract import ContractResults
from bot.model.place import Place
from bot.model.plan import Plan, PlanKind, Prerequisite
from bot.model.project import Estate, Project
from bot.model.prose import ClaimKind, Judgement, Statement
from bot.model.pull import Pull
from bot.model.service import Service
from bot.model.settings import Settings


class FileStatus(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


class FileKind(StrEnum):
    TEXT = "text"
    EMPTY = "empty"  # a file of no bytes, after the change (before it, when deleted)
    BINARY = "binary"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


class Hunk(Struct, frozen=True):
    """Lines of base replaced by lines of head; lines count from 1.

    An empty side has no lines, and its number is that of the line before which they would stand.
    """

    base_line: int
    removed: tuple[str, ...]
    head_line: int
    added: tuple[str, ...]


class FileChange(Struct, frozen=True):
    path: str  # in head; in base when deleted
    old_path: str  # in base; the same as `path` unless renamed
    status: FileStatus
    kind: FileKind
    mode_only: bool = False
    hunks: tuple[Hunk, ...] = ()
    comments_only: bool = False  # YAML whose documents say the same as before
    unread: str | None = None  # why content could not be compared: hunks are then not known

    def touches(self, line: int) -> bool:
        """Whether a line of head was added or replaced."""
        return any(hunk.head_line <= line < hunk.head_line + len(hunk.added) for hunk in self.hunks)

    def line_in_head(self, line: int) -> int | None:
        """Where a line of base stands in head, None when it was removed or replaced."""
        moved = 0
        for hunk in self.hunks:
            if line < hunk.base_line:
                break
            if line < hunk.base_line + len(hunk.removed):
                return None
            moved += len(hunk.added) - len(hunk.removed)
        return line + moved


class ContentPin(Struct, frozen=True):
    """A digest of a changed file's old content that some file of base states."""

    target: str  # the file that is pinned, by its head path
    algorithm: str
    digest: str  # of base's content
    at: Place  # where base states it
    now: Place | None  # where head still states it, None when it is gone
    renewed: Place | None  # where head states the digest of head's content


class Mention(Struct, frozen=True):
    """A line of head that names a file which the change renames or deletes."""

    path: str  # as it was in base
    now: str | None  # where it is in head, None when it is gone
    at: Place
    sure: bool  # the whole path is written, not its name alone


class ServiceMove(NamedTuple):
    """One service before and after; one of the two is there."""

    before: Service | None
    after: Service | None

    @property
    def known(self) -> Service:
        known = self.after or self.before
        assert known is not None
        return known

    @property
    def name(self) -> str:
        return self.known.name

    @property
    def fields(self) -> tuple[str, ...]:
        """The top-level fields that resolve differently; `configs` also when a mounted body differs."""
        if self.before is None or self.after is None:
            return ()
        if self.before is self.after:
            return ()
        old, new = self.before.value.mapping(), self.after.value.mapping()
        found = {name for name in old if not old[name].same(new.get(name))} | {name for name in new if name not in old}
        if self.before.bodies != self.after.bodies:
            found.add("configs")
        return tuple(sorted(found))

    @property
    def differs(self) -> bool:
        return self.before is None or self.after is None or bool(self.fields)


class Move(Struct, frozen=True, dict=True):
    """One project before and after. None where it did not, or does not any more, exist."""

    base: Project | None
    head: Project | None

    @property
    def path(self) -> str:
        known = self.head or self.base
        assert known is not None
        return known.path

    @property
    def home(self) -> str:
        """The path the project had before: what identity is built on, so that a rename keeps it."""
        known = self.base or self.head
        assert known is not None
        return known.path

    @property
    def comparable(self) -> bool:
        """Whether both sides could be parsed: a file that nobody can read has not lost its services."""
        return not any(side is not None and side.unread for side in (self.base, self.head))

    @cached_property
    def services(self) -> tuple[ServiceMove, ...]:
        """Every service of either side, in head's order, then the removed ones; none where nothing can be compared."""
        if not self.comparable:
            return ()
        base = self.base.services if self.base else {}
        head = self.head.services if self.head else {}
        kept = [ServiceMove(base.get(name), service) for name, service in head.items()]
        return (*kept, *(ServiceMove(service, None) for name, service in base.items() if name not in head))

    @cached_property
    def changed(self) -> tuple[ServiceMove, ...]:
        """The services that resolve differently, or mount an inline config that does."""
        if self.base is self.head:
            return ()
        return tuple(each for each in self.services if each.differs)


class Deploy(NamedTuple):
    """One project before and after, and what the deploy command does to it while it runs."""

    base: Project
    head: Project
    plan: Plan


class Change(Struct, frozen=True, dict=True):
    """The whole of what is under review: the subject of rules that look beyond one project."""

    pull: Pull
    settings: Settings
    files: tuple[FileChange, ...]
    base: Estate
    head: Estate
    moves: tuple[Move, ...]  # of the projects whose files are touched
    statements: tuple[Statement, ...] = ()
    judgements: tuple[Judgement, ...] = ()  # the statements, held against the model
    pins: tuple[ContentPin, ...] = ()
    mentions: tuple[Mention, ...] = ()
    plans: tuple[Plan, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    contracts: ContractResults = field(default_factory=ContractResults)
    conflicts: tuple[str, ...] = ()  # files that do not merge with the live base
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # lines of head's documents, by path

    @cached_property
    def deploys(self) -> tuple[Deploy, ...]:
        """The warm plans that could be made, with their projects."""
        warm = {plan.path: plan for plan in self.plans if plan.kind is PlanKind.WARM and not plan.unknown}
        return tuple(
            Deploy(move.base, move.head, warm[move.path])
            for move in self.moves
            if move.base is not None and move.head is not None and move.path in warm
        )

    def narrowed(self, at: Place) -> Place:
        """The first run of touched lines within a place of head; the place itself where none is touched."""
        file = self.file(at.file)
        lines = [line for line in range(at.line, at.end_line + 1) if file is not None and file.touches(line)]
        if not lines:
            return at
        last = next((line for line in lines if line + 1 not in lines), lines[-1])
        return Place.of_line(at.file, lines[0], last)

    def where_gone(self, at: Place, path: str) -> Place:
        """Where in head's file the lines of a place of base stood that the change removes."""
        file = self.file(path)
        for hunk in file.hunks if file is not None else ():
            if hunk.base_line <= at.line < hunk.base_line + len(hunk.removed):
                last = hunk.head_line + len(hunk.added) - 1  # without new lines: the line before
                return Place.of_line(path, max(1, min(hunk.head_line, last)), max(1, last))
        return Place.of_line(path, 1)

    def file(self, path: str) -> FileChange | None:
        return next((file for file in self.files if file.path == path), None)

    def touched(self, at: Place) -> bool:
        """Whether a place of head lies on lines of the diff."""
        file = self.file(at.file)
        return file is not None and any(file.touches(line) for line in range(at.line, at.end_line + 1))

    def left_out(self, path: str) -> Statement | None:
        """The sentence that says a file is meant to stay as it is: one of this change, or one that stood there.

        Of what was written before, only "unaffected" counts; asides such as "not" speak of other days.
        """
        kinds = (ClaimKind.UNAFFECTED, ClaimKind.LEFT_OUT)
        named = [each for each in self.statements if each.claim.kind in kinds and path in each.claim.exceptions]
        touched = next((each for each in named if each.touched), None)
        return touched or next((each for each in named if each.claim.kind is ClaimKind.UNAFFECTED), None)

    def home(self, path: str) -> str:
        """The path a file of head had in base."""
        file = self.file(path)
        return file.old_path if file is not None else path
