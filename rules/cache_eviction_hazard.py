"""A service deletes from the model cache at every deploy, by default, or what another service reads.

Engines that start offline find their model in a volume. A cleaning service that is behind no profile runs with every `up`; one
whose target has a default deletes that target when somebody forgets to name another; and one that names a snapshot which an engine
reads leaves the engine running until its next start.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model-path /cache/hub/models--acme--mini/snapshots/1111111111111111111111111111111111111111
    volumes: [cache:/cache]
volumes:
  cache: {}
```

## Flagged: it runs with every deploy

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model-path /cache/hub/models--acme--mini/snapshots/1111111111111111111111111111111111111111
    volumes: [cache:/cache]
  sweeper:
    image: registry.example/shell:1
    command: sh -c "rm -rf /cache/hub/models--acme--old"
    volumes: [cache:/cache]
volumes:
  cache: {}
```

## Flagged: it has a default

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model-path /cache/hub/models--acme--mini/snapshots/1111111111111111111111111111111111111111
    volumes: [cache:/cache]
  sweeper:
    image: registry.example/shell:1
    profiles: [maintenance]
    environment: ['MODEL=${MODEL:-acme--old}']
    command: sh -c 'rm -rf "/cache/hub/models--$$MODEL"'
    volumes: [cache:/cache]
volumes:
  cache: {}
```

## Accepted: somebody must start it, and must say what goes

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model-path /cache/hub/models--acme--mini/snapshots/1111111111111111111111111111111111111111
    volumes: [cache:/cache]
  sweeper:
    image: registry.example/shell:1
    profiles: [maintenance]
    environment: ['MODEL=${MODEL:-}']
    command: sh -c 'rm -rf "/cache/hub/models--$${MODEL:?}"'
    volumes: [cache:/cache]
volumes:
  cache: {}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.facts import Command
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule

_CLIENTS = {"hf", "huggingface-cli"}
_DELETING = {("cache", "delete"), ("cache", "prune"), ("cache", "rm")}
_HUB = re.compile(r"models--|huggingface|/hub(?:/|$)")
_MODEL = re.compile(r"models--([A-Za-z0-9][\w.]*(?:-[\w.]+)*?)--([\w.-]+)")
_REPOSITORY = re.compile(r"(?:model/)?([A-Za-z0-9][\w.-]*/[\w.-]+)")
# What a download leaves behind when it is cut off, and what nobody reads.
_LEFT_OVER = re.compile(r"\.lock|\.incomplete|/te?mp\b|\.cache/pip|xet")


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        command = next((each for each in service.facts.commands if _evicts(each, service, project)), None)
        if command is None:
            continue
        if not service.profiles:
            yield _found(
                service,
                command,
                "always",
                f"{code(service.name)} deletes from the model cache (`{command.name}`), and starts with every `up`: it is behind no profile.",
                "Put it behind a profile, so that only a person starts it.",
            )
        elif (default := _default(command, service)) is not None:
            name, at = default
            yield _found(
                service,
                command,
                "default",
                f"{code(service.name)} deletes what {code(name)} names, and {code(name)} has a value when nobody gives one.",
                "Leave it empty, or require it with `${…:?}`.",
                at,
            )
        yield from _read_by_others(project, service, command)


def _evicts(command: Command, service: Service, project: Project) -> bool:
    words = [word.text for word in command.argv]
    if command.name in _CLIENTS:
        return tuple(words[1:3]) in _DELETING or words[1:2] == ["delete-cache"]
    recursive = command.name == "rm" and any(re.fullmatch(r"-\w*[rR]\w*|--recursive", word) for word in words[1:])
    if not recursive and not (command.name == "find" and "-delete" in words):
        return False
    paths = [word for word in words[1:] if not word.startswith("-") and not _LEFT_OVER.search(word)]
    return any(_HUB.search(path) or _is_shared_cache(path, service, project) for path in paths) and not _fetches_again(
        command, service
    )


def _is_shared_cache(path: str, service: Service, project: Project) -> bool:
    """Whether a path lies in a mount from which an engine reads its model."""
    sources = {
        mount.source
        for mount in service.mounts
        if mount.source and f"{path}/".startswith(f"{mount.target.rstrip('/')}/")
    }
    return bool(sources) and any(
        mount.source in sources
        for other in project.services.values()
        if other is not service and (other.facts.snapshots or any(each.engine for each in other.facts.servings))
        for mount in other.mounts
    )


def _fetches_again(command: Command, service: Service) -> bool:
    """Deleting what the same script then downloads: a fresh copy, not an eviction."""
    named = set(_repositories(command))
    return bool(named) and named <= {each.repository for each in service.facts.downloads}


def _variables(command: Command) -> list[str]:
    return re.findall(r"\$\{?([A-Za-z_]\w*)", command.text)


def _default(command: Command, service: Service) -> tuple[str, Place] | None:
    """The variable that says what goes, when the files give it a value. The shell's own text tells its name."""
    script = " ".join(word.as_text for name in ("entrypoint", "command") for word in service.argv(name))
    for name, value in service.environment.items():
        used = name in _variables(command) or re.search(rf"models--\S*\$\{{?{re.escape(name)}\b", script)
        if used and value.as_text and not value.unknown and not value.as_text.startswith("/"):
            return name, value.whole
    return None


def _repositories(command: Command) -> Iterator[str]:
    """Models that a command names, in the cache's spelling or the hub's."""
    for word in command.argv[1:]:
        for organisation, name in _MODEL.findall(word.text):
            yield f"{organisation}/{name.split('/')[0]}"
        if command.name in _CLIENTS and (found := _REPOSITORY.fullmatch(word.text)):
            yield found[1]


def _read_by_others(project: Project, service: Service, command: Command) -> Iterator[Found]:
    for repository in dict.fromkeys(_repositories(command)):
        for other in project.services.values():
            at = other.facts.uses(repository) if other is not service else None
            if at is None:
                continue
            says = f"{code(service.name)} deletes {code(repository)}, which {code(other.name)} reads: it does not start again afterwards."
            related = (Related(at, f"{code(other.name)} reads it"),)
            yield _found(service, command, repository, says, "Take it off the list of what is deleted.", None, related)
            break


def _found(
    service: Service,
    command: Command,
    what: str,
    says: str,
    do: str,
    at: Place | None = None,
    related: tuple[Related, ...] = (),
) -> Found:
    return Found(
        at=at or command.at,
        about=(service.name, what),
        says=says,
        do=do,
        service=service.name,
        related=related,
        certainty=Certainty.SURE if command.understood else Certainty.LIKELY,
    )
