"""A volume that exists is defined otherwise, which Docker Compose cannot apply without deleting it.

`up` asks whether to recreate the volume. Without a terminal the answer is no: the change is ignored and the exit code
is 0. With `-y` the answer is yes: the containers that use it are removed, and the volume is deleted with all that is in it.
Measured with docker compose 2.40.3 and 5.6.1.

## Before

```yaml
services:
  db:
    image: registry.example/postgres:16
    volumes: [data:/var/lib/postgresql/data]
volumes:
  data: {}
```

## Flagged

```yaml
services:
  db:
    image: registry.example/postgres:16
    volumes: [data:/var/lib/postgresql/data]
volumes:
  data:
    labels: {backup: daily}
```

## Accepted: a new volume

```yaml
services:
  db:
    image: registry.example/postgres:16
    volumes: [data:/var/lib/postgresql/data, logs:/var/log]
volumes:
  data: {}
  logs:
    labels: {backup: daily}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Deploy
from bot.model.finding import Found, Level, Outcome
from bot.model.plan import Redefined
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        for volume in deploy.plan.redefined:
            if volume.kind == "volume":
                yield _found(change, deploy, volume)


def _found(change: Change, deploy: Deploy, volume: Redefined) -> Found:
    users = [
        service.name
        for service in deploy.head.services.values()
        if any(mount.kind == "volume" and mount.source == volume.key for mount in service.mounts)
    ]
    changed = f"{codes(volume.fields)} of the volume {code(volume.key)} changes, but {code(volume.name)} exists"
    if volume.made_anew:
        says = f"{changed}: with `-y` the deploy removes {codes(users)}, deletes the volume with its data and makes it anew, empty."
    else:
        says = f"{changed}: without `-y` the deploy leaves it as it is, without an error; with `-y` it would delete it with its data."
    return Found(
        at=change.narrowed(volume.at),
        about=(volume.key, *volume.fields),
        title="A volume's data is deleted" if volume.made_anew else "A volume's new definition is ignored",
        says=says,
        do="Make a volume under another name and move the data, or leave the definition as it is.",
        level=Level.ERROR if volume.made_anew else Level.WARNING,
    )
