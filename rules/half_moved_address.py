"""A script's address is moved on one line and stays on another.

When a probe is changed from a service's name to an address that comes in at deploy time, there was a reason: the name may
resolve to a container that is gone. The other probes of the same script, and of the same script in sibling files, have the same
reason.

## Before

```yaml
services:
  engine: {image: registry.example/engine:1}
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      until curl -sf http://engine:8000/ready; do sleep 5; done
      while curl -sf http://engine:8000/v1/models; do sleep 60; done
```

## Flagged

```yaml
services:
  engine: {image: registry.example/engine:1}
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      until curl -sf http://$${HOST_IP}:8000/ready; do sleep 5; done
      while curl -sf http://engine:8000/v1/models; do sleep 60; done
```

## Accepted: both lines

```yaml
services:
  engine: {image: registry.example/engine:1}
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      until curl -sf http://$${HOST_IP}:8000/ready; do sleep 5; done
      while curl -sf http://$${HOST_IP}:8000/v1/models; do sleep 60; done
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, Move
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.text import code, codes
from bot.rulebook import rule

_URL = re.compile(r"https?://(?P<host>\$\{?\w+\}?|[\w.-]+)(?::(?:\$\{?\w+\}?|\d+))?(?P<path>/[\w./-]*)?")


class _Address(Struct, frozen=True):
    host: str
    text: str
    at: Place


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    moved: dict[str, list[tuple[Move, _Address]]] = {}
    for move in change.moves:
        for name, address in _moved(move):
            moved.setdefault(name, []).append((move, address))
    for name, places in moved.items():
        left = [
            (project, address)
            for project in change.head.projects.values()
            if _concerned(project, places)
            for address in _by_service(project, name)
        ]
        stated = {project.path: change.left_out(project.path) for project, _ in left}
        yield from (Excluded(path, each.said_in, each.quote) for path, each in stated.items() if each is not None)
        left = [(project, address) for project, address in left if stated[project.path] is None]
        if left:
            yield _found(name, places, left)


def _moved(move: Move) -> Iterator[tuple[str, _Address]]:
    """Scripts in which an address by service name gave way to one by a variable; with the new one."""
    if move.base is None or move.head is None:
        return
    for name in move.head.configs:
        before, after = _by_service(move.base, name), _by_service(move.head, name)
        known = {address.text for address in _addresses(move.base, name)}
        new = [
            address
            for address in _addresses(move.head, name)
            if address.host.startswith("$") and address.text not in known
        ]
        if len(after) < len(before) and new:
            yield name, new[0]


def _addresses(project: Project, name: str) -> list[_Address]:
    """The addresses that a script asks."""
    content = project.configs[name].get("content") if name in project.configs else None
    if content is None or not content.as_text.lstrip().startswith("#!"):
        return []
    return [
        _Address(found["host"], found.group(), at)
        for line, at in content.lines()
        if not line.lstrip().startswith("#")
        for found in _URL.finditer(line)
    ]


def _by_service(project: Project, name: str) -> list[_Address]:
    return [address for address in _addresses(project, name) if address.host in project.services]


def _concerned(project: Project, places: list[tuple[Move, _Address]]) -> bool:
    """The changed files themselves, and those beside them."""
    folder = project.path.rpartition("/")[0]
    return any(move.head is not None and folder == move.head.path.rpartition("/")[0] for move, _ in places)


def _found(name: str, places: list[tuple[Move, _Address]], left: list[tuple[Project, _Address]]) -> Found:
    moved = places[0][1]
    files = codes(sorted({project.path for project, _ in left}))
    return Found(
        at=left[0][1].at,
        about=(name, moved.text, *sorted({address.text for _, address in left})),
        says=(
            f"{code(name)} now asks {code(moved.text)} where it asked a service by name; "
            f"{code(left[0][1].text)} still does so in {files}."
        ),
        do="Move it too, or say why this one may rely on the name.",
        related=(
            *(Related(address.at, f"asks {code(address.text)}") for _, address in left[1:]),
            *(Related(address.at, "moved here") for _, address in places),
        ),
        certainty=Certainty.LIKELY,
    )
