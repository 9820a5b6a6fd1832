"""A file joins the project name of another one, and deploying one of them removes the other's containers.

Without `name:` or `-p` the folder names the project. Two files of one folder, or of two folders of one name, are then
one project for Docker Compose: `up --remove-orphans` on the second stops and removes every container of the first
that it does not list, and volumes, networks and container names are shared. A note where each host runs one file
(`one_file_per_host`), where three files or more share a name already, and where orphans are not removed.

## Before

```yaml prod/alpha.yaml
services:
  engine-a:
    image: registry.example/engine:1
```

## Flagged

```yaml prod/alpha.yaml
services:
  engine-a:
    image: registry.example/engine:1
```

```yaml prod/beta.yaml
services:
  engine-b:
    image: registry.example/engine:1
```

## Accepted: a name of its own

```yaml prod/beta.yaml
name: beta
services:
  engine-b:
    image: registry.example/engine:1
```

## Accepted: another folder

```yaml staging/beta.yaml
services:
  engine-b:
    image: registry.example/engine:1
```
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from bot.model.change import Change
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.text import code, codes
from bot.rulebook import rule

PRACTICE = 3  # files that shared one name before: whoever deploys them knows

_VARIANT = re.compile(r"^(?:docker-)?compose(?:\.[\w.-]+)?\.ya?ml$")


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for move in change.moves:
        new = move.head
        if new is None or new.problems or (move.base is not None and move.base.name == new.name):
            continue
        others = [each for each in change.head.projects.values() if _shares(each, new)]
        if others:
            yield _found(change, new, others)


def _shares(other: Project, new: Project) -> bool:
    if other.path == new.path or other.name != new.name or other.problems:
        return False
    return not (set(other.files) & set(new.files) or _overlay(other, new) or _overlay(new, other))


def _overlay(one: Project, other: Project) -> bool:
    """`compose.prod.yaml` beside `compose.yaml`: meant to be loaded with it, or in its place."""
    (folder, name), (other_folder, other_name) = _split(one.path), _split(other.path)
    return folder == other_folder and bool(_VARIANT.match(name) and _VARIANT.match(other_name))


def _split(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def _found(change: Change, new: Project, others: list[Project]) -> Found:
    settled = max(Counter(each.name for each in change.base.projects.values()).values(), default=0) >= PRACTICE
    orphans = any(plan.removes_orphans for plan in change.plans)
    why = "`name:` says so" if new.name_at is not None else "their folder names it"
    name = "" if new.named_by_checkout else f", {code(new.name)}"
    lost = [
        name
        for each in others
        for name in each.services
        if name not in new.services and not each.services[name].profiles
    ]
    effect = (
        f"deploying {code(new.path)} where {'that' if len(others) == 1 else 'one of these'} runs stops and removes {codes(dict.fromkeys(lost))}"
        if orphans and lost
        else "networks, volumes and container names are shared"
    )
    quiet = change.settings.one_file_per_host or settled or not orphans
    return Found(
        at=new.name_at or Place.of_line(new.path, 1),
        about=(new.name,),
        title="Two files are one project",
        says=f"{code(new.path)} is one project with {codes([each.path for each in others])}{name} ({why}): {effect}.",
        do="Give the new file a `name:` of its own; adding one to a file that is deployed renames its project.",
        related=tuple(Related(each.name_at or Place.of_line(each.path, 1), "the same project") for each in others),
        level=Level.NOTE if quiet else Level.WARNING,
    )
