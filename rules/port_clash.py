"""Two services publish the same host port.

Docker gives a host port to one container: the second one fails to start, and `up` ends with an error. Compose itself
accepts the file.

## Before

```yaml
services:
  web: {image: registry.example/web:1, ports: ["8000:80"]}
```

## Flagged

```yaml
services:
  web: {image: registry.example/web:1, ports: ["8000:80"]}
  api: {image: registry.example/api:1, ports: ["8000:8080"]}
```

## Accepted: different addresses

```yaml
services:
  web: {image: registry.example/web:1, ports: ["10.0.0.1:8000:80"]}
  api: {image: registry.example/api:1, ports: ["10.0.0.2:8000:8080"]}
```

## Accepted: never together

```yaml
services:
  web: {image: registry.example/web:1, ports: ["8000:80"]}
  api: {image: registry.example/api:1, profiles: [manual], ports: ["8000:8080"]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Port, Service
from bot.model.text import code
from bot.rulebook import rule

_EVERY = {None, "", "0.0.0.0", "::"}


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    taken: dict[tuple[str, str], list[tuple[Service, Port]]] = {}
    for service in project.services.values():
        for port in service.ports:
            if not port.published or not port.published.isdecimal():
                continue  # a range is left to the engine, a variable to the deploy
            others = taken.setdefault((port.published, port.protocol), [])
            for other, theirs in others:
                if _together(service, other) and _same_address(port, theirs):
                    yield Found(
                        at=port.at,
                        about=(port.published, port.protocol, *sorted((service.name, other.name))),
                        says=f"{code(service.name)} and {code(other.name)} both publish host port {code(port.published)}.",
                        do="Give one of them another host port.",
                        service=service.name,
                        related=(Related(theirs.at, f"{code(other.name)} publishes it too"),),
                    )
                    break
            others.append((service, port))


def _together(one: Service, other: Service) -> bool:
    """Whether both can run at once: behind profiles of their own they need not."""
    if one is other:
        return True
    return (not one.profiles and not other.profiles) or bool(set(one.profiles) & set(other.profiles))


def _same_address(one: Port, other: Port) -> bool:
    return one.host_ip == other.host_ip or one.host_ip in _EVERY or other.host_ip in _EVERY
