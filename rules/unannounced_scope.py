"""Engines change that neither title nor text mentions.

When the text names some of the files or models and others change too, the reader who approves the text approves the
others unseen. Nothing is said where the text speaks of all of them.

## Before

```yaml prod/mini.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/meadow-mini}}
```

```yaml prod/large.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/meadow-large}}
```

## Flagged

```yaml prod/mini.yaml
services: {engine: {image: registry.example/engine:2, command: serve --model acme/meadow-mini}}
```

```yaml prod/large.yaml
services: {engine: {image: registry.example/engine:2, command: serve --model acme/meadow-large}}
```

```text
Move meadow-mini to engine 2
It starts faster.
```

## Accepted

```yaml prod/mini.yaml
services: {engine: {image: registry.example/engine:2, command: serve --model acme/meadow-mini}}
```

```yaml prod/large.yaml
services: {engine: {image: registry.example/engine:2, command: serve --model acme/meadow-large}}
```

```text
Move all engines to engine 2
It starts faster.
```
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from bot.model.change import Change, Move, ServiceMove
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.text import code, codes
from bot.rulebook import rule

_ALL = re.compile(
    r"\b(?:all|every|each|everywhere|fleet|both|whole|across|any|generally|(?:two|three|four|five|six|\d+)\s+(?:files?|stacks?|engines?|models?|configs?))\b",
    re.I,
)
_PLAIN = re.compile(r"[^a-z0-9]+")
# Fields of an engine that nobody has to announce.
_SMALL = {"labels", "annotations", "logging"}


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    if not change.pull.body.strip():
        return
    said = " ".join(text for _, text in change.pull.texts)
    engines = [(move, each) for move in change.moves for each in move.changed if _matters(each)]
    flat = _PLAIN.sub("", said.lower())
    counted = Counter(each.name for _, each in engines)  # a name that several files use singles none of them out
    named = [(move, each) for move, each in engines if _mentioned(move, each, flat, counted[each.name] == 1)]
    silent = [(move, each) for move, each in engines if not _mentioned(move, each, flat, counted[each.name] == 1)]
    if not named or not silent or _ALL.search(said):
        return
    each = silent[0][1]
    yield Found(
        at=each.known.at,
        about=tuple(sorted({f"{move.home} {each.name}" for move, each in silent})),
        says=(
            f"The text speaks of {codes(sorted({each.name for _, each in named}))}; "
            f"{codes(sorted({each.name for _, each in silent}))} in {codes(sorted({move.path for move, _ in silent}))} "
            f"{'changes' if len(silent) == 1 else 'change'} too ({', '.join(each.fields) or 'added or removed'})."
        ),
        do="Name them in the text, or take the change out.",
        service=each.name,
        related=tuple(Related(other.known.at, f"{code(other.name)} changes") for _, other in silent[1:]),
        certainty=Certainty.LIKELY,
    )


def _matters(each: ServiceMove) -> bool:
    return (
        each.known.facts.role is Role.ENGINE
        and not each.known.profiles
        and (each.before is None or each.after is None or bool(set(each.fields) - _SMALL))
    )


def _mentioned(move: Move, each: ServiceMove, said: str, by_name: bool) -> bool:
    names = {move.path, move.path.rsplit("/", 1)[-1], re.sub(r"\.ya?ml$", "", move.path.rsplit("/", 1)[-1])}
    if by_name:
        names.add(each.name)
    for service in (each.before, each.after):
        for serving in service.facts.servings if service is not None else ():
            names |= {name.rsplit("/", 1)[-1] for name in serving.identities}
    return any(len(flat := _PLAIN.sub("", name.lower())) >= 4 and flat in said for name in names)
