"""A GPU exporter watches other devices than its engine runs on.

An exporter beside each engine is told which devices to watch. When an engine moves to other GPUs, or to fewer, and
its exporter stays, the dashboards of that model show idle cards, and those of its neighbour show its load. Which exporter
belongs to which engine is read from their names; where names do not say it, one exporter for all engines of a file is
held to the devices of all of them.

## Before

```yaml
services:
  engine-meadow:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1", "2", "3"], capabilities: [gpu]}]}}}
  dcgm-meadow:
    image: registry.example/dcgm-exporter:4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1", "2", "3"], capabilities: [gpu]}]}}}
```

## Flagged

```yaml
services:
  engine-meadow:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  dcgm-meadow:
    image: registry.example/dcgm-exporter:4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1", "2", "3"], capabilities: [gpu]}]}}}
```

## Accepted: both moved

```yaml
services:
  engine-meadow:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  dcgm-meadow:
    image: registry.example/dcgm-exporter:4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["1", "0"], capabilities: [gpu]}]}}}
```

## Accepted: the exporter of two replicas

```yaml
services:
  engine-meadow-1:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  engine-meadow-2:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["2", "3"], capabilities: [gpu]}]}}}
  dcgm-meadow:
    image: registry.example/dcgm-exporter:4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1", "2", "3"], capabilities: [gpu]}]}}}
```

## Accepted: it watches them all

```yaml
services:
  engine-meadow:
    image: vllm/vllm-openai:v1
    command: acme/meadow --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  dcgm-meadow:
    image: registry.example/dcgm-exporter:4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: all, capabilities: [gpu]}]}}}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Move
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.rulebook import rule

_NAME = re.compile(r"[-_.]+")
# Words of names that say what a thing is, not whose it is.
_GENERAL = frozenset(
    {"model", "engine", "exporter", "gpu", "dcgm", "nvidia", "metrics", "monitor", "vllm", "sglang", "sg"}
)


class _Watch(Struct, frozen=True):
    """An exporter, the engines that it is for, and the devices of both."""

    exporter: Service
    engines: tuple[Service, ...]

    @property
    def watched(self) -> frozenset[str]:
        return _devices(self.exporter)

    @property
    def used(self) -> frozenset[str]:
        return frozenset[str]().union(*(_devices(each) for each in self.engines))

    @property
    def differs(self) -> bool:
        return self.watched != self.used


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    before = {each.exporter.name: each for each in _watches(move.base)} if move.base is not None else {}
    for watch in _watches(move.head) if move.head is not None else ():
        old = before.get(watch.exporter.name)
        # One that never was the engine's mirror has its reasons.
        if watch.differs and (old is None or not old.differs):
            yield _found(watch)


def _watches(project: Project) -> list[_Watch]:
    pinned = [each for each in project.services.values() if _devices(each) and not each.profiles]
    engines = [each for each in pinned if each.facts.role is Role.ENGINE]
    exporters = [each for each in pinned if each.facts.role is Role.TELEMETRY]
    belongs = {each.name: _exporter_of(each, exporters) for each in engines}
    if len(exporters) == 1 and not any(belongs.values()):
        return [_Watch(exporters[0], tuple(engines))] if engines else []
    found = [
        _Watch(exporter, tuple(each for each in engines if belongs[each.name] is exporter)) for exporter in exporters
    ]
    return [each for each in found if each.engines]


def _exporter_of(engine: Service, exporters: list[Service]) -> Service | None:
    """The one whose name says most of what the engine's name says, and nothing else."""
    own = _words(engine)
    fitting = [each for each in exporters if _words(each) and _words(each) <= own]
    return max(fitting, key=lambda each: len(_words(each)), default=None)


def _words(service: Service) -> frozenset[str]:
    return frozenset(_NAME.split(service.name.lower())) - _GENERAL - {""}


def _devices(service: Service) -> frozenset[str]:
    return frozenset(device for reservation in service.reservations for device in reservation.device_ids)


def _found(watch: _Watch) -> Found:
    watched, used = (
        ", ".join(sorted(each, key=lambda device: (len(device), device))) for each in (watch.watched, watch.used)
    )
    names = codes(each.name for each in watch.engines)
    return Found(
        at=watch.exporter.reservations[0].at,
        about=(watch.exporter.name, watched, used),
        says=f"{code(watch.exporter.name)} watches GPU {code(watched)}; {names} {'runs' if len(watch.engines) == 1 else 'run'} on {code(used)}.",
        do="Give the exporter the engine's devices.",
        service=watch.exporter.name,
        related=tuple(Related(each.reservations[0].at, f"the devices of {code(each.name)}") for each in watch.engines),
        certainty=Certainty.LIKELY,
    )
