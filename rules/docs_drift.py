"""A document no longer describes the files.

A table that lists the deployments misses the new one; a page names a file that is gone; a row states a layout that its file
has left. People deploy from these pages.

## Before

```yaml prod/a.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/a --tensor-parallel-size 2}}
```

```yaml prod/b.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/b --tensor-parallel-size 2}}
```

```yaml prod/c.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/c --tensor-parallel-size 2}}
```

```markdown
| file | layout |
|---|---|
| `prod/a.yaml` | one replica, TP2 |
| `prod/b.yaml` | one replica, TP2 |
| `prod/c.yaml` | one replica, TP2 |
```

## Flagged: a new file that the table misses

```yaml prod/d.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/d --tensor-parallel-size 2}}
```

## Flagged: a file that is gone

```yaml prod/c.yaml
gone
```

## Flagged: a row that its file has left

```yaml prod/c.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/c --tensor-parallel-size 4}}
```

## Accepted

```yaml prod/c.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/c --tensor-parallel-size 4}}
```

```yaml prod/d.yaml
services: {engine: {image: registry.example/engine:1, command: serve --model acme/d --tensor-parallel-size 2}}
```

```markdown
| file | layout |
|---|---|
| `prod/a.yaml` | one replica, TP2 |
| `prod/b.yaml` | one replica, TP2 |
| `prod/c.yaml` | one replica, TP4 |
| `prod/d.yaml` | one replica, TP2 |
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.change import Change, FileStatus, Move
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

# A document lists the files of a folder when rows of it name more than this share of them, and at least three.
_MOST = 0.6
_ROW = re.compile(r"^\s*(?:\||[-*+]\s|\d+[.)]\s|[│├└])")
_CELLS = re.compile(r"\s*\|(?P<first>[^|]*)\|(?P<rest>.*)")
_PARALLEL = re.compile(r"(?<![A-Za-z0-9-])TP-?(\d{1,3})(?![\w-])", re.IGNORECASE)


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for document, lines in change.texts.items():
        yield from _missing(change, document, lines)
        yield from _gone(change, document, lines)
        for move in change.moves:
            yield from _layout(move, document, lines)


def _named(path: str, line: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return bool(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", line))


def _missing(change: Change, document: str, lines: tuple[str, ...]) -> Iterator[Found]:
    for file in change.files:
        if file.status is not FileStatus.ADDED or file.path not in change.head.projects:
            continue
        folder = file.path.rpartition("/")[0]
        others = [
            path for path in change.base.projects if path.rpartition("/")[0] == folder and path in change.head.projects
        ]
        listing = [(number, line) for number, line in enumerate(lines, start=1) if _ROW.match(line)]
        rows = {path: number for path in others for number, line in listing if _named(path, line)}
        if (
            len(set(rows.values())) < 3
            or len(rows) <= _MOST * len(others)
            or any(_named(file.path, line) for line in lines)
        ):
            continue
        some = "all" if len(rows) == len(others) else f"{len(rows)} of the"
        yield Found(
            at=Place.of_line(document, max(rows.values())),
            about=("missing", change.home(document), file.path),
            title="A document that lists the files misses the new one",
            says=f"{code(document)} names {some} {len(others)} other files beside {code(file.path)}, and not this one.",
            do=f"Add {code(file.path)}.",
            related=(Related(Place.of_line(file.path, 1), "the new file"),),
        )


def _gone(change: Change, document: str, lines: tuple[str, ...]) -> Iterator[Found]:
    for file in change.files:
        old = file.old_path
        if file.status not in (FileStatus.DELETED, FileStatus.RENAMED) or old not in change.base.projects:
            continue
        name = old.rsplit("/", 1)[-1]
        if any(path.rsplit("/", 1)[-1] == name for path in change.head.files):
            continue  # moved to another folder: the name still leads there
        for number, line in enumerate(lines, start=1):
            if _named(old, line):
                new = f" It is now {code(file.path)}." if file.status is FileStatus.RENAMED else ""
                yield Found(
                    at=Place.of_line(document, number),
                    about=("gone", change.home(document), old),
                    title="A document names a file that is gone",
                    says=f"{code(document)} still names {code(old)}, which this change {'renames' if new else 'deletes'}.{new}",
                    do="Bring the line up to date.",
                )
                break


def _layout(move: Move, document: str, lines: tuple[str, ...]) -> Iterator[Found]:
    """A table row about the file that states a tensor parallel size which the file has just left."""
    if move.base is None or move.head is None:
        return
    for number, line in enumerate(lines, start=1):
        row = _CELLS.match(line)
        if row is None or not _named(move.path, row["first"]):
            continue
        stated = {int(size) for size in _PARALLEL.findall(row["rest"])}
        gone = stated and stated - _sizes(move.head)
        for size in sorted(gone and gone & _sizes(move.base)):
            yield Found(
                at=Place.of_line(document, number),
                about=("layout", move.home, str(size)),
                title="A document's row states a layout that its file has left",
                says=f"The row about {code(move.path)} says TP{size}; no engine of the file has that tensor parallel size any more.",
                do="Bring the row up to date.",
                certainty=Certainty.LIKELY,
            )


def _sizes(project: Project) -> set[int]:
    """The tensor parallel sizes of its engines: 1 where only another size is stated."""
    return {
        serving.tensor or 1
        for service in project.services.values()
        for serving in service.facts.servings
        if serving.parallel
    }
