"""An entry of an environment list is no variable.

In list form every entry is a name, with or without a value. A line pasted from `volumes` or `command` is taken as the
name of a variable that nothing sets: Compose accepts it, the mount or flag is missing, and nobody says so.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment:
      - MODE=fast
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment:
      - MODE=fast
      - cache:/root/.cache
```

## Accepted

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment:
      - MODE=fast
      - HF_TOKEN
      - dotted.name=1
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

_NAME = re.compile(r"[A-Za-z_][\w.-]*")


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        for name, value in service.environment.items():
            if _NAME.fullmatch(name) or "$" in name:
                continue
            kind = (
                "looks like a mount"
                if re.match(r"[\w./~-]*:/", name)
                else "looks like a flag"
                if name.startswith("-")
                else "is no name of a variable"
            )
            yield Found(
                at=value.key_at or value.at,
                about=(service.name, name),
                says=f"{code(name)} in the environment of {code(service.name)} {kind}.",
                do="Move the line to where it belongs.",
                service=service.name,
            )
