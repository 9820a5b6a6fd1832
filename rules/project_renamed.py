"""The project gets another name, so nothing that runs belongs to it any more.

Compose finds its containers, networks and volumes by the project name: `-p`, `name:`, or the folder. Under another
name nothing is recreated or removed: the old containers keep running, new ones fail on their container names and
ports, and every volume without a `name:` of its own gets a new, empty twin.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    container_name: engine
    volumes: [models:/models]
volumes:
  models: {}
```

## Flagged

```yaml
name: serving
services:
  engine:
    image: registry.example/engine:1
    container_name: engine
    volumes: [models:/models]
volumes:
  models: {}
```

## Accepted: the rest changes, the name does not

```yaml
services:
  engine:
    image: registry.example/engine:2
    container_name: engine
    volumes: [models:/models]
volumes:
  models: {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, Deploy
from bot.model.finding import Found, Level, Outcome
from bot.model.place import Place
from bot.model.plan import Reason, Verb
from bot.model.project import Project
from bot.model.text import code, codes, counted
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        stranded = [each.service for each in deploy.plan.doing(Verb.KEEP_UNMANAGED) if each.reason is Reason.PROJECT]
        if stranded:
            yield _found(deploy, stranded)


def _found(deploy: Deploy, stranded: list[str]) -> Found:
    base, head = deploy.base, deploy.head
    conflicts = deploy.plan.of(Verb.CONFLICT)
    twins = sorted(
        key for key, old in base.host_names("volumes").items() if head.host_names("volumes").get(key, old) != old
    )
    said = [
        f"The project {_called(base)} becomes {_called(head)}: "
        f"{counted(len(stranded), 'container')} of the old name {'keeps' if len(stranded) == 1 else 'keep'} running ({codes(stranded)})."
    ]
    if conflicts:
        said.append(f"{codes(conflicts)} cannot start beside them: their container names or host ports are taken.")
    if twins:
        said.append(f"The volumes {codes(twins)} start anew, empty, under the new name.")
    keep = "the old name with `name:`" if base.named_by_checkout else f"the name with {code(f'name: {base.name}')}"
    return Found(
        at=head.name_at or Place.of_line(head.path, 1),
        about=(base.name, head.name),
        title="The project gets another name",
        says=" ".join(said),
        do=f"Keep {keep}, or take the old project down first and give each volume its old `name:`.",
    )


def _called(project: Project) -> str:
    return "of the checkout's folder" if project.named_by_checkout else code(project.name)
