"""A database's major version moves over data that an older one wrote.

The volume stays, the server changes. PostgreSQL refuses to start on the files of another major version; others convert
them on the first start and cannot go back. Either way it is no ordinary image bump: it needs a dump or an upgrade run,
and a copy of the data.

## Before

```yaml
services:
  db:
    image: postgres:15-alpine
    volumes: [data:/var/lib/postgresql/data]
volumes:
  data: {}
```

## Flagged

```yaml
services:
  db:
    image: postgres:17-alpine
    volumes: [data:/var/lib/postgresql/data]
volumes:
  data: {}
```

## Accepted: a minor version

```yaml
services:
  db:
    image: postgres:15.8-alpine
    volumes: [data:/var/lib/postgresql/data]
volumes:
  data: {}
```

## Accepted: a new volume with it

```yaml
services:
  db:
    image: postgres:17-alpine
    volumes: [data17:/var/lib/postgresql/data]
volumes:
  data17: {}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.change import Change, Deploy
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.service import Mount, Service
from bot.model.text import code
from bot.rulebook import rule

# Images that keep their data in a format of their major version, by the last part of their name.
_REFUSES = frozenset({"postgres", "postgresql", "postgis", "pgvector", "timescaledb", "timescaledb-ha"})
_CONVERTS = frozenset(
    {"mysql", "mysql-server", "mariadb", "mongo", "mongodb", "elasticsearch", "opensearch", "influxdb", "neo4j"}
    | {"cassandra", "clickhouse-server", "clickhouse", "couchdb", "arangodb", "rabbitmq", "etcd", "redis", "valkey"}
)
_POSTGRES = re.compile(r"(?:^|[-_.])pg(\d+)\b")
_MAJOR = re.compile(r"^v?(\d+)(?![\da-f]{6})(?:[.\-_]|$)")


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        for name, after in deploy.head.services.items():
            before = deploy.base.services.get(name)
            if before is None:
                continue
            old, new = _version(before), _version(after)
            kept = _kept(deploy, before, after)
            if old and new and old[0] == new[0] and old[1] != new[1] and kept is not None:
                yield _found(after, kept, old, new)


def _version(service: Service) -> tuple[str, int] | None:
    """A database's kind and major version, where its tag says one."""
    image = service.facts.image
    kind = image.repository.rsplit("/", 1)[-1] if image is not None else ""
    if image is None or not image.tag or kind not in _REFUSES | _CONVERTS:
        return None
    found = _POSTGRES.search(image.tag) if kind in _REFUSES else None
    found = found or _MAJOR.match(image.tag)
    return ("postgres" if kind in _REFUSES else kind, int(found[1])) if found else None


def _kept(deploy: Deploy, before: Service, after: Service) -> Mount | None:
    """The mount that brings the old server's data to the new one."""
    old_names, new_names = deploy.base.host_names("volumes"), deploy.head.host_names("volumes")
    old = {mount.target: (mount.kind, old_names.get(mount.source or "", mount.source)) for mount in before.mounts}
    for mount in after.mounts:
        held = (mount.kind, new_names.get(mount.source or "", mount.source))
        if mount.kind in ("volume", "bind") and not mount.read_only and old.get(mount.target) == held and mount.source:
            return mount
    return None


def _found(service: Service, kept: Mount, old: tuple[str, int], new: tuple[str, int]) -> Found:
    refuses, down = old[0] == "postgres", new[1] < old[1]
    what = (
        "the new server does not start on files of another major version"
        if refuses
        else "no older server reads what a newer one wrote"
        if down
        else "the first start converts the files, and there is no way back"
    )
    image = service.facts.image
    assert image is not None
    return Found(
        at=image.at,
        about=(service.name, str(old[1]), str(new[1])),
        title="A database's major version moves over kept data",
        says=f"{code(service.name)} goes from {code(old[0])} {old[1]} to {new[1]} and keeps {code(kept.source or '')}: {what}.",
        do="Copy the data, then dump and restore it or run the upgrade into a new volume.",
        service=service.name,
        related=(Related(kept.at, "the data that is kept"),),
        level=Level.ERROR if refuses or down else Level.WARNING,
    )
