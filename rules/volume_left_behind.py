"""A service gets another volume in the place of the one that holds its data.

A volume is known by its name on the host: the project's name and the key, unless `name:` says otherwise. Another key
is therefore another volume, created empty; the old one stays on the disk, unused. A database starts from nothing,
a model is downloaded again and takes the room twice.

## Before

```yaml
name: pack
services:
  engine:
    image: registry.example/engine:1
    volumes: ["hf_cache:/root/.cache/huggingface"]
volumes:
  hf_cache: {}
```

## Flagged

```yaml
name: pack
services:
  engine:
    image: registry.example/engine:1
    volumes: ["hf-cache:/root/.cache/huggingface"]
volumes:
  hf-cache: {}
```

## Accepted: the new key names the old volume

```yaml
name: pack
services:
  engine:
    image: registry.example/engine:1
    volumes: ["hf-cache:/root/.cache/huggingface"]
volumes:
  hf-cache: {name: pack_hf_cache}
```

## Accepted: a volume that is there already

```yaml
name: pack
services:
  engine:
    image: registry.example/engine:1
    volumes: ["shared:/root/.cache/huggingface"]
volumes:
  shared: {external: true}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Deploy
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.service import Mount, Service
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        if deploy.base.name != deploy.head.name:
            continue  # every volume is a new one then: project-renamed says so
        pairs: dict[tuple[str, str], list[tuple[Service, Mount]]] = {}
        for service in deploy.head.services.values():
            for old, mount in _exchanged(deploy, service):
                pairs.setdefault((old, mount.source or ""), []).append((service, mount))
        for (old, new), users in pairs.items():
            yield _found(deploy, old, new, users)


def _exchanged(deploy: Deploy, service: Service) -> Iterator[tuple[str, Mount]]:
    """The key of the volume before, and the mount that stands in its place."""
    before = deploy.base.services.get(service.name)
    if before is None:
        return
    old_names, new_names = deploy.base.host_names("volumes"), deploy.head.host_names("volumes")
    kept = {new_names.get(mount.source or "") for mount in service.mounts}
    by_target = {mount.target: mount for mount in before.mounts if mount.kind == "volume" and mount.source}
    for mount in service.mounts:
        old = by_target.get(mount.target)
        if old is None or not mount.source or mount.kind != "volume":
            continue
        old_name, new_name = old_names.get(old.source or ""), new_names.get(mount.source)
        if old_name == new_name or old_name in kept or new_name in old_names.values():
            continue
        if not _filled_elsewhere(deploy, mount.source):
            yield old.source or "", mount


def _filled_elsewhere(deploy: Deploy, key: str) -> bool:
    """Whether a new volume is somebody else's, or a view on a folder or a share."""
    value = deploy.head.volumes.get(key)
    return value is not None and (value.text("external") == "true" or value.get("driver_opts", "device") is not None)


def _found(deploy: Deploy, old: str, new: str, users: list[tuple[Service, Mount]]) -> Found:
    old_name, new_name = deploy.base.host_names("volumes")[old], deploy.head.host_names("volumes")[new]
    was, now = deploy.base.shown(old_name), deploy.head.shown(new_name)
    names = [service.name for service, _ in users]
    used = any(name == old_name for name in deploy.head.host_names("volumes").values())
    value = deploy.head.volumes[new]
    return Found(
        at=value.whole,
        about=(old, new),
        title="A volume is left behind with its data",
        says=(
            f"{codes(names)} {'gets' if len(names) == 1 else 'get'} the new, empty volume {code(now)} where {code(was)} was: "
            f"its data stays {'where it is' if used else 'on the disk, unused'}."
        ),
        do=f"Keep the key, give the new one the old volume with {code(f'name: {was}')}, or move the data first.",
        service=names[0] if len(names) == 1 else None,
        related=tuple(Related(mount.at, f"{code(service.name)} mounts it") for service, mount in users),
    )
