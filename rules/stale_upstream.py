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

from bot.model.change import Change, Deploy
from bot.model.facts import Upstream
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Verb
from bot.model.service import Service
from bot.model.text import code, codes, command
from bot.rulebook import rule

_RELOAD = re.compile(r"\bnginx\s+-s\s+reload\b")
_EVERY = re.compile(r"\bsleep\s+(\d+[smhd]?)\b")


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        moved = set(deploy.plan.of(Verb.RECREATE, Verb.CREATE))
        names = _hosts(deploy, moved)
        for each in deploy.plan.doing(Verb.KEEP, Verb.KEEP_STALE):
            service = deploy.head.services[each.service]
            stale = [(up, names[up.host]) for up in service.facts.upstreams if up.literal and up.host in names]
            if stale:
                yield _found(deploy, service, stale)


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


def _found(deploy: Deploy, service: Service, stale: list[tuple[Upstream, str]]) -> Found:
    names = sorted({name for _, name in stale})
    one = len(names) == 1
    every = _reloaded(service)
    until = f"until it is reloaded, up to {every} later" if every else "until it is reloaded"
    wrong = "" if one else ", or reaches the wrong one of them"
    reload = command(f"docker compose -f {deploy.plan.path} exec", service.name, "nginx -s reload")
    return Found(
        at=stale[0][0].at,
        about=(service.name, *names),
        title="A web server keeps the old address of what is recreated",
        says=(
            f"{code(service.name)} is kept while {codes(names)} {'is' if one else 'are'} recreated: it resolved "
            f"{'that name' if one else 'those names'} when it started, and may answer 502{wrong}, {until}."
        ),
        do=f"Run {reload} after the deploy, or name the host in a variable with a `resolver`."
        if reload
        else "Reload it after the deploy.",
        service=service.name,
        related=tuple(Related(up.at, f"a fixed address of {code(name)}") for up, name in stale),
        level=Level.NOTE if every else Level.WARNING,
    )


def _reloaded(service: Service) -> str:
    """How often the service's own command reloads it; empty where it does not."""
    text = " ".join(part.as_text for name in ("entrypoint", "command") for part in service.argv(name))
    wait = _EVERY.search(text)
    return wait[1] if wait is not None and _RELOAD.search(text) else ""
