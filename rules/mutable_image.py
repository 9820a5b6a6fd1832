"""An image is named by something that can be moved.

A tag may point to another image tomorrow: a host that pulls later runs something else under the same file, and a
container that is recreated for another reason changes its program too. A digest cannot move. Said only in a
repository that pins most of its images, and of images it did not name before.

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

from bot.model.change import Change, ServiceMove
from bot.model.facts import ImageRef
from bot.model.finding import Found, Level, Outcome
from bot.model.project import Estate
from bot.model.text import code
from bot.rulebook import rule

_MOVING = ("latest", "main", "master", "nightly", "dev", "edge", "stable", "rolling", "canary")


@rule(Change, level=Level.NOTE)
def check(change: Change) -> Iterator[Outcome]:
    before = [image for image in _images(change.base) if image.known]
    known = {image.text for image in before}
    pins = sum(1 for image in before if image.digest) * 2 >= len(before)
    for move in change.moves:
        for each in move.changed:
            image = each.after.facts.image if each.after else None
            if each.after is None or image is None or not image.known or image.digest or each.after.value.get("build"):
                continue
            if image.text not in known and (pins or _moved(each, image)):
                yield _found(each, image)


def _images(estate: Estate) -> Iterator[ImageRef]:
    for _, service in estate.services:
        if service.facts.image is not None:
            yield service.facts.image


def _moved(each: ServiceMove, image: ImageRef) -> bool:
    """Whether this change chose the tag for a service that had another one."""
    old = each.before.facts.image if each.before else None
    return old is not None and old.name == image.name and old.tag != image.tag


def _found(each: ServiceMove, image: ImageRef) -> Found:
    service = each.known
    old = each.before.facts.image if each.before else None
    lost = old is not None and old.digest is not None
    moving = image.tag is None or image.tag.lower().startswith(_MOVING)
    if lost:
        says = f"{code(service.name)} was pinned by digest and now runs {code(image.text)}."
    elif moving:
        says = f"{code(service.name)} runs {code(image.text)}, a tag that is meant to move."
    else:
        says = f"{code(service.name)} runs {code(image.text)} without a digest."
    return Found(
        at=(service.value.get("image") or service.value).whole,
        about=(image.text,),
        says=says,
        do="Add the digest: `name:tag@sha256:…`.",
        service=service.name,
        level=Level.WARNING if lost else None,
    )
