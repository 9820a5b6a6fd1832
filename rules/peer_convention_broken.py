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
from collections.abc import Iterator, Sequence

from msgspec import Struct

from bot.model.change import Change, Move
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, listed
from bot.rulebook import rule
from rules._peers import Convention, Peers
from rules._traits import Trait, engine_of, flag_traits, project_traits, service_traits, value_traits

_FEW = 3  # services, or files, that do the same: on purpose
_FILES = 3  # that say the same of a label; what one file's services all say is about that file


class _Break(Struct, frozen=True):
    """What a unit does not have as its peers do."""

    unit: str  # the service's name; empty for the project as a whole
    what: Convention
    lost: bool  # it had it
    says: str | None = None  # the other value, where it has one


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    peers = Peers(change.base)
    broken = [
        (move.head, [*_project(move, move.head, peers), *_services(move, peers)])
        for move in change.moves
        if move.head is not None
    ]
    purposes = _purposes(broken)
    for head, breaks in broken:
        told = [each for each in breaks if (each.what.trait, each.lost) not in purposes]
        if told:
            yield _found(head, told)


def _purposes(broken: Sequence[tuple[Project, Sequence[_Break]]]) -> set[tuple[Trait, bool]]:
    """What several services lose at once, and what the new ones of several files go without: it is meant."""
    lost = Counter(each.what.trait for _, breaks in broken for each in breaks if each.lost)
    never = Counter(trait for _, breaks in broken for trait in {each.what.trait for each in breaks if not each.lost})
    many = {(trait, True) for trait, count in lost.items() if count >= (_FEW if not trait.value else _FEW - 1)}
    return many | {(trait, False) for trait, count in never.items() if count > _FEW}


def _project(move: Move, head: Project, peers: Peers) -> list[_Break]:
    has = project_traits(head).keys()
    had = project_traits(move.base).keys() if move.base is not None else None
    if had is not None and had <= has:
        return []  # nothing was lost: what peers have need not be read
    common = peers.of_project(move.path, _own(move), project_traits)
    return [
        _Break("", each, had is not None)
        for each in common
        if each.trait not in has and (had is None or each.trait in had)
    ]


def _services(move: Move, peers: Peers) -> Iterator[_Break]:
    removed = [before for before, after in move.changed if before is not None and after is None]
    for before, after in move.changed:
        if after is None or after.profiles:
            continue
        old = before or next((each for each in removed if set(_alike(each)) & set(_alike(after))), None)
        yield from _lacks(after, old, move, peers)
        yield from _flags(after, old, move, peers)
        yield from _values(after, old, move, peers)


def _own(move: Move) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in (move.home, move.path) if path))


def _alike(service: Service) -> Sequence[str]:
    """Services of one name, or of one image: what they are for is then the same."""
    image = service.facts.image
    name = f"service {service.name}"
    return (name, f"image {image.name}") if image is not None and image.known else (name,)


def _same_engine(service: Service) -> Sequence[str]:
    engine = engine_of(service)
    return (engine,) if engine else ()


def _lacks(after: Service, old: Service | None, move: Move, peers: Peers) -> Iterator[_Break]:
    """Names that nearly every peer has and this one has not; of one that was there before, only what it loses."""
    has = service_traits(after).keys()
    had = service_traits(old).keys() if old is not None else None
    if had is None or not had <= has:
        for each in peers.of_service(after, move.path, _own(move), _alike, service_traits):
            if each.trait not in has and (had is None or each.trait in had):
                yield _Break(after.name, each, had is not None)


def _flags(after: Service, old: Service | None, move: Move, peers: Peers) -> Iterator[_Break]:
    """Flags that nearly every engine of the same program is started with."""
    has = flag_traits(after).keys()
    same = old is not None and engine_of(old) == engine_of(after)
    had = flag_traits(old).keys() if old is not None and same else None
    if not has or (had is not None and had <= has):
        return
    common = peers.of_service(after, move.path, _own(move), _same_engine, flag_traits)
    missing = [each for each in common if each.trait not in has and (had is None or each.trait in had)]
    # An engine that has little of what the others have is another kind of engine: an embedder, an image model.
    if len(missing) * 2 <= len(common):
        yield from (_Break(after.name, each, had is not None) for each in missing)


def _values(after: Service, old: Service | None, move: Move, peers: Peers) -> Iterator[_Break]:
    """Labels that say something else than those of nearly every service that runs the same."""
    had = {trait.name: trait.value for trait in value_traits(old)} if old is not None else {}
    mine = {trait.name: trait.value for trait in value_traits(after) if had.get(trait.name) != trait.value}
    if not mine:
        return
    kind = _same_engine if engine_of(after) else _alike
    for each in peers.of_service(after, move.path, _own(move), kind, value_traits):
        says, before = mine.get(each.trait.name), had.get(each.trait.name)
        # One that went its own way before may go on.
        if says not in (None, each.trait.value) and before in (None, each.trait.value) and each.files >= _FILES:
            yield _Break(after.name, each, before is not None, says)


def _found(head: Project, breaks: list[_Break]) -> Found:
    """One finding for a project: what it and its services do without, or otherwise."""
    units = list(dict.fromkeys(each.unit for each in breaks))
    alike: dict[tuple[tuple[Trait, str | None], ...], list[str]] = {}
    for unit in units:
        alike.setdefault(tuple((each.what.trait, each.says) for each in breaks if each.unit == unit), []).append(unit)
    spoken = [
        _sentence([unit or head.path for unit in group], [each for each in breaks if each.unit == group[0]])
        for group in alike.values()
    ]
    first = next((head.services[unit] for unit in units if unit in head.services), None)
    return Found(
        at=first.at if first is not None else next(iter(head.services.values())).at,
        about=tuple(" ".join(part for part in (each.unit, *each.what.trait, each.says) if part) for each in breaks),
        says=f"{'; '.join(spoken)}.",
        do="Do as they do, or say why this one goes its own way.",
        service=first.name if first is not None and len(units) == 1 else None,
        related=tuple(Related(each.what.at, f"{_named(each)} of a peer") for each in breaks[:8]),
        certainty=Certainty.LIKELY,
    )


def _sentence(units: list[str], breaks: list[_Break]) -> str:
    lacks = [each for each in breaks if each.says is None]
    one = len(units) == 1
    said = []
    if lacks:
        verb = "lacks" if one else "lack"
        said.append(f"{verb} {listed([_named(each) for each in lacks])}, which {_share(lacks)} in the folder have")
    said += [
        f"{'says' if one else 'say'} {code(each.says)} in {_named(each)}, where {_share([each])} in the folder say {code(each.what.trait.value)}"
        for each in breaks
        if each.says is not None
    ]
    return f"{codes(units)} {', and '.join(said)}"


def _named(each: _Break) -> str:
    return f"{each.what.trait.kind} {code(each.what.trait.name)}"


def _share(breaks: list[_Break]) -> str:
    fewest = min((each.what for each in breaks), key=lambda each: each.having)
    return f"all {fewest.peers} peers" if fewest.having == fewest.peers else f"{fewest.having} of {fewest.peers} peers"
