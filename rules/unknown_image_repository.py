"""An image comes from a repository that no file named before.

A search-and-replace over a file can rename an image's repository along with a service: nothing notices before the host
pulls. The same digest under another name is the surest sign.

## Before

```yaml prod/a.yaml
services:
  metrics:
    image: registry.example/gpu-exporter@sha256:1111111111111111111111111111111111111111111111111111111111111111
```

## Flagged

```yaml prod/a.yaml
services:
  metrics-mini:
    image: registry.example/gpu-exporter-mini@sha256:1111111111111111111111111111111111111111111111111111111111111111
```

## Accepted: another version

```yaml prod/a.yaml
services:
  metrics:
    image: registry.example/gpu-exporter@sha256:2222222222222222222222222222222222222222222222222222222222222222
```

## Accepted: the same image through another spelling

```yaml prod/a.yaml
services:
  metrics:
    image: registry.example/gpu-exporter:3@sha256:1111111111111111111111111111111111111111111111111111111111111111
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.facts import ImageRef
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Estate
from bot.model.text import code
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    known = {image.name for image in _images(change.base)}
    by_digest: dict[str, ImageRef] = {}
    for old in _images(change.base):
        if old.digest:
            by_digest.setdefault(old.digest, old)
    for move in change.moves:
        for each in move.changed:
            image = each.after.facts.image if each.after else None
            if each.after is None or image is None or not image.known or image.name in known or not image.digest:
                continue
            same = by_digest.get(image.digest)
            if same is None:
                continue
            yield Found(
                at=(each.after.value.get("image") or each.after.value).whole,
                about=(image.name, image.digest),
                title="The same image under a name that no file used before",
                says=f"{code(each.after.name)} runs the digest of {code(same.name)} from {code(image.name)}, a repository that no file named before.",
                do=f"If only the service was to be renamed, keep {code(same.name)}.",
                service=each.after.name,
                related=(Related(same.at, "the same digest under its known name"),)
                if same.at.file in change.head.files
                else (),
            )


def _images(estate: Estate) -> Iterator[ImageRef]:
    for _, service in estate.services:
        image = service.facts.image
        if image is not None and image.known:
            yield image
