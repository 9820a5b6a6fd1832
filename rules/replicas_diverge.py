"""Replicas of one model no longer run alike.

Requests go to either, so a flag or an image that differs shows up as answers that differ, and as load that falls
to one side. A trial says so: in the pull request, or in a comment.

## Before

```yaml
services:
  engine-r1:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
  engine-r2:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
```

## Flagged

```yaml
services:
  engine-r1:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 16384
  engine-r2:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
```

## Accepted: both

```yaml
services:
  engine-r1:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 16384
  engine-r2:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 16384
```

## Accepted: a trial that says so

```yaml
services:
  engine-r1:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 16384
  engine-r2:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
```

```text
Canary: a longer context on one replica
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from bot.model.change import Change, Move
from bot.model.facts import Serving
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.rulebook import rule

_TRIAL = re.compile(
    r"\b(?:canary|trial|experiment|a/b|ab[- ]test|test|treatment|control|arm|only\s+(?:on\s+)?r\d|one\s+replica|stage[ds]?)\b",
    re.I,
)
# What replicas of one host must have of their own.
_OWN = {
    "--port",
    "--host",
    "--dist-init-addr",
    "--nccl-port",
    "--base-gpu-id",
    "--device",
    "--node-rank",
    "--dist-init-address",
}
_REPLICA = re.compile(r"[-_.]?(?:r|replica-?)?\d+$")


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    if any(_TRIAL.search(text) for _, text in change.pull.texts):
        return
    for move in change.moves:
        after = tuple(_differences(move.head)) if move.head else ()
        before = {key: flags for key, _, _, flags in _differences(move.base)} if move.base and after else {}
        for key, one, other, differing in after:
            new = differing - before.get(key, set())
            if new and _touched(move, one, other) and not _said_beside(change, (one, other)):
                yield _found(one, other, new)


def _said_beside(change: Change, pair: tuple[Service, Service]) -> bool:
    """Whether a comment that the change writes in one of them, or right above it, says that it is a trial."""
    for service in pair:
        file = change.head.files.get(service.at.file)
        touched = change.file(service.at.file)
        if file is None or touched is None:
            continue
        first = service.at.line
        while first > 1 and file.lines[first - 2].lstrip().startswith("#"):
            first -= 1
        for number in range(first, service.value.at.end_line + 1):
            line = file.lines[number - 1].lstrip()
            if line.startswith("#") and touched.touches(number) and _TRIAL.search(line):
                return True
    return False


def _found(one: Service, other: Service, differing: set[str]) -> Found:
    flags = {**_flags(other), **_flags(one)}
    spoken = codes(sorted(differing))
    return Found(
        at=one.at,
        about=(one.name, other.name, *sorted(differing)),
        says=f"{code(one.name)} and {code(other.name)} serve {codes(sorted(_names(one)))} and differ in {spoken}.",
        do="Change both, or say in the pull request that one is a trial.",
        service=one.name,
        related=(
            *(Related(flags[name], f"{code(name)} of one of them") for name in sorted(differing) if name in flags),
            Related(other.at, "the other replica"),
        ),
        certainty=Certainty.LIKELY,
    )


_Difference = tuple[tuple[str, str], Service, Service, set[str]]


def _differences(project: Project) -> Iterator[_Difference]:
    """Pairs of replicas with the flags, variables and images in which they differ."""
    engines = [service for service in project.services.values() if _names(service) and not service.profiles]
    for one, other in combinations(engines, 2):
        if _names(one) != _names(other) or _stem(one) != _stem(other):
            continue
        differing = _unequal(_settings(one), _settings(other))
        yield (one.name, other.name), one, other, differing


def _stem(service: Service) -> str:
    return _REPLICA.sub("", service.name)


def _names(service: Service) -> frozenset[str]:
    return frozenset(
        name for serving in service.facts.servings if serving.engine or serving.model for name in serving.identities
    )


def _settings(service: Service) -> dict[str, object]:
    found: dict[str, object] = {
        name: [flag.value for flag in flags]
        for serving in _engines(service)
        for name, flags in serving.flags.items()
        if name not in _OWN
    }
    found["image"] = service.value.text("image")
    return found


def _engines(service: Service) -> list[Serving]:
    return [serving for serving in service.facts.servings if serving.engine or serving.model]


def _flags(service: Service) -> dict[str, Place]:
    return {name: flags[0].at for serving in _engines(service) for name, flags in serving.flags.items()}


def _unequal(one: Mapping[str, object], other: Mapping[str, object]) -> set[str]:
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}


def _touched(move: Move, one: Service, other: Service) -> bool:
    changed = {id(each.after) for each in move.changed if each.after is not None}
    return id(one) in changed or id(other) in changed
