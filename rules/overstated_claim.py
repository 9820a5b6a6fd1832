"""A comment, a document or the pull request's text claims more than the files bear out.

The next reader believes the sentence: they count on the file that was left out, or deploy what was said to touch
nothing. Only sentences that the model can decide are held against it.

## Before

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```yaml prod/shared.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Flagged

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    # Every Meadow file also fetches the INT4 snapshot.
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Accepted: the sentence takes the other file out

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    # Every Meadow file (not prod/shared.yaml) also fetches the INT4 snapshot.
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Accepted: the sentence is true

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    # Every Meadow file also fetches the INT4 snapshot.
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```yaml prod/shared.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Flagged: the pull request's text says what does not hold

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```text
Fetch more
No downloader change.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.finding import Found, Level, Outcome
from bot.model.place import Place
from bot.model.prose import ClaimKind, Judgement, Medium
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for judged in change.judgements:
        if judged.holds is not False:
            continue
        yield Found(
            at=_place(judged, change),
            about=judged.about,
            title=_title(judged),
            says=judged.says,
            do=judged.do,
            related=judged.evidence,
        )


def _place(judged: Judgement, change: Change) -> Place:
    """The sentence's own place; for the pull request's text, where the files contradict it."""
    if judged.statement.at is not None:
        return judged.statement.at
    if judged.evidence:
        return judged.evidence[0].at
    return Place.of_line(change.files[0].path, 1)


def _title(judged: Judgement) -> str:
    spoken = (
        "The pull request's text"
        if judged.statement.medium is Medium.PULL_REQUEST
        else f"The {judged.statement.medium}"
    )
    if judged.statement.claim.kind in (ClaimKind.EVERY, ClaimKind.EVERYWHERE):
        return f"{spoken} claims more files than the change covers"
    return f"{spoken} says what the files do not bear out"
