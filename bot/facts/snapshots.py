"""Paths into a hub's cache: `…/models--org--name/snapshots/<revision>/file`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.facts import Snapshot
from bot.model.service import Service
from bot.model.value import Value

_PATH = re.compile(r"models--(?P<name>[\w.-]+)/snapshots/(?P<revision>[\w.-]+)(?P<file>/[^\s\"',;:]*)?")


def snapshots(service: Service) -> tuple[Snapshot, ...]:
    """Every snapshot path that the service's command line, environment, mounts and inline configs name, once."""
    found: dict[tuple[str, str], Snapshot] = {}
    for value in _texts(service):
        text = value.as_text
        if "/snapshots/" not in text:
            continue
        place = value.placer()
        for match in _PATH.finditer(text):
            organisation, _, name = match["name"].partition("--")
            repository = f"{organisation}/{name}" if name else organisation
            each = Snapshot(repository, match["revision"], (match["file"] or "").strip("/"), place(match.start()))
            found.setdefault((each.ref, str(each.at)), each)
    return tuple(found.values())


def _texts(service: Service) -> Iterator[Value]:
    for name in ("entrypoint", "command"):
        yield from service.argv(name)
    yield from service.environment.values()
    for mount in service.value.sequence("volumes"):
        for part in (mount.get("source"), mount.get("target")):
            if part is not None:
                yield part
    for name in service.bodies:
        content = service.configs[name].get("content")
        if content is not None:
            yield content
