"""An address names a service that is not there.

Within a project, services find each other by name. A name that no service, container or alias bears resolves to
nothing, and the caller notices at the first request, or at start.

## Before

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine:
    image: registry.example/engine:1
```

## Flagged

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine-r1:
    image: registry.example/engine:1
```

## Accepted

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine-r1:8000"}
  engine-r1:
    image: registry.example/engine:1
```

## Accepted: the name is an alias

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine-r1:
    image: registry.example/engine:1
    networks: {default: {aliases: [engine]}}
```

## Accepted: a host outside

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000", LOG_URL: "https://logs.example.com"}
  engine:
    image: registry.example/engine:1
```
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from bot.model.change import Move
from bot.model.finding import Found, Level, Outcome
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule

_LOCAL = {"localhost", "host.docker.internal", "gateway.docker.internal", "host-gateway", "metadata"}

_Reference = tuple[tuple[str, str, str], Service, str, Place]


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    if move.head is None:
        return
    after = tuple(_dangling(move.head))
    before = {key for key, *_ in _dangling(move.base)} if move.base and after else set()
    gone = set(move.base.services) - set(move.head.services) if move.base else set()
    seen: set[tuple[str, str]] = set()
    for key, service, host, at in after:
        if key in before or (service.name, host) in seen:
            continue
        if host not in gone and not _meant(host, move.head):
            continue  # a name of the host's own network: nothing here says that it must be a service
        seen.add((service.name, host))
        close = get_close_matches(host, move.head.services, n=1)
        yield Found(
            at=at,
            about=(service.name, host),
            says=f"{code(service.name)} talks to {code(host)} ({key[2]}); no service of {code(move.path)} has that name"
            + (", which this change removes." if host in gone else "."),
            do=f"Did you mean {code(close[0])}?" if close else "Name the service that answers now.",
            service=service.name,
        )


def _dangling(project: Project) -> Iterator[_Reference]:
    known = _names(project)
    for service in project.services.values():
        extra = {entry.as_text.split(":", 1)[0].split("=", 1)[0] for entry in service.value.sequence("extra_hosts")}
        extra |= set(service.value.mapping("extra_hosts"))
        links = {link.as_text.rsplit(":", 1)[-1] for link in service.value.sequence("links")}
        for upstream in service.facts.upstreams:
            host = upstream.host
            if "." in host or "$" in host or host.lower() in _LOCAL or host in known or host in extra | links:
                continue
            yield (service.name, host, upstream.source), service, host, upstream.at
        for scrape in service.facts.scrapes:
            if (
                "." not in scrape.host
                and scrape.host not in known
                and scrape.host.lower() not in _LOCAL
                and "$" not in scrape.host
            ):
                yield (service.name, scrape.host, "a scrape target"), service, scrape.host, scrape.at


def _names(project: Project) -> set[str]:
    found = set(project.services)
    for service in project.services.values():
        found.add(service.container_name or service.name)
        found.add(service.value.text("hostname") or service.name)
        for network in service.value.mapping("networks").values():
            found.update(alias.as_text for alias in network.sequence("aliases"))
    return found


def _meant(host: str, project: Project) -> bool:
    """Whether a name is so like a service's that it can only mean one."""
    return bool(get_close_matches(host, project.services, n=1, cutoff=0.8))
