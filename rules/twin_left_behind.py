"""A file that shares what was changed was left as it was.

The same model, the same download or the same image stands in a sibling file that this change does not touch.
Either it was forgotten, or somebody knows why it stays: then a sentence that says so, in the pull request, in a
comment or in the configuration, takes it out.

## Before

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```yaml prod/shared.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Flagged

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Accepted: the text says so

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```text
Fetch the INT4 weights
Host seven uses prod/shared.yaml and is unaffected.
```

## Accepted: both change

```yaml prod/meadow.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

```yaml prod/shared.yaml
services:
  downloader:
    image: registry.example/uv:1
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/meadow-mini --revision 1111111111111111111111111111111111111111
        hf download acme/meadow-mini-int4 --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/meadow-mini --served-model-name acme/meadow
```

## Before: two engines of one model

```yaml eu/one.yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8000
```

```yaml eu/two.yaml
services:
  engine-2:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8001
```

## Flagged: one of two engines is patched (a note)

```yaml eu/one.yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8000
    environment: {TILE_WIDTH: "80"}
```

## Accepted: its size is its own

```yaml eu/one.yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8000 --max-num-seqs 8
```

## Before: a switch that both engines have

```yaml eu/one.yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8000 --trust-remote-code
```

```yaml eu/two.yaml
services:
  engine-2:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8001 --trust-remote-code
```

## Flagged: one of two engines loses it

```yaml eu/one.yaml
services:
  engine:
    image: vllm/vllm-openai:v1
    command: acme/meadow --port 8000
```

## Before: a setting

```yaml eu/one.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: info}
```

```yaml eu/two.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: info}
```

```yaml eu/three.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: info}
```

## Flagged: a setting changed in two of three

```yaml eu/one.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: debug}
```

```yaml eu/two.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: debug}
```

## Accepted: a setting changed in one of three

```yaml eu/one.yaml
services:
  api:
    image: registry.example/api:1
    environment: {LOG_LEVEL: debug}
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from bot.model.change import Change, ServiceMove
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, listed
from bot.rulebook import rule
from rules._alike import Alike, changes_alike
from rules._same_engine import same_engines


class _Delta(Struct, frozen=True):
    """One thing that the change did to services of one kind: what they had, and what they have now."""

    identity: tuple[str, ...]
    says: str  # "also download `…`"
    left: str  # what the others are said to do instead: "not"
    done: tuple[tuple[Project, Service], ...]


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    touched = {path for move in change.moves for path in (move.head.files if move.head else ())}
    for delta in _downloads_added(change):
        yield from _outcomes(change, delta, list(_twins_of_download(change, delta, touched)), _download_place)
    for delta in _images_replaced(change):
        yield from _outcomes(change, delta, list(_twins_of_image(change, delta, touched)), _image_place)
    for delta, twins, path in _values_changed(change):
        yield from _outcomes(change, delta, twins, partial(_value_place, path=path))
    yield from same_engines(change, touched)


def _outcomes(
    change: Change, delta: _Delta, twins: list[tuple[Project, Service]], place: Callable[[Service], Place]
) -> Iterator[Outcome]:
    stated = {project.path: change.left_out(project.path) for project, _ in twins}
    yield from (Excluded(path, each.said_in, each.quote) for path, each in stated.items() if each is not None)
    left = [(project, service) for project, service in twins if stated[project.path] is None]
    if not left:
        return
    named = [f"{code(service.name)} in {code(project.path)}" for project, service in left]
    yield Found(
        at=place(left[0][1]),
        about=delta.identity,
        title="A file that shares what was changed was left as it was",
        says=f"{codes(sorted({each.path for each, _ in delta.done}))} {delta.says}; {listed(named)} {delta.left}.",
        do="Change it there too, or say in the pull request why it stays.",
        service=left[0][1].name if len(left) == 1 else None,
        related=(
            *(Related(place(service), f"{code(service.name)} is as it was") for _, service in left[1:]),
            *(Related(place(service), "changed here") for _, service in delta.done),
        ),
        certainty=Certainty.LIKELY,
    )


def _downloads_added(change: Change) -> Iterator[_Delta]:
    found: dict[str, list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            if each.before is None or each.after is None or move.head is None or not each.before.facts.downloads:
                continue
            before = {download.repository for download in each.before.facts.downloads}
            for download in each.after.facts.downloads:
                if download.known and download.repository not in before:
                    found.setdefault(download.ref, []).append((move.head, each.after))
    for ref, done in found.items():
        yield _Delta(
            ("download", ref),
            f"now also {'downloads' if len(done) == 1 else 'download'} {code(ref)}",
            "does not",
            tuple(done),
        )


def _twins_of_download(change: Change, delta: _Delta, touched: set[str]) -> Iterator[tuple[Project, Service]]:
    """Downloaders elsewhere that fetch what the changed ones fetched before, for the same served model."""
    ref = delta.identity[1]
    before = _before(change, delta)
    models = {name for project, _ in delta.done for name in _served(project)}
    for project, service in change.head.services:
        if project.path in touched or not models & _served(project) or not _beside(project, delta):
            continue
        refs = {download.ref for download in service.facts.downloads}
        if refs and ref not in refs and any(old and old <= refs for old in before):
            yield project, service


def _before(change: Change, delta: _Delta) -> list[set[str]]:
    """What each changed downloader fetched before."""
    after = [service for _, service in delta.done]
    changed = [each for move in change.moves for each in move.changed]
    return [
        {download.ref for download in each.before.facts.downloads}
        for each in changed
        if each.before is not None and any(each.after is service for service in after)
    ]


def _images_replaced(change: Change) -> Iterator[_Delta]:
    found: dict[tuple[str, str], list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            old, new = _images(each)
            if old and new and old != new and move.head is not None and each.after is not None:
                found.setdefault((old, new), []).append((move.head, each.after))
    for (old, new), done in found.items():
        verb = "runs" if len(done) == 1 else "run"
        yield _Delta(("image", old, new), f"now {verb} {code(new)}", f"not, with {code(old)} as before", tuple(done))


def _images(each: ServiceMove) -> tuple[str | None, str | None]:
    """The image before and after, where only its version moved."""
    old = each.before.facts.image if each.before else None
    new = each.after.facts.image if each.after else None
    if old is None or new is None or old.name != new.name or not (old.known and new.known):
        return None, None
    return old.text, new.text


def _twins_of_image(change: Change, delta: _Delta, touched: set[str]) -> Iterator[tuple[Project, Service]]:
    """Services elsewhere that still run the old image, for the same model where the changed ones serve one."""
    models = {name for _, service in delta.done for name in _models(service)}
    for project, service in change.head.services:
        image = service.facts.image
        if image is None or image.text != delta.identity[1] or not _beside(project, delta):
            continue
        if project.path in touched and any(each is service for _, each in delta.done):
            continue
        if not models or models & _models(service):
            yield project, service


def _values_changed(change: Change) -> Iterator[tuple[_Delta, list[tuple[Project, Service]], tuple[str, ...]]]:
    """Settings that changed in the same way in several files. Those that go together are one finding."""
    together: dict[tuple[object, ...], list[Alike]] = {}
    for alike in changes_alike(change):
        files = tuple(project.path for project, _ in (*alike.done, *alike.left))
        together.setdefault((alike.service, files), []).append(alike)
    for group in together.values():
        first = group[0]
        names = codes(each.name for each in group)
        says = f"change {names} of {code(first.service)} in the same way"
        delta = _Delta(("value", *first.identity), says, "does not", first.done)
        yield delta, list(first.left), first.path


def _value_place(service: Service, path: tuple[str, ...]) -> Place:
    value = service.value.get(*path)
    return value.whole if value is not None else service.at


def _beside(project: Project, delta: _Delta) -> bool:
    """Whether the project lies in a folder that the change works in: trials elsewhere follow their own clock."""
    folder = project.path.rpartition("/")[0]
    return any(folder == other.path.rpartition("/")[0] for other, _ in delta.done)


def _models(service: Service) -> set[str]:
    return {name.lower() for serving in service.facts.servings for name in serving.identities}


def _served(project: Project) -> set[str]:
    return {name for service in project.services.values() for name in _models(service)}


def _download_place(service: Service) -> Place:
    steps = sorted((download.step for download in service.facts.downloads), key=lambda at: (at.file, at.line))
    return steps[0].through(steps[-1]) if steps and steps[0].file == steps[-1].file else service.at


def _image_place(service: Service) -> Place:
    image = service.value.get("image")
    return image.whole if image is not None else service.at
