"""A new download that nothing in the project reads, and that no sentence explains.

It costs time and disk at every cold start, and it can fail. A model that is fetched ahead of a later switch is
usually announced: a pull request or a comment that names it is enough.

## Before

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
```

## Flagged

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111 && hf download acme/large --revision 2222222222222222222222222222222222222222"
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
```

## Accepted: the text names it

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111 && hf download acme/large --revision 2222222222222222222222222222222222222222"
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini
```

```text
Fetch ahead
Brings acme/large to the hosts before the switch.
```

## Accepted: it is served

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/large --revision 2222222222222222222222222222222222222222"
  engine:
    image: registry.example/engine:1
    command: serve --model acme/large
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Move
from bot.model.facts import Download
from bot.model.finding import Certainty, Found, Level, Outcome
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule


@rule(Change, level=Level.NOTE)
def check(change: Change) -> Iterator[Outcome]:
    for move in change.moves:
        for service, download in _new(move):
            if not _read(move, service, download) and not _named(change, download):
                yield Found(
                    at=download.step,
                    about=(service.name, download.ref),
                    says=f"{code(service.name)} now downloads {code(download.ref)}, which no service of {code(move.path)} reads.",
                    do="Say in the pull request what it is for, or leave it out.",
                    service=service.name,
                    certainty=Certainty.LIKELY,
                )


def _new(move: Move) -> Iterator[tuple[Service, Download]]:
    if move.base is None:
        return
    found = [
        (each.after, download)
        for each in move.changed
        if each.after is not None
        for download in each.after.facts.downloads
        if download.known
    ]
    known = {each.repository for service in move.base.services.values() for each in service.facts.downloads if found}
    yield from ((service, download) for service, download in found if download.repository not in known)


def _read(move: Move, by: Service, download: Download) -> bool:
    services = move.head.services.values() if move.head else ()
    return any(service is not by and service.facts.uses(download.repository) for service in services)


def _named(change: Change, download: Download) -> bool:
    name = download.repository.rsplit("/", 1)[-1].lower()
    said = [text for _, text in change.pull.texts]
    said += [statement.quote for statement in change.statements if statement.touched]
    return any(name in text.lower() for text in said)
