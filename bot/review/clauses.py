"""One clause for each thing that changes in the model, and for all files that change alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from bot.model.change import Move, ServiceMove
from bot.model.facts import Role
from bot.model.review import ChangeKind
from bot.model.text import code, codes, counted, listed
from bot.review.edits import Edit, edits
from bot.review.resources import resources, told_by_services

MAX_NAMES = 4
MAX_EDITS = 4

# Which services a reader wants to hear of first.
_ORDER = (
    Role.ENGINE,
    Role.DOWNLOADER,
    Role.PROXY,
    Role.WEB_SERVER,
    Role.REGISTRAR,
    Role.DATABASE,
    Role.TELEMETRY,
    Role.MAINTENANCE,
    Role.OTHER,
)
_SINGULAR = {"networks": "network", "volumes": "volume", "configs": "config", "secrets": "secret"}


class Namer:
    """Files by their short names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def one(self, path: str) -> str:
        return code(self._names.get(path, path))

    def several(self, paths: Iterable[str]) -> str:
        """`a`, `b` and 7 more."""
        return codes((self._names.get(path, path) for path in paths), MAX_NAMES + 1)

    def within(self, paths: Iterable[str]) -> str:
        """One file by its name; more of them with their number in front."""
        found = list(dict.fromkeys(paths))
        if len(found) == 1:
            return self.one(found[0])
        shown = ", ".join(self.one(path) for path in found[: MAX_NAMES + 1])
        more = f" and {len(found) - MAX_NAMES - 1} more" if len(found) > MAX_NAMES + 1 else ""
        return f"{len(found)} files ({shown}{more})"


def clauses(moves: Iterable[Move], name: Namer) -> list[str]:
    """The most telling first: services, by what they are for; then whole files; then what is shared."""
    listed_moves = list(moves)
    return [*_services(listed_moves, name), *_whole_files(listed_moves, name), *_resources(listed_moves, name)]


def _whole_files(moves: list[Move], name: Namer) -> Iterator[str]:
    """Files that come, go or are renamed: their services are not listed one by one."""
    for move in moves:
        if not move.comparable:
            continue
        if move.base is None:
            yield f"{name.one(move.path)} is new, with {_staff(move)}"
        elif move.head is None:
            yield f"{name.one(move.path)} is deleted, with {_staff(move)}"
        elif move.home != move.path:
            yield f"{code(move.home)} is now {name.one(move.path)}"
        if move.base and move.head and move.base.name != move.head.name and move.base.name_at != move.head.name_at:
            yield f"the project {code(move.base.name)} is now called {code(move.head.name)} in {name.one(move.path)}"


def _staff(move: Move) -> str:
    engines = sum(each.known.facts.role is Role.ENGINE for each in move.services)
    among = f", {counted(engines, 'engine')} among them" if 0 < engines < len(move.services) else ""
    return f"{counted(len(move.services), 'service')}{among}"


class _Alike(Struct, frozen=True):
    """What makes services change alike: what becomes of them, and their edits."""

    kind: ChangeKind
    edits: tuple[Edit, ...]
    role: Role | None  # only where services come or go; edits speak for themselves


def _services(moves: list[Move], name: Namer) -> list[str]:
    groups: dict[_Alike, list[tuple[Move, ServiceMove]]] = {}
    for move in moves:
        for each in move.changed if move.base and move.head else ():
            kind = kind_of(each)
            role = None if kind is ChangeKind.MODIFIED else each.known.facts.role
            groups.setdefault(_Alike(kind, edits(each), role), []).append((move, each))
    ordered = sorted(groups.items(), key=lambda group: _rank(group[1]))
    return [_clause(alike, members, name) for alike, members in ordered]


def kind_of(each: ServiceMove) -> ChangeKind:
    if each.before is None:
        return ChangeKind.ADDED
    return ChangeKind.REMOVED if each.after is None else ChangeKind.MODIFIED


def _rank(members: list[tuple[Move, ServiceMove]]) -> tuple[int, int]:
    return min(_ORDER.index(each.known.facts.role) for _, each in members), -len(members)


def _clause(alike: _Alike, members: list[tuple[Move, ServiceMove]], name: Namer) -> str:
    services = list(dict.fromkeys(each.name for _, each in members))
    files = name.within(move.path for move, _ in members)
    subject, several = codes(services, MAX_NAMES), len(services) > 1
    if alike.kind is ChangeKind.MODIFIED:
        return f"{subject} in {files} {_told(alike.edits, several)}"
    role = "" if alike.role in (None, Role.OTHER) else f" ({alike.role}{'s' if several else ''})"
    becomes = "new in" if alike.kind is ChangeKind.ADDED else "removed from"
    return f"{subject}{role} {'are' if several else 'is'} {becomes} {files}"


def _told(found: tuple[Edit, ...], several: bool) -> str:
    said = [edit.said(several) for edit in found[:MAX_EDITS]]
    more = len(found) - MAX_EDITS
    return listed([*said, f"has {counted(more, 'more change')}"] if more > 0 else said, MAX_EDITS + 1)


def _resources(moves: list[Move], name: Namer) -> Iterator[str]:
    groups: dict[tuple[str, str, ChangeKind], list[str]] = {}
    for move in moves:
        for line in resources(move):
            if not told_by_services(move, line):
                groups.setdefault((line.kind, line.name, line.change), []).append(move.path)
    for (section, entry, change), paths in groups.items():
        becomes = {
            ChangeKind.ADDED: "is new in",
            ChangeKind.REMOVED: "is removed from",
            ChangeKind.MODIFIED: "changes in",
        }[change]
        yield f"the {_SINGULAR[section]} {code(entry)} {becomes} {name.within(paths)}"
