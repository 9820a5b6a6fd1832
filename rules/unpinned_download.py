"""A download names no revision, or a branch.

What the hub's default branch holds on the day of the next cold start is what will be served: a change of weights or of
a chat template nobody reviewed, and a different one on each host.

## Before

```yaml
services:
  web: {image: registry.example/web:1}
```

## Flagged

```yaml
services:
  web: {image: registry.example/web:1}
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini"
```

## Accepted

```yaml
services:
  web: {image: registry.example/web:1}
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        for download in service.facts.downloads:
            if not download.known or (download.revision and _COMMIT.fullmatch(download.revision)):
                continue
            at = f"the revision {code(download.revision)}, which can move" if download.revision else "no revision"
            yield Found(
                at=download.at,
                about=(service.name, download.ref),
                says=f"{code(service.name)} downloads {code(download.named)} with {at}.",
                do="Pin it: `--revision <commit>`.",
                service=service.name,
            )
