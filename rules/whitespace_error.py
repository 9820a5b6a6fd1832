"""Added lines end in blanks, or hold what an unfinished merge left behind.

Blanks at the end of a line are part of a block scalar's text, and so of the container's configuration and its hash. The
markers of a merge conflict are never meant.

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
    command: |
      serve\x20\x20
      now
```

## Accepted

```yaml
services:
  web:
    image: registry.example/web:1
    command: |
      serve
      now
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.change import Change, FileChange
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.text import counted
from bot.rulebook import rule

_MARKER = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)|^={7}$")
# Two blanks at the end of a line are a line break there.
_PROSE = (".md", ".markdown")


@rule(Change, level=Level.NOTE, apart=True)
def check(change: Change) -> Iterator[Outcome]:
    for file in change.files:
        blanks, markers = _lines(file)
        if markers:
            yield Found(
                at=markers[0],
                about=("markers",),
                title="The markers of a merge conflict were left in",
                says=f"{counted(len(markers), 'line')} of this file {'is a marker' if len(markers) == 1 else 'are markers'} of a merge conflict.",
                do="Resolve the conflict and delete the markers.",
                related=tuple(Related(at, "another") for at in markers[1:]),
                level=Level.ERROR if file.path in change.head.files or file.path.endswith((".yaml", ".yml")) else None,
            )
        if blanks and file.path in change.head.files:
            yield Found(
                at=blanks[0],
                about=("blanks",),
                title="Added lines end in blanks",
                says=f"{counted(len(blanks), 'added line')} of this file {'ends' if len(blanks) == 1 else 'end'} in blanks.",
                do="Delete them.",
                related=tuple(Related(at, "another") for at in blanks[1:5]),
            )


def _lines(file: FileChange) -> tuple[list[Place], list[Place]]:
    blanks, markers = [], []
    for hunk in file.hunks:
        for number, line in enumerate(hunk.added, start=hunk.head_line):
            text = line.removesuffix("\r")
            if text != text.rstrip(" \t") and not file.path.endswith(_PROSE):
                blanks.append(Place.of_line(file.path, number))
            elif _MARKER.match(text):
                markers.append(Place.of_line(file.path, number))
    # A line of seven equal signs alone underlines a heading; it counts only between the other two.
    if not any(_open(file, at) for at in markers):
        markers = []
    return blanks, markers


def _open(file: FileChange, at: Place) -> bool:
    for hunk in file.hunks:
        if hunk.head_line <= at.line < hunk.head_line + len(hunk.added):
            return not hunk.added[at.line - hunk.head_line].startswith("=")
    return False
