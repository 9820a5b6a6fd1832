"""An engine does not look where the downloader's volume is mounted.

The downloader fills a volume; the engine mounts the same volume at a folder its hub client does not use, and so
downloads the model again, into the container's own layer, at every recreation.

## Before

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    volumes: ["models:/root/.cache/huggingface"]
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
    volumes: ["models:/root/.cache/huggingface"]
volumes: {models: {}}
```

## Flagged

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    volumes: ["models:/root/.cache/huggingface"]
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
    volumes: ["models:/data"]
volumes: {models: {}}
```

## Accepted: it is told where to look

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    volumes: ["models:/root/.cache/huggingface"]
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
    environment: {HF_HOME: /data}
    volumes: ["models:/data"]
volumes: {models: {}}
```

## Accepted: the model is a path below the mount

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111 --local-dir /models/mini"
    volumes: ["models:/models"]
  engine:
    image: registry.example/engine:1
    command: serve --model /data/mini
    volumes: ["models:/data"]
volumes: {models: {}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Mount, Service
from bot.model.text import code
from bot.rulebook import rule

_HOMES = (
    "HF_HOME",
    "HF_HUB_CACHE",
    "HUGGINGFACE_HUB_CACHE",
    "TRANSFORMERS_CACHE",
    "XDG_CACHE_HOME",
    "HOME",
    "MODELSCOPE_CACHE",
)
_FLAGS = ("--download-dir", "--cache-dir", "--model-cache", "--huggingface-hub-cache")
# Below which the hub's client looks by itself, whoever the user is.
_CACHE = "/.cache/huggingface"


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    filled = {
        mount.source: (service, mount)
        for service in project.services.values()
        if any(download.target is None for download in service.facts.downloads)
        for mount in service.mounts
        if mount.source and mount.kind in ("volume", "bind") and not mount.read_only
    }
    for service in project.services.values():
        if service.facts.downloads or not any(serving.repository for serving in service.facts.servings):
            continue
        mounts = [mount for mount in service.mounts if mount.source in filled]
        if mounts and not any(_looks(service, mount) for mount in mounts):
            by, theirs = filled[mounts[0].source or ""]
            yield Found(
                at=mounts[0].at,
                about=(service.name, mounts[0].source or "", mounts[0].target),
                says=(
                    f"{code(by.name)} fills {code(mounts[0].source or '')} at {code(theirs.target)}; {code(service.name)} mounts it at "
                    f"{code(mounts[0].target)} and is not told to look there: it downloads the model again."
                ),
                do="Mount it at the same place, or set `HF_HOME` to the mount.",
                service=service.name,
                related=(Related(theirs.at, f"where {code(by.name)} mounts it"),),
            )


def _looks(service: Service, mount: Mount) -> bool:
    target = mount.target.rstrip("/")
    if target.endswith((_CACHE, "/.cache")) or f"{_CACHE}/" in target:
        return True
    stated = [value.as_text for name in _HOMES if (value := service.environment.get(name)) is not None]
    for serving in service.facts.servings:
        stated += [flag.value or "" for name in _FLAGS for flag in serving.flags.get(name, ())]
        stated.append(serving.model or "")
    stated += _paths(service)
    return any(text == target or text.startswith(f"{target}/") for text in stated)


def _paths(service: Service) -> Iterator[str]:
    for name in ("command", "entrypoint"):
        for word in service.argv(name):
            for part in word.as_text.split():
                if part.startswith("/"):
                    yield part
