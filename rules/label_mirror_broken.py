"""What a service says of itself is stated again elsewhere, and the two no longer agree.

Dashboards and alerts join what a service's labels say with what its scrape target says; where they differ, the
series falls apart or lands under another name. Which labels are mirrored is read from the files themselves:
a label counts when it agrees with its target's nearly everywhere. A label that stated a service's own image, served
name or GPUs, and was left alone when the change replaced them, is told too.

## Before

```yaml
services:
  one:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: one, obs.tier: gold, obs.image: "111111111111"}
  two:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: two, obs.tier: gold, obs.image: "111111111111"}
  three:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: three, obs.tier: gold, obs.image: "111111111111"}
  four:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: four, obs.tier: gold, obs.image: "111111111111"}
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      scrape_configs:
        - job_name: one
          static_configs:
            - targets: ['one:8000']
              labels: {model: one, tier: gold}
        - job_name: two
          static_configs:
            - targets: ['two:8000']
              labels: {model: two, tier: gold}
        - job_name: three
          static_configs:
            - targets: ['three:8000']
              labels: {model: three, tier: gold}
        - job_name: four
          static_configs:
            - targets: ['four:8000']
              labels: {model: four, tier: gold}
```

## Flagged

```yaml
services:
  one:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: one, obs.tier: silver, obs.image: "111111111111"}
  two:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: two, obs.tier: gold, obs.image: "111111111111"}
  three:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: three, obs.tier: gold, obs.image: "111111111111"}
  four:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: four, obs.tier: gold, obs.image: "111111111111"}
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      scrape_configs:
        - job_name: one
          static_configs:
            - targets: ['one:8000']
              labels: {model: one, tier: gold}
        - job_name: two
          static_configs:
            - targets: ['two:8000']
              labels: {model: two, tier: gold}
        - job_name: three
          static_configs:
            - targets: ['three:8000']
              labels: {model: three, tier: gold}
        - job_name: four
          static_configs:
            - targets: ['four:8000']
              labels: {model: four, tier: gold}
```

## Flagged: the image moved and the label that names it stayed

```yaml
services:
  one:
    image: registry.example/engine@sha256:2222222222222222222222222222222222222222222222222222222222222222
    labels: {obs.model: one, obs.tier: gold, obs.image: "111111111111"}
  two:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: two, obs.tier: gold, obs.image: "111111111111"}
  three:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: three, obs.tier: gold, obs.image: "111111111111"}
  four:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: four, obs.tier: gold, obs.image: "111111111111"}
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      scrape_configs:
        - job_name: one
          static_configs:
            - targets: ['one:8000']
              labels: {model: one, tier: gold}
        - job_name: two
          static_configs:
            - targets: ['two:8000']
              labels: {model: two, tier: gold}
        - job_name: three
          static_configs:
            - targets: ['three:8000']
              labels: {model: three, tier: gold}
        - job_name: four
          static_configs:
            - targets: ['four:8000']
              labels: {model: four, tier: gold}
```

## Accepted: both changed

```yaml
services:
  one:
    image: registry.example/engine@sha256:2222222222222222222222222222222222222222222222222222222222222222
    labels: {obs.model: one, obs.tier: silver, obs.image: "222222222222"}
  two:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: two, obs.tier: gold, obs.image: "111111111111"}
  three:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: three, obs.tier: gold, obs.image: "111111111111"}
  four:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.model: four, obs.tier: gold, obs.image: "111111111111"}
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      scrape_configs:
        - job_name: one
          static_configs:
            - targets: ['one:8000']
              labels: {model: one, tier: silver}
        - job_name: two
          static_configs:
            - targets: ['two:8000']
              labels: {model: two, tier: gold}
        - job_name: three
          static_configs:
            - targets: ['three:8000']
              labels: {model: three, tier: gold}
        - job_name: four
          static_configs:
            - targets: ['four:8000']
              labels: {model: four, tier: gold}
```

## Before: on GPUs of its own

```yaml
services:
  one:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.gpus: "0,1"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
```

## Flagged: the engine moved to other GPUs

```yaml
services:
  one:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.gpus: "0,1"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["2", "3"], capabilities: [gpu]}]}}}
```

## Accepted: the label moved along

```yaml
services:
  one:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
    labels: {obs.gpus: "2-3"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["2", "3"], capabilities: [gpu]}]}}}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, Move
from bot.model.facts import Scrape
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.node import ScalarNode
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.service import Service
from bot.model.text import code, counted
from bot.model.value import Value
from bot.rulebook import rule
from rules._stale_labels import Identity, stale_labels

_VERBS = {Identity.IMAGE: "runs", Identity.NAME: "serves", Identity.GPUS: "reserves"}
# A label is mirrored when it agrees in this share of the places that have it.
_NEARLY = 0.9
# And in at least so many.
_FEWEST = 4


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    # What base does everywhere is only asked when something came to differ: most changes touch no label.
    disagree = [move for move in change.moves if _says(move.head) - _says(move.base)]
    convention = _convention(change.base) if disagree else None
    for move in change.moves:
        if move.head is None:
            continue
        if convention is not None:
            before = {each.identity for each in _breaks(move.base, convention)} if move.base else set()
            new = [each for each in _breaks(move.head, convention) if each.identity not in before]
            if new:
                yield _found(new, convention)
        yield from _stale(move)


class _Convention(Struct, frozen=True):
    """Services carry their targets' labels under a prefix; these names agree nearly everywhere, these are known."""

    prefix: str
    mirrored: frozenset[str]
    known: frozenset[str]


