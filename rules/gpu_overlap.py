"""Two engines reserve the same GPU.

Compose does not share out devices: both containers see the card, and the second engine to start finds the memory
taken. Engines that state a share of the memory which adds up to less than one card are left alone.

## Before

```yaml
services:
  engine-a:
    image: registry.example/engine:1
    command: serve --model acme/mini
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
```

## Flagged

```yaml
services:
  engine-a:
    image: registry.example/engine:1
    command: serve --model acme/mini
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
  engine-b:
    image: registry.example/engine:1
    command: serve --model acme/large
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
```

## Accepted: they share the memory

```yaml
services:
  engine-a:
    image: registry.example/engine:1
    command: serve --model acme/mini --gpu-memory-utilization 0.4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
  engine-b:
    image: registry.example/engine:1
    command: serve --model acme/large --gpu-memory-utilization 0.5
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
```

## Accepted: telemetry looks at every card

```yaml
services:
  engine-a:
    image: registry.example/engine:1
    command: serve --model acme/mini
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
  gpu-metrics:
    image: registry.example/dcgm-exporter:1
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Move
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.rulebook import rule

# What engines call the share of a card's memory they take.
_SHARES = ("--gpu-memory-utilization", "--mem-fraction-static", "--cuda-memory-fraction")


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    head = _sharing(move.head) if move.head is not None else {}
    before = _sharing(move.base) if move.base is not None and head else {}
    shared: dict[tuple[str, ...], list[str]] = {}
    for device, engines in head.items():
        # A device that as many shared before is shared on purpose, whatever they are called now.
        if len(engines) > max(len(before.get(device, ())), 1):
            shared.setdefault(tuple(engine.name for engine in engines), []).append(device)
    for names, devices in shared.items():
        engines = head[devices[0]]
        ids = ", ".join(sorted(devices))
        yield Found(
            at=engines[-1].reservations[0].at,
            about=(ids, *sorted(names)),
            says=f"{codes(names)} {'both' if len(names) == 2 else 'all'} reserve GPU {code(ids)}.",
            do="Give each its own devices, or state for each a share of the memory that fits.",
            service=engines[-1].name,
            related=tuple(
                Related(each.reservations[0].at, f"{code(each.name)} reserves it too") for each in engines[:-1]
            ),
            certainty=Certainty.LIKELY,
        )


def _sharing(project: Project) -> dict[str, list[Service]]:
    """For each device, the engines that reserve it and do not state shares of its memory that fit together."""
    found: dict[str, list[Service]] = {}
    for service in project.services.values():
        if not service.profiles:
            for device in _devices(service):
                found.setdefault(device, []).append(service)
    together = {device: _engines(services) for device, services in found.items() if len(services) > 1}
    return {device: engines for device, engines in together.items() if len(engines) > 1 and not _fit(engines)}


def _engines(services: list[Service]) -> list[Service]:
    return [service for service in services if service.facts.role is Role.ENGINE]


def _fit(engines: list[Service]) -> bool:
    shares = [_share(engine) for engine in engines]
    return all(share is not None for share in shares) and sum(share or 0 for share in shares) <= 1


def _devices(service: Service) -> set[str]:
    return {device for reservation in service.reservations for device in reservation.device_ids}


def _share(service: Service) -> float | None:
    for serving in service.facts.servings:
        for name in _SHARES:
            for flag in serving.flags.get(name, ()):
                try:
                    return float(flag.value or "")
                except ValueError:
                    return None
    return None
