"""Top-level networks, volumes, configs and secrets that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.model.change import Move
from bot.model.review import ChangeKind, ResourceLine
from bot.model.value import Value

SECTIONS = ("networks", "volumes", "configs", "secrets")


def resources(move: Move) -> Iterator[ResourceLine]:
    """In the order of the sections. A project that is new or gone has none: it differs as a whole."""
    if move.base is None or move.head is None or not move.comparable:
        return
    for kind in SECTIONS:
        old: Mapping[str, Value] = getattr(move.base, kind)
        new: Mapping[str, Value] = getattr(move.head, kind)
        for name in dict.fromkeys((*new, *old)):
            if name not in old:
                yield ResourceLine(move.path, kind, name, ChangeKind.ADDED)
            elif name not in new:
                yield ResourceLine(move.path, kind, name, ChangeKind.REMOVED)
            elif not old[name].same(new[name]):
                yield ResourceLine(move.path, kind, name, ChangeKind.MODIFIED)


def told_by_services(move: Move, line: ResourceLine) -> bool:
    """Whether a config's new content is already told by a service that mounts it."""
    return line.kind == "configs" and any(
        each.before and each.after and each.before.bodies.get(line.name) != each.after.bodies.get(line.name)
        for each in move.changed
    )
