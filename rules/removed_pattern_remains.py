"""What this change takes away still stands elsewhere.

A line of a script or a config that is repaired in one file was usually copied into others. Where a sibling still
holds just the lines that this change replaces, it was missed, or somebody knows why it stays. The same goes
for a block that is added to one of several copies of a script and fits the others as well.

## Before

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf http://engine:8000/v1/models > /dev/null
      }
```

```yaml prod/b.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf http://engine:8000/v1/models > /dev/null
      }
```

## Flagged

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf -H "Authorization: Bearer $$TOKEN" http://engine:8000/v1/models > /dev/null
      }
```

## Accepted: both

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf -H "Authorization: Bearer $$TOKEN" http://engine:8000/v1/models > /dev/null
      }
```

```yaml prod/b.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf -H "Authorization: Bearer $$TOKEN" http://engine:8000/v1/models > /dev/null
      }
```

## Accepted: the text says that the other stays

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      check() {
        curl -sf -H "Authorization: Bearer $$TOKEN" http://engine:8000/v1/models > /dev/null
      }
```

```text
Authenticate the probe
prod/b.yaml is not affected: its engine is open.
```

## Before: three copies

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

```yaml prod/b.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

```yaml prod/c.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      echo "nothing to register"
      sleep infinity
```

## Flagged: a block that one copy gains

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      if [ -z "$$TOKEN" ]; then
        echo "PROBE_TOKEN is required" >&2
        exit 1
      fi
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

## Accepted: both copies gain it

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      if [ -z "$$TOKEN" ]; then
        echo "PROBE_TOKEN is required" >&2
        exit 1
      fi
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

```yaml prod/b.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      if [ -z "$$TOKEN" ]; then
        echo "PROBE_TOKEN is required" >&2
        exit 1
      fi
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

## Accepted: only a comment is added

```yaml prod/a.yaml
services:
  probe: {image: registry.example/probe:1, configs: [{source: script, target: /probe.sh}]}
configs:
  script:
    content: |
      #!/bin/sh
      TOKEN="$$PROBE_TOKEN"
      URL="https://hub.example"
      # The hub forgets an endpoint after two minutes,
      # and a lost registration is seen in its log.
      while true; do
        curl -sS -X POST "$$URL/register"
        sleep 60
      done
```

## Before: a script in two services

```yaml
services:
  watch-a:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf https://hub.example/alive || exit 1
        done
  watch-b:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf https://hub.example/alive || exit 1
        done
```

## Flagged: one of them is repaired

```yaml
services:
  watch-a:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf --max-time 10 https://hub.example/alive || exit 1
        done
  watch-b:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf https://hub.example/alive || exit 1
        done
```

## Accepted: both are

```yaml
services:
  watch-a:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf --max-time 10 https://hub.example/alive || exit 1
        done
  watch-b:
    image: registry.example/tool:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        while sleep 60; do
          curl -sf --max-time 10 https://hub.example/alive || exit 1
        done
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.text import code, codes, counted
from bot.rulebook import rule
from rules._edits import Edit, edits

_Left = list[tuple[Project, Place]]


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    groups: dict[tuple[object, ...], list[Edit]] = {}
    for edit in edits(change):
        groups.setdefault(edit.identity, []).append(edit)
    causes: dict[tuple[str, str, tuple[str, ...]], list[tuple[list[Edit], _Left]]] = {}
    for group in groups.values():
        left = [
            (project, at)
            for project in change.head.projects.values()
            if _beside(project, group) and (at := group[0].left_in(project)) is not None
        ]
        stated = {project.path: change.left_out(project.path) for project, _ in left}
        yield from (Excluded(path, each.said_in, each.quote) for path, each in stated.items() if each is not None)
        left = [(project, at) for project, at in left if stated[project.path] is None]
        if left:
            paths = tuple(sorted({each.project.path for each in group}))
            first = group[0]
            causes.setdefault((first.name if not first.field else "", first.field, paths), []).append((group, left))
    for (_, _, paths), runs in causes.items():
        yield _found(paths, runs)


def _found(paths: tuple[str, ...], runs: list[tuple[list[Edit], _Left]]) -> Found:
    """One finding for all that was done to one config, or to scripts, of the same files."""
    group, left = max(runs, key=lambda run: (bool(run[0][0].removed), len(run[1]), len(run[0][0].shown)))
    more = f" and {counted(len(runs) - 1, 'other run of lines', 'other runs of lines')}" if len(runs) > 1 else ""
    replaced = bool(group[0].removed)
    verb = ("replace" if replaced else "add") + ("s" if len(paths) == 1 else "")
    first = group[0]
    where = f"the {first.field} of {codes(sorted({each.name for each in group}))}" if first.field else code(first.name)
    files = codes(sorted({project.path for _, places in runs for project, _ in places}))
    still = "the old text still stands in" if replaced else "it would fit the same place in"
    return Found(
        at=left[0][1],
        about=(first.field or first.name, *sorted((run[0].removed or run[0].added)[0] for run, _ in runs)),
        says=f"{codes(paths)} {verb} {code(group[0].shown)}{more} in {where}; {still} {files}.",
        do="Change it there too, or say in the pull request why it stays.",
        related=(
            *(Related(at, "still as before") for _, places in runs for _, at in places if at != left[0][1]),
            *(Related(each.at, "changed here") for run, _ in runs for each in run),
        ),
        level=Level.NOTE if all(each.reshaped for run, _ in runs for each in run) else None,
        certainty=Certainty.LIKELY,
    )


def _beside(project: Project, group: list[Edit]) -> bool:
    """A sibling in a folder the change works in, that did not itself make this edit; for scripts, the file itself."""
    folder = project.path.rpartition("/")[0]
    return any(folder == edit.project.path.rpartition("/")[0] for edit in group) and all(
        edit.field or project is not edit.project for edit in group
    )
