"""What a deploy will do: operations, each with its cause."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.model.place import Place


class PlanKind(StrEnum):
    WARM = "warm"  # the same project, from base to head
    COLD = "cold"  # from nothing to head
    SWITCH = "switch"  # a host moves from one file to another


class Verb(StrEnum):
    CREATE = "create"
    RECREATE = "recreate"
    REMOVE_ORPHAN = "remove-orphan"
    RESTART = "restart"
    RERUN = "rerun"
    KEEP = "keep"
    KEEP_STALE = "keep-stale"
    KEEP_UNMANAGED = "keep-unmanaged"
    CONFLICT = "conflict"  # cannot be created: something else holds its name


@dataclass(frozen=True, slots=True)
class Operation:
    service: str
    verb: Verb
    cause: str
    at: Place | None = None
    stop_seconds: float | None = None  # when a container stops
    changed: bool = False  # a rerun whose definition changed, as against one that merely runs again


@dataclass(frozen=True, slots=True)
class Plan:
    path: str
    kind: PlanKind
    command: str
    operations: tuple[Operation, ...]
    before: str = ""  # the file that was deployed, for a switch

    def of(self, *verbs: Verb) -> tuple[str, ...]:
        """The services that one of these verbs happens to."""
        return tuple(operation.service for operation in self.operations if operation.verb in verbs)


class PrerequisiteKind(StrEnum):
    VARIABLE = "variable"
    DISK = "disk"
    IMAGE = "image"
    VOLUME = "volume"
    NETWORK = "network"
    PORT = "port"


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """Something the operator must see to before the deploy."""

    kind: PrerequisiteKind
    text: str
    at: Place
