"""A service that must download is told to stay offline.

With HF_HUB_OFFLINE set, the hub's client looks only into its cache: the download fails, or finds an old copy and
reports success. Usually the variable came along with an anchor that the engines share.

## Before

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
```

## Flagged

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    environment: {HF_HUB_OFFLINE: "1"}
```

## Accepted

```yaml
services:
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
    environment: {HF_HUB_OFFLINE: "0"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

_VARIABLES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_ON = {"1", "true", "yes", "on"}


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        if not service.facts.downloads:
            continue
        value = service.environment.get("HF_HUB_OFFLINE")
        if value is not None and value.as_text.strip().lower() in _ON:
            yield Found(
                at=value.whole,
                about=(service.name,),
                says=f"{code(service.name)} downloads {code(service.facts.downloads[0].named)} with `HF_HUB_OFFLINE` set.",
                do="Take the variable out of this service.",
                service=service.name,
                related=(Related(service.facts.downloads[0].step, "the download"),),
            )
