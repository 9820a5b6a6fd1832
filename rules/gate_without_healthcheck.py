"""A service waits for the health of another one that has no health check.

`up` then ends with an error, "has no healthcheck configured", and everything behind the gate stays down; `docker compose
config` accepts the file. An image may bring a health check of its own, which cannot be seen here.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
  gateway:
    image: registry.example/gateway:1
    depends_on: [engine]
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
  gateway:
    image: registry.example/gateway:1
    depends_on:
      engine: {condition: service_healthy}
```

## Flagged: switched off

```yaml
services:
  engine:
    image: registry.example/engine:1
    healthcheck: {disable: true}
  gateway:
    image: registry.example/gateway:1
    depends_on:
      engine: {condition: service_healthy}
```

## Accepted

```yaml
services:
  engine:
    image: registry.example/engine:1
    healthcheck: {test: [CMD, curl, -sf, localhost:8000/health]}
  gateway:
    image: registry.example/gateway:1
    depends_on:
      engine: {condition: service_healthy}
```

## Accepted: the start goes on without it

```yaml
services:
  engine:
    image: registry.example/engine:1
  gateway:
    image: registry.example/gateway:1
    depends_on:
      engine: {condition: service_healthy, required: false}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Condition
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for name, edges in project.waiting.items():
        gate = project.services.get(name)
        waiting = [(service, wait) for service, wait in edges if wait.condition is Condition.HEALTHY and wait.required]
        if gate is None or not waiting or (gate.healthcheck is not None and not gate.healthcheck.disabled):
            continue
        off = gate.healthcheck is not None
        down = [service.name for service in project.kept_down_by(name)]
        names = [service.name for service, _ in waiting]
        unless = "" if off else ", unless its image brings one,"
        yield Found(
            at=waiting[0][1].at,
            about=(name,),
            title="A gate waits for the health of a service without a health check",
            says=(
                f"{codes(names)} {'waits' if len(names) == 1 else 'wait'} until {code(name)} is healthy, but its health check is "
                f"{'switched off' if off else 'not there'}: `up`{unless} ends with an error and {codes(down)} {'stays' if len(down) == 1 else 'stay'} down."
            ),
            do=f"Give {code(name)} a `healthcheck`, or wait for its start only.",
            service=name,
            related=tuple(Related(wait.at, f"{code(service.name)} waits") for service, wait in waiting),
            certainty=Certainty.SURE if off else Certainty.LIKELY,
        )
