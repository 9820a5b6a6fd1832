"""A service reads a model snapshot that nothing puts there before it starts.

An engine that is given a path into the hub's cache does not download: if the snapshot is missing the engine
ends at once, and its restarts end too. The service it waits for must fetch just that repository, revision and
file. Which of the two lines is right cannot be told from here; that they differ can.

## Before

```yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command: ["set -e; hf download acme/tiny --revision 1111111111111111111111111111111111111111"]
  engine:
    image: registry.example/engine:1
    command: --model-path /root/.cache/huggingface/hub/models--acme--tiny/snapshots/1111111111111111111111111111111111111111
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Flagged

```yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command: ["set -e; hf download acme/tiny --revision 1111111111111111111111111111111111111111"]
  engine:
    image: registry.example/engine:1
    command: --model-path /root/.cache/huggingface/hub/models--acme--tiny/snapshots/2222222222222222222222222222222222222222
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Accepted

```yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command: ["set -e; hf download acme/tiny --revision 2222222222222222222222222222222222222222"]
  engine:
    image: registry.example/engine:1
    command: --model-path /root/.cache/huggingface/hub/models--acme--tiny/snapshots/2222222222222222222222222222222222222222
    depends_on:
      downloader:
        condition: service_completed_successfully
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.facts import Download, Snapshot
from bot.model.finding import Certainty, Found, Level, Outcome, Passed, Related
from bot.model.project import Project
from bot.model.service import Condition, Service
from bot.model.text import code
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    fetched = [(service, each) for service in project.services.values() for each in service.facts.downloads]
    for service in project.services.values():
        awaited = _awaited(project, service)
        for snapshot in service.facts.snapshots:
            same = [
                (by, each) for by, each in fetched if each.repository == snapshot.repository and each.target is None
            ]
            holding = [by for by, each in same if _holds(each, snapshot)]
            if any(by.name in awaited for by in holding):
                yield Passed(
                    "each snapshot that is read is downloaded by the service that its reader waits for", project.path
                )
            elif holding:
                yield _not_awaited(service, snapshot, holding[0])
            elif same and all(each.known for _, each in same):
                yield _other_revision(service, snapshot, same)


def _awaited(project: Project, service: Service) -> set[str]:
    """Everything that has run to its end before this service starts."""
    found: set[str] = set()
    queue = [service]
    while queue:
        for wait in queue.pop().waits:
            other = project.services.get(wait.service)
            if other is not None and other.name not in found and wait.condition is not Condition.STARTED:
                found.add(other.name)
                queue.append(other)
    return found


def _holds(download: Download, snapshot: Snapshot) -> bool:
    if not download.known:
        return True  # a variable decides: nothing can be said against it
    if download.revision is not None and download.revision != snapshot.revision:
        return False
    return not download.files or snapshot.file in download.files


def _not_awaited(service: Service, snapshot: Snapshot, by: Service) -> Found:
    return Found(
        at=snapshot.at,
        about=("not-awaited", service.name, snapshot.ref),
        title="A snapshot may not be there yet",
        says=f"{code(service.name)} reads {code(snapshot.ref)}, which {code(by.name)} downloads, but does not wait for it.",
        do=f"Let {code(service.name)} wait for {code(by.name)} with `condition: service_completed_successfully`.",
        service=service.name,
        related=(Related(by.at, "downloads it"),),
        level=Level.WARNING,
        certainty=Certainty.LIKELY,
    )


def _other_revision(service: Service, snapshot: Snapshot, same: list[tuple[Service, Download]]) -> Found:
    refs = " and ".join(dict.fromkeys(code(each.ref) for _, each in same))
    by = same[0][0]
    return Found(
        at=snapshot.at,
        about=("missing", service.name, snapshot.ref),
        title="A snapshot that is read is not downloaded",
        says=f"{code(service.name)} reads {code(snapshot.ref)}, but {code(by.name)} downloads {refs}.",
        do="Make the download and the path name the same revision.",
        service=service.name,
        related=tuple(Related(each.step, f"downloads {code(each.ref)}") for _, each in same),
    )
