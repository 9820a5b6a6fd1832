"""An address names a service that is not there, a port on which nobody listens, or a file that is gone.

Within a project, services find each other by name. A name that no service, container or alias bears resolves to
nothing, and the caller notices at the first request, or at start. A port counts as wrong where the engine's command
states another one, or where this change moved it. Files that the change renames or deletes are looked for in
workflows, scripts and the comments and values of other files.

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

## Before: an engine on a port

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine:
    image: vllm/vllm-openai:v1
    command: --model acme/mini --port 8000
```

## Flagged: the port moved and its caller stayed

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine:
    image: vllm/vllm-openai:v1
    command: --model acme/mini --port 8001
```

## Accepted: both moved

```yaml
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8001"}
  engine:
    image: vllm/vllm-openai:v1
    command: --model acme/mini --port 8001
```

## Before: a script that a workflow runs

```yaml compose.yaml
services:
  web:
    image: registry.example/web:1
```

```text scripts/check.sh
docker compose config
```

```yaml .github/workflows/check.yml
on: push
jobs: {check: {runs-on: ubuntu-latest, steps: [{run: sh scripts/check.sh}]}}
```

## Flagged: the script is gone

```text scripts/check.sh
gone
```

## Accepted: the workflow goes without it

```text scripts/check.sh
gone
```

```yaml .github/workflows/check.yml
on: push
jobs: {check: {runs-on: ubuntu-latest, steps: [{run: docker compose config}]}}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from bot.model.change import Change, Mention, Move
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.rulebook import rule
from rules._ports import unheard

_LOCAL = {"localhost", "host.docker.internal", "gateway.docker.internal", "host-gateway", "metadata"}

_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc")  # what is told there may be history

_Reference = tuple[tuple[str, str, str], Service, str, Place]


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for move in change.moves:
        yield from _names_of_nobody(move)
        yield from _ports_of_nobody(move)
    yield from _files_that_are_gone(change)


def _names_of_nobody(move: Move) -> Iterator[Found]:
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


def _ports_of_nobody(move: Move) -> Iterator[Found]:
    if move.head is None:
        return
    after = tuple(unheard(move.head, move.base, _names(move.head)))
    before = {each.key for each in unheard(move.base, None, _names(move.base))} if move.base and after else set()
    for each in {each.key: each for each in reversed(after) if each.key not in before}.values():
        listens = codes(sorted(each.listens, key=lambda port: (len(port), port)))
        yield Found(
            at=each.upstream.at,
            about=("port", *each.key[:3]),
            title="An address names a port on which nobody listens",
            says=(
                f"{code(each.caller.name)} asks {code(each.callee.name)} on port {code(each.upstream.port or '')} "
                f"({each.upstream.source}), which listens on {listens}."
            ),
            do="Make the two the same.",
            service=each.caller.name,
            related=(Related(_says_port(each.callee), f"where {code(each.callee.name)} says its port"),),
            certainty=Certainty.LIKELY,
        )


def _says_port(service: Service) -> Place:
    ports = (*(serving.at for serving in service.facts.servings if serving.port), *(port.at for port in service.ports))
    return next(iter(ports), service.at)


def _files_that_are_gone(change: Change) -> Iterator[Found]:
    """One finding for a file, at the first line that this change left alone; documents are docs-drift's."""
    places: dict[str, list[Mention]] = {}
    for each in change.mentions:
        if each.at.file not in change.texts and not each.at.file.endswith(_PROSE) and not change.touched(each.at):
            places.setdefault(each.path, []).append(each)
    for path, named in places.items():
        first, *others = named
        now = f" It is now {code(first.now)}." if first.now is not None else ""
        yield Found(
            at=first.at,
            about=("gone", path),
            title="A file that is gone is still named",
            says=f"{code(first.at.file)} still names {code(path)}, which this change {'renames' if now else 'deletes'}.{now}",
            do="Name the new one, or drop the line." if now else "Drop the line, or name what takes its place.",
            related=tuple(Related(each.at, "named here too") for each in others[:12]),
            certainty=Certainty.SURE if first.sure else Certainty.LIKELY,
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


def _names(project: Project) -> dict[str, Service]:
    """Every name that leads to a service; a service's own comes before what others are called too."""
    found = dict(project.services)
    for service in project.services.values():
        more = [service.container_name or service.name, service.value.text("hostname") or service.name]
        for network in service.value.mapping("networks").values():
            more += [alias.as_text for alias in network.sequence("aliases")]
        for name in more:
            found.setdefault(name, service)
    return found


def _meant(host: str, project: Project) -> bool:
    """Whether a name is so like a service's that it can only mean one."""
    return bool(get_close_matches(host, project.services, n=1, cutoff=0.8))
