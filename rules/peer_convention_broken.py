"""What all peers have is missing here.

The probes of every deployment pass a token, every collector ships logs, every engine of a kind has a flag: conventions that nobody
wrote down. A new service that lacks such a thing, or one that loses it, is usually a copy of something older. Mined from base:
at least four peers in the same folder must have it, and all of them but one in ten.

## Before

```yaml prod/a.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

```yaml prod/b.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

```yaml prod/c.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

```yaml prod/d.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

```yaml prod/e.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

## Flagged: a new file

```yaml prod/f.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x}
```

## Flagged: a service that loses it

```yaml prod/e.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x}
```

## Accepted

```yaml prod/f.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```

## Accepted: nobody else has it

```yaml prod/e.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y, EXTRA: z}
```

```yaml prod/f.yaml
services:
  probe:
    image: registry.example/probe:1
    environment: {TOKEN: x, REGION: y}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.change import Change, Move
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.service import Service
from bot.model.text import code, listed
from bot.rulebook import rule
from rules._traits import Trait, project_traits, service_traits

_FEWEST = 4
_ON_PURPOSE = 3


@dataclass(frozen=True)
class _Lack:
    """What a unit lacks, how many of its peers have it, and where one of them has it."""

    unit: str  # the service's name; empty for the project as a whole
    trait: Trait
    having: int
    peers: int
    at: Place


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    lacking: list[tuple[Move, list[_Lack]]] = []
    for move in change.moves:
        peers = _peers(change.base, move)
        if move.head is not None and len(peers) >= _FEWEST:
            lacking.append((move, [*_project(move, move.head, peers), *_services(move, peers)]))
    lost = Counter(each.trait for _, lacks in lacking for each in lacks)
    for move, lacks in lacking:
        # What several services lose at once was taken out on purpose.
        told = [each for each in lacks if lost[each.trait] < _ON_PURPOSE]
        if told and move.head is not None:
            yield _found(move.head, told)


def _peers(base: Estate, move: Move) -> list[Project]:
    """The other projects of the folder, as base has them."""
    folder = move.path.rpartition("/")[0]
    return [
        project
        for path, project in base.projects.items()
        if path.rpartition("/")[0] == folder and path not in (move.home, move.path) and project.services
    ]


def _project(move: Move, head: Project, peers: list[Project]) -> list[_Lack]:
    has = set(project_traits(head))
    had = set(project_traits(move.base)) if move.base is not None else None
    if had is not None and had <= has:
        return []  # nothing was lost: what peers have need not be read
    return _lacks("", has, had, [project_traits(peer) for peer in peers])


def _services(move: Move, peers: list[Project]) -> Iterator[_Lack]:
    removed = [before for before, after in move.changed if before is not None and after is None]
    for before, after in move.changed:
        if after is None or after.profiles:
            continue
        old = before or next((each for each in removed if _alike(each, after)), None)
        had = set(service_traits(old)) if old is not None else None
        has = set(service_traits(after))
        if had is None or not had <= has:
            alike = [service for peer in peers for service in peer.services.values() if _alike(service, after)]
            yield from _lacks(after.name, has, had, [service_traits(each) for each in alike])


def _alike(one: Service, other: Service) -> bool:
    """Services of one name, or of one image: what they are for is then the same."""
    if one.profiles:
        return False
    if one.name == other.name:
        return True
    mine, theirs = one.facts.image, other.facts.image
    return mine is not None and theirs is not None and mine.known and theirs.known and mine.name == theirs.name


def _lacks(unit: str, has: set[Trait], had: set[Trait] | None, peers: list[dict[Trait, Place]]) -> list[_Lack]:
    """Traits that nearly every peer has and this one has not; of one that was there before, only what it loses."""
    counted = Counter(trait for peer in peers for trait in peer)
    without = max(1, len(peers) // 10)
    return [
        _Lack(unit, trait, count, len(peers), next(peer[trait] for peer in peers if trait in peer))
        for trait, count in sorted(counted.items())
        if count >= _FEWEST and len(peers) - count <= without and trait not in has and (had is None or trait in had)
    ]


def _found(head: Project, lacks: list[_Lack]) -> Found:
    """One finding for a project: what it and its services go without."""
    units = dict.fromkeys(each.unit for each in lacks)
    spoken = []
    for unit in units:
        names = listed([f"{each.trait.kind} {code(each.trait.name)}" for each in lacks if each.unit == unit])
        spoken.append(f"{code(unit or head.path)} lacks {names}")
    first = next((head.services[unit] for unit in units if unit in head.services), None)
    return Found(
        at=first.at if first is not None else next(iter(head.services.values())).at,
        about=tuple(f"{each.unit} {each.trait.kind} {each.trait.name}" for each in lacks),
        says=f"{'; '.join(spoken)}, which {_share(lacks)} in the folder have.",
        do="Add it, or say why this one goes without.",
        service=first.name if first is not None and len(units) == 1 else None,
        related=tuple(Related(each.at, f"{each.trait.kind} {code(each.trait.name)} of a peer") for each in lacks[:8]),
        certainty=Certainty.LIKELY,
    )


def _share(lacks: list[_Lack]) -> str:
    fewest = min(lacks, key=lambda each: each.having)
    return f"all {fewest.peers} peers" if fewest.having == fewest.peers else f"{fewest.having} of {fewest.peers} peers"
