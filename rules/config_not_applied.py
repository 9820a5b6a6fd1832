"""An inline config changes, but the deploy recreates nothing.

Docker Compose decides by a hash of the service whether a container is recreated, and the text of a config is not
in it: `up` says "Running", and the container keeps the file it was created with. People believe that the change is
live. Measured with docker compose 2.40.3 and 5.6.1; a service that is recreated or started in the same deploy
for another reason does get the new text.

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

from bot.model.change import Change, Deploy
from bot.model.finding import Excluded, Found, Level, Outcome, Related
from bot.model.plan import Verb
from bot.model.text import code, codes, command
from bot.rulebook import rule

_FORCED = re.compile(r"force[-_ ]?recreat\w*(?!['\"`]?\s*[:=]\s*false)", re.IGNORECASE)


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    said = _said(change)
    for deploy in change.deploys:
        stale: dict[str, list[str]] = {}
        for each in deploy.plan.doing(Verb.KEEP_STALE):
            for key in each.fields:
                stale.setdefault(key, []).append(each.service)
        if stale and said:
            yield Excluded(deploy.plan.path, "pull request text", said)
            continue
        for key, services in stale.items():
            yield _found(change, deploy, key, services)


def _said(change: Change) -> str:
    """The line in which the author says that containers are forced to be recreated."""
    for _, text in change.pull.texts:
        for line in text.split("\n"):
            if _FORCED.search(line):
                return line.strip()
    return ""


def _found(change: Change, deploy: Deploy, key: str, services: list[str]) -> Found:
    config = deploy.head.configs[key]
    one = len(services) == 1
    forced = command(f"docker compose -f {deploy.plan.path} up -d --force-recreate", *services)
    return Found(
        at=change.narrowed((config.get("content") or config).whole),
        about=(key, *sorted(services)),
        title="An inline config changes, but no container picks it up",
        says=(
            f"{code(key)} changes, but `up` does not look at a config's text (docker compose 2.40 and 5.6): "
            f"{codes(services)} {'keeps' if one else 'keep'} running with the old one."
        ),
        do=f"Run {forced} after the deploy, or give the config another key."
        if forced
        else "Recreate the service by force.",
        service=services[0] if one else None,
        related=tuple(
            Related(grant.at, f"{code(name)} mounts it")
            for name in services
            for grant in deploy.head.services[name].config_files
            if grant.source == key
        ),
    )