class _Break(Struct, frozen=True):
    service: Service
    scrape: Scrape
    name: str
    label: Value | None
    target: ScalarNode | None

    @property
    def identity(self) -> tuple[str, ...]:
        said = self.label.as_text if self.label is not None else ""
        return self.service.name, self.name, said, self.target.text if self.target is not None else ""

    @property
    def at(self) -> Place:
        if self.target is not None:
            return self.target.at
        return self.label.whole if self.label is not None else self.scrape.at


def _pairs(project: Project) -> Iterator[tuple[Service, Scrape]]:
    for collector in project.services.values():
        for scrape in collector.facts.scrapes:
            service = project.services.get(scrape.host)
            if service is not None:
                yield service, scrape


def _says(project: Project | None) -> set[tuple[str, ...]]:
    """What services and their targets are labelled, wherever the two do not say the same."""
    found: set[tuple[str, ...]] = set()
    for service, scrape in _pairs(project) if project is not None else ():
        ours = {(key.rpartition(".")[2], value.as_text) for key, value in service.labels.items()}
        theirs = {(name, node.text) for name, node in scrape.labels.items()}
        found |= {(service.name, *label) for label in ours ^ theirs}
    return found


def _own(service: Service, prefix: str) -> dict[str, Value]:
    return {key.removeprefix(prefix): value for key, value in service.labels.items() if key.startswith(prefix)}


def _convention(estate: Estate) -> _Convention | None:
    """What base does: None where services and targets share no labels."""
    pairs = [pair for project in estate.projects.values() for pair in _pairs(project)]
    prefixes: Counter[str] = Counter()
    for service, scrape in pairs:
        for key, value in service.labels.items():
            head, dot, name = key.rpartition(".")
            if dot and name in scrape.labels and scrape.labels[name].text == value.as_text:
                prefixes[f"{head}."] += 1
    if not prefixes:
        return None
    prefix = prefixes.most_common(1)[0][0]
    equal: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for service, scrape in pairs:
        own = _own(service, prefix)
        for name in {*own, *scrape.labels}:
            seen[name] += 1
            equal[name] += name in own and name in scrape.labels and own[name].as_text == scrape.labels[name].text
    mirrored = frozenset(name for name in seen if equal[name] >= _FEWEST and equal[name] >= _NEARLY * seen[name])
    return _Convention(prefix, mirrored, frozenset(seen))


def _breaks(project: Project | None, convention: _Convention) -> Iterator[_Break]:
    """Labels that are mirrored, or new and stated on both sides somewhere in this project, and differ."""
    pairs = list(_pairs(project)) if project is not None else []
    on_services = {name for service, _ in pairs for name in _own(service, convention.prefix)}
    on_targets = {name for _, scrape in pairs for name in scrape.labels}
    judged = convention.mirrored | ((on_services & on_targets) - convention.known)
    for service, scrape in pairs:
        own = _own(service, convention.prefix)
        for name in dict.fromkeys((*own, *scrape.labels)) if own else ():
            label, target = own.get(name), scrape.labels.get(name)
            if name in judged and not (label is not None and target is not None and label.as_text == target.text):
                yield _Break(service, scrape, name, label, target)


def _found(breaks: list[_Break], convention: _Convention) -> Found:
    """One finding for a project: what disagrees first, and where else."""
    first = breaks[0]
    said = code(first.label.as_text) if first.label is not None else "nothing"
    mirrored = code(first.target.text) if first.target is not None else "nothing"
    more = (
        f" {counted(len(breaks) - 1, 'other label disagrees', 'other labels disagree')} too." if len(breaks) > 1 else ""
    )
    other = first.label.whole if first.target is not None and first.label is not None else first.scrape.at
    return Found(
        at=first.at,
        about=tuple(dict.fromkeys(part for each in breaks for part in each.identity)),
        title="A label and its scrape target's disagree",
        says=(
            f"{code(first.service.name)} says {said} for {code(convention.prefix + first.name)}; "
            f"its scrape target says {mirrored}.{more}"
        ),
        do="Make them say the same.",
        service=first.service.name,
        related=(
            Related(other, "the other of the two"),
            *(Related(each.at, f"{code(each.service.name)}: {code(each.name)}") for each in breaks[1:12]),
        ),
    )


def _stale(move: Move) -> Iterator[Found]:
    for before, after in move.changed:
        if before is None or after is None:
            continue
        for each in stale_labels(before, after):
            yield Found(
                at=each.label.whole,
                about=(after.name, each.key, each.says),
                title=f"A label still names the old {each.what}",
                says=(
                    f"{code(after.name)} {_VERBS[each.what]} {code(each.now)}; its label {code(each.key)} still says "
                    f"{code(each.says)}."
                ),
                do=f"Write {code(each.do)}.",
                service=after.name,
                related=(Related(each.source, f"the {each.what}"),),
                certainty=Certainty.SURE if each.sure else Certainty.LIKELY,
            )
