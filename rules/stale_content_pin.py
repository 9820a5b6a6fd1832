"""Another file states the digest of what this file held before.

Somebody pinned the content so that a change would be noticed: a check that compares digests now fails, or, when
it runs only at deploy time, fails there.

## Before

```yaml prod/small.yaml
services:
  web:
    image: registry.example/web:1
```

```text SHA256SUMS
0b2df7fa3011da4b6282b239ad492617f6fcf38da6ccbc32e9d1f8730bc1b240  prod/small.yaml
```

## Flagged

```yaml prod/small.yaml
services:
  web:
    image: registry.example/web:2
```

## Accepted

```yaml prod/small.yaml
services:
  web:
    image: registry.example/web:2
```

```text SHA256SUMS
2395db09ef7b498224e7be14d5bcb99b72595019d02e77436cbe9587b3d38d12  prod/small.yaml
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.finding import Found, Level, Outcome, Passed, Related
from bot.model.place import Place
from bot.model.text import code
from bot.rulebook import rule


@rule(Change, level=Level.ERROR)
def check(change: Change) -> Iterator[Outcome]:
    for pin in change.pins:
        if pin.renewed is not None:
            yield Passed(
                "content pins are renewed", f"{code(str(pin.renewed))} pins the new content of {code(pin.target)}"
            )
        elif pin.now is not None:
            yield Found(
                at=pin.now,
                about=(pin.algorithm, change.home(pin.target), change.home(pin.now.file)),
                title="A pin of this file's content is stale",
                says=f"{code(pin.now.file)} still states the {pin.algorithm.upper()} of the old content of {code(pin.target)}.",
                do=f"Renew the digest in {code(pin.now.file)}.",
                related=(Related(Place.of_line(pin.target, 1), "the pinned file, changed here"),),
            )
