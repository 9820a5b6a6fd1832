"""An inline config changes, but the deploy recreates nothing.

Docker Compose decides by a hash of the service whether a container is recreated, and the text of a config is not
in it: `up` says "Running", and the container keeps the file it was created with. People believe that the change is
live. Measured with docker compose 2.40.3 and 5.6.1; a service that is recreated or started in the same deploy
for another reason does get the new text. A note where only telemetry or maintenance is concerned.

## Before

```yaml
services:
  edge:
    image: registry.example/nginx:1
    configs: [{source: edge_conf, target: /etc/nginx/conf.d/default.conf}]
configs:
  edge_conf:
    content: |
      server { listen 80; location / { proxy_read_timeout 60s; } }
```

## Flagged

```yaml
services:
  edge:
    image: registry.example/nginx:1
    configs: [{source: edge_conf, target: /etc/nginx/conf.d/default.conf}]
configs:
  edge_conf:
    content: |
      server { listen 80; location / { proxy_read_timeout 600s; } }
```

## Accepted: another key, so that the service changes

```yaml
services:
  edge:
    image: registry.example/nginx:1
    configs: [{source: edge_conf_2, target: /etc/nginx/conf.d/default.conf}]
configs:
  edge_conf_2:
    content: |
      server { listen 80; location / { proxy_read_timeout 600s; } }
```

## Accepted: the service is recreated anyway

```yaml
services:
  edge:
    image: registry.example/nginx:2
    configs: [{source: edge_conf, target: /etc/nginx/conf.d/default.conf}]
configs:
  edge_conf:
    content: |
      server { listen 80; location / { proxy_read_timeout 600s; } }
```

## Accepted: the text says that it is forced

```yaml
services:
  edge:
    image: registry.example/nginx:1
    configs: [{source: edge_conf, target: /etc/nginx/conf.d/default.conf}]
configs:
  edge_conf:
    content: |
      server { listen 80; location / { proxy_read_timeout 600s; } }
```

```text
Longer reads through the edge

Deploy with `--force-recreate edge`.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.change import Change, Deploy
from bot.model.facts import Role
from bot.model.finding import Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.plan import Verb
from bot.model.text import code, codes, command, counted
from bot.rulebook import rule

_SLIGHT = frozenset({Role.TELEMETRY, Role.MAINTENANCE})
_FORCED = re.compile(r"force[-_ ]?recreat\w*+(?!['\"`]?\s*[:=]\s*false)", re.IGNORECASE)


@dataclass(frozen=True)
class _Stale:
    deploy: Deploy
    key: str
    services: tuple[str, ...]

    @property
    def slight(self) -> bool:
        """Whether nobody is served worse: what watches or tidies up."""
        return all(self.deploy.head.services[name].facts.role in _SLIGHT for name in self.services)


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    stale = [each for deploy in change.deploys for each in _stale(deploy)]
    if not stale:
        return
    said = _said(change)
    if said:
        yield Excluded(stale[0].deploy.plan.path, "pull request text", said)
    else:
        yield _found(change, stale)


def _stale(deploy: Deploy) -> Iterator[_Stale]:
    users: dict[str, list[str]] = {}
    for each in deploy.plan.doing(Verb.KEEP_STALE):
        for key in each.fields:
            users.setdefault(key, []).append(each.service)
    for key, services in users.items():
        yield _Stale(deploy, key, tuple(services))


def _said(change: Change) -> str:
    """The line in which the author says that containers are forced to be recreated."""
    for _, text in change.pull.texts:
        for line in text.split("\n"):
            if _FORCED.search(line):
                return line.strip()
    return ""


def _found(change: Change, stale: list[_Stale]) -> Found:
    keys = list(dict.fromkeys(each.key for each in stale))
    services = list(dict.fromkeys(name for each in stale for name in each.services))
    paths = list(dict.fromkeys(each.deploy.plan.path for each in stale))
    where = f" in {counted(len(paths), 'file')}" if len(paths) > 1 else ""
    forced = command(*_forced(paths), *services)
    return Found(
        at=_place(change, stale[0]),
        about=tuple(sorted(keys)),
        title="An inline config changes, but no container picks it up",
        says=(
            f"{codes(keys)} {'changes' if len(keys) == 1 else 'change'}{where}, but `up` does not look at a config's text (docker "
            f"compose 2.40 and 5.6): {codes(services)} {'keeps' if len(services) == 1 else 'keep'} running with the old one."
        ),
        do=f"Run {forced} after the deploy, or give the config another key."
        if forced
        else "Recreate the service by force.",
        service=services[0] if len(services) == 1 else None,
        related=tuple(Related(_place(change, each), f"{code(each.key)} of {codes(each.services)}") for each in stale),
        level=Level.NOTE if all(each.slight for each in stale) else Level.WARNING,
    )


def _forced(paths: list[str]) -> tuple[str, ...]:
    named = ("-f", paths[0]) if len(paths) == 1 else ()
    return ("docker compose", *named, "up -d --force-recreate")


def _place(change: Change, each: _Stale) -> Place:
    config = each.deploy.head.configs[each.key]
    return change.narrowed((config.get("content") or config).whole)
