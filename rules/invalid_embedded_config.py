"""The text of an inline config does not parse.

Compose hands the body on as it stands: the file is valid, and the program that reads it ends at start. Looked at are
bodies that are meant to be YAML, JSON, nginx or shell, by the name they are mounted under or by their text.

## Before

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {}
```

## Flagged

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {
```

## Accepted

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {}
        zipkin: {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Passed
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    seen: set[str] = set()
    for service in project.services.values():
        for body in service.facts.embedded:
            if body.config in seen:
                continue
            seen.add(body.config)
            if body.fault is None:
                continue
            says, at = body.fault
            yield Found(
                at=at,
                about=(body.config, body.language, says),
                title=f"An inline config is not valid {body.language}",
                says=f"{code(body.config)}, which {code(service.name)} reads as {body.language}, does not parse: {code(says)}.",
                do="Repair the line; the container ends at start with it.",
                service=service.name,
            )
    if seen:
        yield Passed("inline configs parse", project.path)
