"""A health gate gives up before an engine can have loaded its model.

A container counts as unhealthy once its start period is over and the check has failed `retries` times in a row. The
first "unhealthy" ends `up` with an error, and what waits for it stays down although the engine would have become
healthy. A longer `start_period` costs nothing: a check that succeeds ends it early. Held against what other files give engines of this kind.

## Before

```yaml reference.yaml
name: reference
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/large
    healthcheck:
      test: [CMD, curl, -sf, localhost:8000/health]
      interval: 10s
      retries: 3
      start_period: 20m
  gateway:
    image: registry.example/gateway:1
    depends_on: {engine: {condition: service_healthy}}
```

```yaml
name: pack
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/large
  gateway:
    image: registry.example/gateway:1
    depends_on: [engine]
```

## Flagged

```yaml
name: pack
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/large
    healthcheck:
      test: [CMD, curl, -sf, localhost:8000/health]
      interval: 10s
      retries: 3
      start_period: 30s
  gateway:
    image: registry.example/gateway:1
    depends_on: {engine: {condition: service_healthy}}
```

## Accepted: as long as elsewhere

```yaml
name: pack
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/large
    healthcheck:
      test: [CMD, curl, -sf, localhost:8000/health]
      interval: 10s
      retries: 3
      start_period: 20m
  gateway:
    image: registry.example/gateway:1
    depends_on: {engine: {condition: service_healthy}}
```

## Accepted: nobody waits for its health

```yaml
name: pack
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/large
    healthcheck:
      test: [CMD, curl, -sf, localhost:8000/health]
      interval: 10s
      retries: 3
      start_period: 30s
  gateway:
    image: registry.example/gateway:1
    depends_on: [engine]
```

## Accepted: nothing to load

```yaml
name: pack
services:
  api:
    image: registry.example/api:1
    healthcheck:
      test: [CMD, curl, -sf, localhost:8000/health]
      interval: 10s
      retries: 3
  gateway:
    image: registry.example/gateway:1
    depends_on: {api: {condition: service_healthy}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Move
from bot.model.duration import spoken
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Condition, Healthcheck, Service, Wait
from bot.model.text import code, codes
from bot.rulebook import rule

SHORT = 180.0  # seconds within which hardly an engine of several gigabytes has loaded its model
FACTOR = 2  # how many times longer the shortest of its peers must be


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for move in change.moves:
        if move.head is None:
            continue
        for service in move.head.services.values():
            health = _checked(service)
            waits = _waiting(move.head, service)
            if health is None or not waits or service.facts.role is not Role.ENGINE or _stood(move, service, health):
                continue
            peer = _peer(change, move.head, service, health)
            if peer is not None or health.seconds_until_unhealthy < SHORT:
                yield _found(service, health, waits, peer)


def _checked(service: Service) -> Healthcheck | None:
    health = service.healthcheck
    return health if health is not None and not health.disabled else None


def _waiting(project: Project, gate: Service) -> list[tuple[Service, Wait]]:
    return [
        (service, wait)
        for service, wait in project.waiting.get(gate.name, ())
        if wait.condition is Condition.HEALTHY and wait.required
    ]


def _stood(move: Move, service: Service, health: Healthcheck) -> bool:
    """Whether the gate was there before and gave no more time."""
    before = move.base.services.get(service.name) if move.base is not None else None
    if before is None or move.base is None or not _waiting(move.base, before):
        return False
    old = _checked(before)
    return old is not None and old.seconds_until_unhealthy <= health.seconds_until_unhealthy


def _peer(change: Change, own: Project, service: Service, health: Healthcheck) -> Service | None:
    """The engine most like this one whose check is the shortest, if even that one gets far more time."""
    models = {identity for serving in service.facts.servings for identity in serving.identities}
    alike: list[tuple[bool, float, Service]] = []
    for project, other in change.head.services:
        checked = _checked(other)
        if (
            checked is None
            or other.facts.role is not Role.ENGINE
            or (project.path, other.name) == (own.path, service.name)
        ):
            continue
        same = bool(models & {identity for serving in other.facts.servings for identity in serving.identities})
        alike.append((not same, checked.seconds_until_unhealthy, other))
    if not alike:
        return None
    _, seconds, peer = min(alike, key=lambda each: each[:2])
    return peer if seconds >= FACTOR * health.seconds_until_unhealthy else None


def _found(service: Service, health: Healthcheck, waits: list[tuple[Service, Wait]], peer: Service | None) -> Found:
    names = [other.name for other, _ in waits]
    own = spoken(health.seconds_until_unhealthy)
    other = _checked(peer) if peer is not None else None
    beside = (
        f"; {code(other.at.file)} gives {code(peer.name)} {spoken(other.seconds_until_unhealthy)}"
        if peer and other
        else ""
    )
    return Found(
        at=health.at,
        about=(service.name,),
        title="A health gate is shorter than a model takes to load",
        says=(
            f"{code(service.name)} is unhealthy after {own} ({spoken(health.start_period)} + {health.retries} x "
            f"{spoken(health.interval)}){beside}. If its model loads longer, `up` ends with an error and {codes(names)} "
            f"{'stays' if len(names) == 1 else 'stay'} down."
        ),
        do="Give it a longer `start_period`: it ends early with the first check that succeeds.",
        service=service.name,
        related=(
            *(Related(wait.at, f"{code(other.name)} waits for its health") for other, wait in waits),
            *(
                [Related(other.at, f"{code(peer.name)}: {spoken(other.seconds_until_unhealthy)}")]
                if peer and other
                else []
            ),
        ),
        certainty=Certainty.SURE if peer is not None else Certainty.LIKELY,
    )
