"""A web server is kept while the service it sends requests to gets another address.

nginx resolves a host name that stands literally in `proxy_pass` once, when it starts. A recreated container may get
another address, and two that are recreated together can swap theirs: the server then answers 502, or asks the wrong
model, until it is reloaded. The first `up` always works, so it survives every test. A note where the command reloads
nginx from time to time.

## Before

```yaml
services:
  nginx:
    image: registry.example/nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
  engine:
    image: registry.example/engine:1
configs:
  site:
    content: |
      server { listen 80; location / { proxy_pass http://engine:8000; } }
```

## Flagged

```yaml
services:
  nginx:
    image: registry.example/nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
  engine:
    image: registry.example/engine:2
configs:
  site:
    content: |
      server { listen 80; location / { proxy_pass http://engine:8000; } }
```

## Accepted: nginx is recreated too

```yaml
services:
  nginx:
    image: registry.example/nginx:2
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
  engine:
    image: registry.example/engine:2
configs:
  site:
    content: |
      server { listen 80; location / { proxy_pass http://engine:8000; } }
```

## Accepted: it asks to be restarted with it

```yaml
services:
  nginx:
    image: registry.example/nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
    depends_on:
      engine: {condition: service_started, restart: true}
  engine:
    image: registry.example/engine:2
configs:
  site:
    content: |
      server { listen 80; location / { proxy_pass http://engine:8000; } }
```

## Accepted: resolved at each request

```yaml
services:
  nginx:
    image: registry.example/nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
  engine:
    image: registry.example/engine:2
configs:
  site:
    content: |
      server { listen 80; resolver 127.0.0.11; set $$up http://engine:8000; location / { proxy_pass $$up; } }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, Deploy
from bot.model.facts import Upstream
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Verb
from bot.model.service import Service
from bot.model.text import code, codes, command, counted
from bot.rulebook import rule

_RELOAD = re.compile(r"\bnginx\s+-s\s+reload\b")
_EVERY = re.compile(r"\bsleep\s+(\d+[smhd]?)\b")


class _Stale(Struct, frozen=True):
    """A web server that is kept, with the fixed addresses of services that are recreated."""

    flags: str
    service: Service
    addresses: tuple[tuple[Upstream, str], ...]
    every: str  # how often its own command reloads it


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    found = [each for deploy in change.deploys for each in _stale(deploy)]
    for level, some in (
        (Level.WARNING, [each for each in found if not each.every]),
        (Level.NOTE, [each for each in found if each.every]),
    ):
        if some:
            yield _found(some, level)


def _stale(deploy: Deploy) -> Iterator[_Stale]:
    names = _hosts(deploy, set(deploy.plan.of(Verb.RECREATE, Verb.CREATE)))
    for each in deploy.plan.doing(Verb.KEEP, Verb.KEEP_STALE):
        service = deploy.head.services[each.service]
        addresses = [(up, names[up.host]) for up in service.facts.upstreams if up.literal and up.host in names]
        if addresses:
            yield _Stale(deploy.plan.flags, service, tuple(addresses), _reloaded(service))


def _hosts(deploy: Deploy, moved: set[str]) -> dict[str, str]:
    """The names under which services with a new container are reached, with the service."""
    found: dict[str, str] = {}
    for name in sorted(moved):
        service = deploy.head.services[name]
        aliases = [
            alias.as_text
            for network in service.value.mapping("networks").values()
            for alias in network.sequence("aliases")
        ]
        found |= dict.fromkeys(filter(None, (name, service.container_name, *aliases)), name)
    return found


def _found(stale: list[_Stale], level: Level) -> Found:
    first = stale[0]
    names = sorted({name for each in stale for _, name in each.addresses})
    servers = list(dict.fromkeys(each.service.name for each in stale))
    one = len(names) == 1
    where = f" in {counted(len(stale), 'file')}" if len(stale) > 1 else ""
    it, is_ = ("it", "is") if len(servers) == 1 else ("they", "are")
    until = f"until {it} {is_} reloaded" + (f", up to {first.every} later" if first.every else "")
    wrong = "" if one else ", or reach the wrong one of them"
    reload = command("docker compose", first.flags, "exec", first.service.name, "nginx -s reload")
    return Found(
        at=first.addresses[0][0].at,
        about=(*servers, *names),
        title="A web server keeps the old address of what is recreated",
        says=(
            f"{codes(servers)} {is_} kept{where} while {codes(names)} {'is' if one else 'are'} recreated: {it} resolved "
            f"{'that name' if one else 'those names'} when {it} started, and may answer 502{wrong}, {until}."
        ),
        do=f"Run {reload} after the deploy, or name the host in a variable with a `resolver`."
        if reload
        else f"Reload {'it' if len(servers) == 1 else 'them'} after the deploy.",
        service=servers[0] if len(servers) == 1 else None,
        related=tuple(
            Related(up.at, f"a fixed address of {code(name)}") for each in stale for up, name in each.addresses
        ),
        level=level,
    )


def _reloaded(service: Service) -> str:
    """How often the service's own command reloads it; empty where it does not."""
    text = " ".join(part.as_text for name in ("entrypoint", "command") for part in service.argv(name))
    wait = _EVERY.search(text)
    return wait[1] if wait is not None and _RELOAD.search(text) else ""
