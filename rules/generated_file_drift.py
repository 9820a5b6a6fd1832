"""A generated file and its source no longer carry the same change.

The configuration says which files a program makes from which. We never run it; but what changed in the source
must have changed in the file made from it, and the other way round: else the next run of the generator takes the
difference back, or brings it in at a time nobody chose.

## Before

```yaml configuration
generated:
  - files: [prod/canary.yaml]
    from: [prod/main.yaml]
    command: make canary
```

```yaml prod/main.yaml
services:
  engine:
    image: registry.example/engine:1
```

```yaml prod/canary.yaml
services:
  engine:
    image: registry.example/engine:1
    labels: {tier: canary}
```

## Flagged: the source alone

```yaml prod/main.yaml
services:
  engine:
    image: registry.example/engine:2
```

## Flagged: the generated file alone

```yaml prod/canary.yaml
services:
  engine:
    image: registry.example/engine:2
    labels: {tier: canary}
```

## Accepted

```yaml prod/main.yaml
services:
  engine:
    image: registry.example/engine:2
```

```yaml prod/canary.yaml
services:
  engine:
    image: registry.example/engine:2
    labels: {tier: canary}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, FileChange, FileStatus, Hunk
from bot.model.finding import Certainty, Found, Level, Outcome, Passed, Related, Skipped
from bot.model.place import Place
from bot.model.settings import Generated, matches
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for generated in change.settings.generated:
        sources = [file for file in change.files if matches(file.path, generated.sources)]
        made = [path for path in {**change.head.files, **change.base.files} if matches(path, generated.files)]
        made += [file.path for file in change.files if matches(file.path, generated.files) and file.path not in made]
        touched = False
        for path in made:
            file = change.file(path)
            if file is not None and file.status is FileStatus.DELETED:
                continue
            if sources or file is not None:
                touched = True
                yield _compare(change, generated, sources, path, file)
        if touched and generated.command:
            yield Skipped(f"generator {code(generated.command)}", "nothing of the repository is run here")


def _compare(
    change: Change, generated: Generated, sources: list[FileChange], path: str, file: FileChange | None
) -> Outcome:
    lines = change.head.files[path].lines if path in change.head.files else []
    wanted = [hunk for source in sources for hunk in source.hunks]
    missing = [hunk for hunk in wanted if not _carried(hunk, lines)]
    if wanted and not missing:
        return Passed(
            "generated files carry the change of their sources", f"{code(path)} from {codes(s.path for s in sources)}"
        )
    if not sources:
        return Found(
            at=_first_line(file, path),
            about=("by-hand", change.home(path)),
            title="A generated file is changed without its source",
            says=f"{code(path)} is made from {codes(generated.sources)}, which this change leaves as it is.",
            do=f"Change the source and run {code(generated.command)}." if generated.command else "Change the source.",
            certainty=Certainty.LIKELY,
        )
    source = sources[0]
    return Found(
        at=Place.of_line(path, 1) if file is None else _first_line(file, path),
        about=("behind", change.home(path)),
        title="A generated file does not carry the change of its source",
        says=f"{code(path)} is made from {code(source.path)}, but lacks {len(missing)} of its {len(wanted)} changes.",
        do=f"Run {code(generated.command)} and commit the result." if generated.command else "Generate it again.",
        related=tuple(
            Related(Place.of_line(s.path, max(hunk.head_line, 1)), "not in the generated file")
            for s in sources
            for hunk in s.hunks
            if hunk in missing
        ),
    )


def _carried(hunk: Hunk, lines: list[str]) -> bool:
    """Whether the added lines stand together in the generated file, indented as it pleases, and the removed do not."""
    stripped = [line.strip() for line in lines]
    added = [line.strip() for line in hunk.added if line.strip()]
    removed = [line.strip() for line in hunk.removed if line.strip()]
    held = {line for line in stripped if line}
    if not all(line in held for line in added):
        return False
    # A removed line may stand elsewhere in both files; only as a whole is it the old text.
    return bool(added) or not removed or not _together(removed, [line for line in stripped if line])


def _together(wanted: list[str], lines: list[str]) -> bool:
    return any(lines[start : start + len(wanted)] == wanted for start in range(len(lines) - len(wanted) + 1))


def _first_line(file: FileChange | None, path: str) -> Place:
    first = next((hunk.head_line for hunk in file.hunks if hunk.added), 1) if file is not None else 1
    return Place.of_line(path, max(first, 1))
