"""A variable must now be set, or every command on the file fails.

Compose fills in variables in the whole file before anything else: `x-` blocks and services behind a profile that nobody
enables included. One `${NAME:?}` anywhere makes `up`, `down` and `config` end with an error on every host that does
not set it.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {HF_TOKEN: "${HF_TOKEN:?set it}"}
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {HF_TOKEN: "${HF_TOKEN:?set it}"}
  bridge:
    image: registry.example/bridge:1
    profiles: [bridge]
    environment: {TOKEN: "${BRIDGE_TOKEN:?needed by the bridge}"}
```

## Accepted: a default

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {HF_TOKEN: "${HF_TOKEN:?set it}"}
  bridge:
    image: registry.example/bridge:1
    profiles: [bridge]
    environment: {TOKEN: "${BRIDGE_TOKEN:-}"}
```

## Accepted: it was required before

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {HF_TOKEN: "${HF_TOKEN:?set it}"}
  other:
    image: registry.example/engine:1
    environment: {HF_TOKEN: "${HF_TOKEN:?set it}"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project, VariableUse
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        known = {use.name for use in deploy.base.variables if use.required}
        known |= {name for name, value in change.settings.variables.items() if value is not None}
        new: dict[str, VariableUse] = {}
        for use in deploy.head.variables:
            if use.required and use.name not in known:
                new.setdefault(use.name, use)
        if new:
            yield _found(deploy.base, new)


def _found(base: Project, new: dict[str, VariableUse]) -> Found:
    names = sorted(new)
    one = len(names) == 1
    optional = sorted({use.name for use in base.variables} & set(names))
    left_out = "it" if one else "all of them" if optional == names else codes(optional)
    was = f" ({left_out} could be left out before)" if optional else ""
    first = new[names[0]]
    return Found(
        at=first.at,
        about=tuple(names),
        title="A variable must now be set on every host",
        says=(
            f"{codes(names)} {'is' if one else 'are'} required now{was}: Compose fills in the whole file, unused profiles and `x-` blocks too, "
            f"so every command on it fails where {'it is' if one else 'one is'} not set."
        ),
        do=f"Set {'it' if one else 'them'} on every host before the deploy, or write {code('${' + names[0] + ':-}')} and check inside the container.",
        related=tuple(Related(use.at, f"needs {code(use.name)}") for use in new.values()),
    )
