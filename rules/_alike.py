"""One change made to the same service of several files, and the files whose service it would fit as well."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, ServiceMove
from bot.model.project import Project
from bot.model.service import Service
from bot.model.value import Value

# Settings of one deployment, of one file's models or of one host are expected to differ from file to file.
_OWN = {"command", "entrypoint", "image", "container_name", "ports", "depends_on", "configs", "deploy", "profiles"}


class Alike(Struct, frozen=True):
    """A value that went from one text to another in several files; None where there is none."""

    service: str
    path: tuple[str, ...]
    old: str | None
    new: str | None
    done: tuple[tuple[Project, Service], ...]
    left: tuple[tuple[Project, Service], ...]

    @property
    def identity(self) -> tuple[str, ...]:
        return (self.service, *self.path, self.old or "", self.new or "")

    @property
    def name(self) -> str:
        return ".".join(self.path)


def changes_alike(change: Change) -> Iterator[Alike]:
    """Changes made in at least two files, and left out in fewer files than they were made in."""
    found: dict[tuple[str, tuple[str, ...], str | None, str | None], list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            if move.head is not None and each.before is not None and each.after is not None:
                for path, old, new in _differences(each):
                    found.setdefault((each.name, path, old, new), []).append((move.head, each.after))
    touched = {path for move in change.moves for path in (move.head.files if move.head else ())}
    for (name, path, old, new), done in found.items():
        left = [
            (project, service)
            for project in change.head.projects.values()
            if project.path not in touched and _beside(project, done)
            for service in [project.services.get(name)]
            if service is not None and _same_program(service, done[0][1]) and _text(service.value.get(*path)) == old
        ]
        if len(done) > 1 and 0 < len(left) < len(done):
            yield Alike(name, path, old, new, tuple(done), tuple(left))


def _differences(each: ServiceMove) -> Iterator[tuple[tuple[str, ...], str | None, str | None]]:
    """Paths of one or two keys whose values differ, with both as text."""
    assert each.before is not None
    assert each.after is not None
    before, after = each.before.value, each.after.value
    for field in each.fields:
        if field in _OWN:
            continue
        old, new = before.get(field), after.get(field)
        keys = {**before.mapping(field), **after.mapping(field)}
        paths = [(field, key) for key in keys] if keys and field != "healthcheck" else [(field,)]
        for path in paths:
            old, new = before.get(*path), after.get(*path)
            if _text(old) != _text(new):
                yield path, _text(old), _text(new)


def _text(value: Value | None) -> str | None:
    return None if value is None else json.dumps(value.plain(), sort_keys=True, default=str)


def _same_program(one: Service, other: Service) -> bool:
    mine, its = one.facts.image, other.facts.image
    return mine is not None and its is not None and mine.name == its.name


def _beside(project: Project, done: list[tuple[Project, Service]]) -> bool:
    folder = project.path.rpartition("/")[0]
    return any(folder == other.path.rpartition("/")[0] for other, _ in done)
