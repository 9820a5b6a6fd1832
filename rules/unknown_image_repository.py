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

import re
from collections.abc import Iterator

from bot.model.change import Change
from bot.model.facts import ImageRef
from bot.model.finding import Found, Level, Outcome
from bot.model.project import Estate
from bot.model.text import code
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    known = {image.name for image in _images(change.base)}
    for move in change.moves:
        for each in move.changed:
            image = each.after.facts.image if each.after else None
            if each.after is None or image is None or not image.known or image.name in known:
                continue
            same = next((old for old in _images(change.base) if _renamed(old, image)), None)
            if same is None:
                continue
            what = "digest" if image.digest else "tag"
            yield Found(
                at=(each.after.value.get("image") or each.after.value).whole,
                about=(image.name, image.digest or image.tag or ""),
                title="The same image under a name that no file used before",
                says=(
                    f"{code(each.after.name)} runs the {what} of {code(same.name)} from {code(image.name)}, "
                    "a repository that no file named before."
                ),
                do=f"If only the service was to be renamed, keep {code(same.name)}.",
                service=each.after.name,
            )


def _renamed(old: ImageRef, new: ImageRef) -> bool:
    """The same digest; or, without one, the same telling tag beside it in the same registry folder."""
    if new.digest:
        return old.digest == new.digest
    folder, other = new.name.rpartition("/")[0], old.name.rpartition("/")[0]
    return folder == other and old.tag == new.tag and len(re.findall(r"\d+", new.tag or "")) >= 3


def _images(estate: Estate) -> Iterator[ImageRef]:
    for _, service in estate.services:
        image = service.facts.image
        if image is not None and image.known:
            yield image
