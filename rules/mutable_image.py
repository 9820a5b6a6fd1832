"""An image is named by something that can be moved.

A tag may point to another image tomorrow: a host that pulls later runs something else under the same file, and a
container that is recreated for another reason changes its program too. A digest cannot move.

## Before

```yaml
services:
  engine:
    image: registry.example/engine@sha256:1111111111111111111111111111111111111111111111111111111111111111
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:nightly
```

## Accepted

```yaml
services:
  engine:
    image: registry.example/engine@sha256:2222222222222222222222222222222222222222222222222222222222222222
```

## Accepted: a variable decides at deploy time

```yaml
services:
  engine:
    image: registry.example/engine:${ENGINE_VERSION}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Move
from bot.model.finding import Found, Level, Outcome
from bot.model.text import code
from bot.rulebook import rule

_MOVING = ("latest", "main", "master", "nightly", "dev", "edge", "stable", "rolling", "canary")


@rule(Move, level=Level.NOTE)
def check(move: Move) -> Iterator[Outcome]:
    for before, after in move.changed:
        image = after.facts.image if after else None
        old = before.facts.image if before else None
        if after is None or image is None or not image.known or image.digest or after.value.get("build"):
            continue
        if old is not None and old.text == image.text:
            continue
        lost = old is not None and old.digest is not None
        moving = image.tag is None or image.tag.lower().startswith(_MOVING)
        if lost:
            says = f"{code(after.name)} was pinned by digest and now runs {code(image.text)}."
        elif moving:
            says = f"{code(after.name)} runs {code(image.text)}, a tag that is meant to move."
        else:
            says = f"{code(after.name)} runs {code(image.text)} without a digest."
        yield Found(
            at=(after.value.get("image") or after.value).whole,
            about=(after.name, image.text),
            says=says,
            do="Add the digest: `name:tag@sha256:…`.",
            service=after.name,
            level=Level.WARNING if lost or (moving and old is not None and old.tag != image.tag) else None,
        )
