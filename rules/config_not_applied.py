"""A config or a mounted file changes, but the deploy recreates nothing.

Docker Compose decides by a hash of the service whether a container is recreated, and the text of a config is not
in it: `up` says "Running", and the container keeps the file it was created with. People believe that the change is
live. Measured with docker compose 2.40.3 and 5.6.1; a service that is recreated or started in the same deploy
for another reason does get the new text. A note where only telemetry or maintenance is concerned.

A file of the repository that a service mounts is no different: `up` does not look into it, and a process that read it
when it started goes on with the old text.

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

```yaml mounted/compose.yaml
services:
  edge:
    image: registry.example/nginx:1
    volumes: ["./site.conf:/etc/nginx/conf.d/default.conf:ro"]
```

```conf mounted/site.conf
server { listen 80; }
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

## Flagged: a mounted file

```yaml mounted/compose.yaml
services:
  edge:
    image: registry.example/nginx:1
    volumes: ["./site.conf:/etc/nginx/conf.d/default.conf:ro"]
```

```conf mounted/site.conf
server { listen 81; }
```

## Accepted: the service that mounts it is recreated

```yaml mounted/compose.yaml
services:
  edge:
    image: registry.example/nginx:2
    volumes: ["./site.conf:/etc/nginx/conf.d/default.conf:ro"]
```

```conf mounted/site.conf
server { listen 81; }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, Deploy, FileKind, FileStatus
from bot.model.facts import Role
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.plan import Verb
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, command, counted
from bot.rulebook import rule

_SLIGHT = frozenset({Role.TELEMETRY, Role.MAINTENANCE})
_FORCED = re.compile(r"force[-_ ]?recreat\w*+(?!['\"`]?\s*[:=]\s*false)", re.IGNORECASE)


class _Stale(Struct, frozen=True):
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
    mounted = list(_mounted(change))
    said = _said(change)
    if said:
        for path in [each.deploy.plan.path for each in stale[:1]] + [path for path, _ in mounted[:1]]:
            yield Excluded(path, "pull request text", said)
        return
    if stale:
        yield _found(change, stale)
    if mounted:
        yield _mounted_found(change, mounted)


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
    forced = command(*_forced(stale), *services)
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


def _forced(stale: list[_Stale]) -> tuple[str, ...]:
    flags = dict.fromkeys(each.deploy.plan.flags for each in stale)
    return ("docker compose", *(flags if len(flags) == 1 else ()), "up -d --force-recreate")


def _place(change: Change, each: _Stale) -> Place:
    config = each.deploy.head.configs[each.key]
    return change.narrowed((config.get("content") or config).whole)


def _mounted(change: Change) -> Iterator[tuple[str, Service]]:
    """Changed files that a service mounts which the deploy leaves running."""
    changed = {file.path for file in change.files if file.status is FileStatus.MODIFIED and file.kind is FileKind.TEXT}
    done = {
        (deploy.plan.path, each.service)
        for deploy in change.deploys
        for each in deploy.plan.operations
        if each.verb not in (Verb.KEEP, Verb.KEEP_STALE)
    }
    for project, service in change.head.services:
        if not service.profiles and (project.path, service.name) not in done and _was_there(change, project, service):
            for path in sorted(_files_of(service) & changed):
                yield path, service


def _files_of(service: Service) -> set[str]:
    bound = {mount.source for mount in service.mounts if mount.kind == "bind" and mount.source}
    configs = (service.configs.get(grant.source) for grant in service.config_files)
    return bound | {file for config in configs if config is not None and (file := config.text("file"))}


def _was_there(change: Change, project: Project, service: Service) -> bool:
    before = change.base.projects.get(change.home(project.path))
    return before is not None and service.name in before.services


def _mounted_found(change: Change, mounted: list[tuple[str, Service]]) -> Found:
    paths = list(dict.fromkeys(path for path, _ in mounted))
    names = list(dict.fromkeys(service.name for _, service in mounted))
    one = len(names) == 1
    return Found(
        at=_first_touched(change, paths[0]),
        about=("mounted", *sorted(change.home(path) for path in paths)),
        title="A mounted file changes, but no container is restarted",
        says=(
            f"{codes(names)} {'mounts' if one else 'mount'} {codes(paths)}, which `up` does not look into: "
            f"what {'it' if one else 'they'} read at the start stays in force."
        ),
        do=f"Reload or restart {codes(names)} after the deploy.",
        service=names[0] if one else None,
        related=tuple(Related(service.at, f"{code(service.name)} mounts {code(path)}") for path, service in mounted),
        certainty=Certainty.LIKELY,
        level=Level.NOTE if all(service.facts.role in _SLIGHT for _, service in mounted) else Level.WARNING,
    )


def _first_touched(change: Change, path: str) -> Place:
    file = change.file(path)
    hunks = file.hunks if file is not None else ()
    return Place.of_line(path, max(1, hunks[0].head_line) if hunks else 1)
