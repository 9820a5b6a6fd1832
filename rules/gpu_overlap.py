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
from itertools import combinations

from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule

# What engines call the share of a card's memory they take.
_SHARES = ("--gpu-memory-utilization", "--mem-fraction-static", "--cuda-memory-fraction")


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    engines = [service for service in project.services.values() if service.facts.role is Role.ENGINE]
    for one, other in combinations(engines, 2):
        shared = _devices(one) & _devices(other)
        if (
            not shared
            or (one.profiles and not set(one.profiles) & set(other.profiles))
            or (other.profiles and not one.profiles)
        ):
            continue
        shares = (_share(one), _share(other))
        if None not in shares and sum(share or 0 for share in shares) <= 1:
            continue
        ids = ", ".join(sorted(shared))
        yield Found(
            at=other.reservations[0].at,
            about=(*sorted((one.name, other.name)), ids),
            says=f"{code(one.name)} and {code(other.name)} both reserve GPU {code(ids)}.",
            do="Give each its own devices, or state for both a share of the memory that fits.",
            service=other.name,
            related=(Related(one.reservations[0].at, f"{code(one.name)} reserves it too"),),
            certainty=Certainty.LIKELY,
        )


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
