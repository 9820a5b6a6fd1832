"""A value is written as a number and arrives as another text.

Compose reads an unquoted `0777`, `1e3`, `1.10` or `1_000` as a number and hands the container `511`, `1000`, `1.1`,
`1000`. Quotes keep what is written.

## Before

```yaml
services:
  web:
    image: registry.example/web:1
```

## Flagged

```yaml
services:
  web:
    image: registry.example/web:1
    environment:
      API_VERSION: 1.10
```

## Accepted

```yaml
services:
  web:
    image: registry.example/web:1
    environment:
      API_VERSION: "1.10"
      WORKERS: 4
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome
from bot.model.node import Style
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

# Where a container sees the text itself. Sizes, ports and modes are numbers by meaning.
_FIELDS = ("environment", "labels", "command", "entrypoint", "annotations", "sysctls")


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        for name in _FIELDS:
            value = service.value.get(name)
            for path, each in value.walk() if value is not None else ():
                source = each.source
                if (
                    source is None
                    or source.style is not Style.PLAIN
                    or "$" in source.text
                    or not source.text[:1].isdigit()
                ):
                    continue
                if each.as_text != source.text:
                    yield Found(
                        at=each.whole,
                        about=(service.name, name, *path, source.text),
                        says=f"{code(service.name)} gets {code(each.as_text)} where {code(source.text)} is written ({code('.'.join((name, *path)))}).",
                        do=f"Quote it: {code(chr(34) + source.text + chr(34))}.",
                        service=service.name,
                    )
