"""A longer grace period does not hold for the deploy that brings it.

How long a container gets to stop is stored in it when it is created. The deploy that raises `stop_grace_period`
recreates the service, and stops the running container by the old value, Docker's 10 seconds where none was set: what
the new value is meant to protect is cut off once more. The same holds for a service that a new one replaces.

## Before

```yaml
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
```

## Accepted: shorter than before

```yaml
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5s
```

## Accepted: the container is a new one

```yaml
services:
  engine:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
  other:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Deploy
from bot.model.duration import spoken
from bot.model.facts import Role
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Verb
from bot.model.service import Service
from bot.model.text import codes, command
from bot.rulebook import rule

# What holds requests or data that a hard stop loses.
_LOSES = frozenset({Role.ENGINE, Role.DATABASE})


@rule(Change, level=Level.NOTE)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        groups: dict[tuple[float, float], list[Service]] = {}
        for each in deploy.plan.doing(Verb.RECREATE):
            after = deploy.head.services[each.service]
            if each.stop_seconds is not None and after.stop_seconds > each.stop_seconds:
                groups.setdefault((each.stop_seconds, after.stop_seconds), []).append(after)
        for (old, new), services in groups.items():
            yield _found(deploy, old, new, services)


def _found(deploy: Deploy, old: float, new: float, services: list[Service]) -> Found:
    names = [service.name for service in services]
    one = len(names) == 1
    places = [(service.value.get("stop_grace_period") or service.value).whole for service in services]
    stop = command(f"docker compose {deploy.plan.flags} stop -t {round(new)}", *names)
    return Found(
        at=places[0],
        about=tuple(sorted(names)),
        title="A longer grace period is not in force yet",
        says=(
            f"{codes(names)} {'gets' if one else 'get'} {spoken(new)} to stop, but the running "
            f"{'container is' if one else 'containers are'} still stopped within {spoken(old)} by this deploy: the new value counts from the next container on."
        ),
        do=f"To give {'it' if one else 'them'} the time now, run {stop} first."
        if stop
        else "Stop it by hand with the longer time first.",
        service=names[0] if one else None,
        related=tuple(Related(at, "the new value") for at in places),
        level=Level.WARNING if any(service.facts.role in _LOSES for service in services) else Level.NOTE,
    )
