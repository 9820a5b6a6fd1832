"""What this change takes away still stands elsewhere.

A line of a script or a config that is repaired in one file was usually copied into others. Where a sibling still
holds just the lines that this change replaces, it was missed, or somebody knows why it stays. The same goes
for an address that is replaced on one line of a script and stands on another.

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
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from bot.model.change import Change
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.text import code, codes, counted
from bot.model.value import Value
from bot.rulebook import rule

# A removed block must hold a line of this length, with two words, to be told from its surroundings.
_TELLING = 24
_WORDS = re.compile(r"[A-Za-z_]{3,}")


@dataclass(frozen=True)
class _Edit:
    """A run of lines of one inline config that this change replaces."""

    config: str
    removed: tuple[str, ...]
    project: Project
    at: Place


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    groups: dict[tuple[str, tuple[str, ...]], list[_Edit]] = {}
    for edit in _edits(change):
        groups.setdefault((edit.config, edit.removed), []).append(edit)
    causes: dict[tuple[str, tuple[str, ...]], list[tuple[list[_Edit], list[tuple[Project, Place]]]]] = {}
    for (name, _), edits in groups.items():
        left = [
            (project, found)
            for project in change.head.projects.values()
            if _beside(project, edits)
            and (found := _find(_lines(project.configs.get(name)), edits[0].removed)) is not None
        ]
        stated = {project.path: change.left_out(project.path) for project, _ in left}
        yield from (Excluded(path, each.said_in, each.quote) for path, each in stated.items() if each is not None)
        left = [(project, at) for project, at in left if stated[project.path] is None]
        if left:
            causes.setdefault((name, tuple(sorted({each.project.path for each in edits}))), []).append((edits, left))
    for (name, paths), runs in causes.items():
        yield _found(name, paths, runs)


def _found(name: str, paths: tuple[str, ...], runs: list[tuple[list[_Edit], list[tuple[Project, Place]]]]) -> Found:
    """One finding for all that was replaced in one config of the same files."""
    edits, left = max(runs, key=lambda run: (len(run[1]), max(map(len, run[0][0].removed))))
    shown = max(edits[0].removed, key=len)
    more = f" and {counted(len(runs) - 1, 'other run of lines', 'other runs of lines')}" if len(runs) > 1 else ""
    files = codes(sorted({project.path for _, places in runs for project, _ in places}))
    return Found(
        at=left[0][1],
        about=(name, *sorted(run[0].removed[0] for run, _ in runs)),
        says=(
            f"{codes(paths)} {'replaces' if len(paths) == 1 else 'replace'} {code(shown)}{more} in {code(name)}; "
            f"the old text still stands in {files}."
        ),
        do="Change it there too, or say in the pull request why it stays.",
        related=(
            *(Related(at, "still as before") for _, places in runs for _, at in places if at != left[0][1]),
            *(Related(each.at, "replaced here") for run, _ in runs for each in run),
        ),
        certainty=Certainty.LIKELY,
    )


def _edits(change: Change) -> Iterator[_Edit]:
    """The replaced runs of every inline config that both sides have."""
    for move in change.moves:
        if move.base is None or move.head is None:
            continue
        own = _own_words(move.base) | _own_words(move.head)
        for name, config in move.head.configs.items():
            old = move.base.configs.get(name)
            if old is None or old.same(config):
                continue
            after = _lines(config)
            before = [text for text, _ in _lines(old)]
            texts = [text for text, _ in after]
            for removed, start in _replaced(before, texts):
                if _telling(removed, texts, own):
                    yield _Edit(name, removed, move.head, after[min(start, len(after) - 1)][1])


def _own_words(project: Project) -> set[str]:
    """Names and label values of the project's own services: lines that hold one speak of this file alone."""
    found = set(project.services)
    for service in project.services.values():
        found.update(value.as_text for value in service.labels.values() if len(value.as_text) > 4)
        found.update(name for serving in service.facts.servings for name in serving.identities)
    return found


def _replaced(before: list[str], after: list[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Runs that others took the place of. What is merely deleted was often a feature of one file."""
    for tag, b1, b2, a1, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "replace":
            yield tuple(before[b1:b2]), a1


def _telling(removed: tuple[str, ...], after: list[str], own: set[str]) -> bool:
    """Whether the run is more than a bracket or a comment, is really gone, and names nothing of this file alone."""
    kept = set(after)
    if any(word in line for line in removed for word in own):
        return False
    return any(
        len(line) >= _TELLING and len(_WORDS.findall(line)) >= 2 and not line.startswith("#") and line not in kept
        for line in removed
    )


def _lines(config: Value | None) -> list[tuple[str, Place]]:
    """The lines of a config's body that are not blank, without their indentation, each with its place."""
    content = config.get("content") if config is not None else None
    return [(line.strip(), at) for line, at in content.lines() if line.strip()] if content is not None else []


def _find(lines: list[tuple[str, Place]], removed: tuple[str, ...]) -> Place | None:
    """Where the run stands, as a whole and in order."""
    texts = [text for text, _ in lines]
    for start in range(len(texts) - len(removed) + 1):
        if texts[start] == removed[0] and tuple(texts[start : start + len(removed)]) == removed:
            return lines[start][1].through(lines[start + len(removed) - 1][1])
    return None


def _beside(project: Project, edits: list[_Edit]) -> bool:
    """A sibling in a folder the change works in, that did not itself make this edit."""
    folder = project.path.rpartition("/")[0]
    return any(folder == edit.project.path.rpartition("/")[0] for edit in edits) and all(
        project is not edit.project for edit in edits
    )
