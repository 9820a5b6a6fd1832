"""One half of a pin moved and the other stayed.

In `name:tag@sha256:…` the digest decides and the tag is decoration: a new tag on the old digest deploys the old image.
A model that is fetched at one revision and served at another is fetched twice, or not found at all.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1.4@sha256:1111111111111111111111111111111111111111111111111111111111111111
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1.5@sha256:1111111111111111111111111111111111111111111111111111111111111111
```

## Flagged: only the digest moved

```yaml
services:
  engine:
    image: registry.example/engine:1.4@sha256:2222222222222222222222222222222222222222222222222222222222222222
```

## Accepted

```yaml
services:
  engine:
    image: registry.example/engine:1.5@sha256:2222222222222222222222222222222222222222222222222222222222222222
```

## Flagged: a model is fetched and served at different revisions

```yaml
services:
  engine:
    image: registry.example/engine:1.4@sha256:1111111111111111111111111111111111111111111111111111111111111111
    command: serve --model-path acme/mini --revision 2222222222222222222222222222222222222222
    environment: {HF_HUB_OFFLINE: "1"}
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision 1111111111111111111111111111111111111111"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Move, ServiceMove
from bot.model.facts import Download, ImageRef, Serving
from bot.model.finding import Certainty, Found, Level, Outcome, Related
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule

# Tags that are moved on purpose: with them a new digest is the only sign of a new image.
_MOVING = {"latest", "main", "master", "nightly", "dev", "edge", "stable"}


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    for each in move.changed:
        yield from _image(each)
    if move.head is not None:
        after = tuple(_mismatches(move.head))
        before = {key for key, *_ in _mismatches(move.base)} if move.base and after else set()
        for key, service, serving, download, _ in after:
            if key not in before:
                yield _revisions(service, serving, download)


def _image(each: ServiceMove) -> Iterator[Found]:
    old = each.before.facts.image if each.before else None
    new = each.after.facts.image if each.after else None
    if old is None or new is None or each.after is None or old.name != new.name or not (old.known and new.known):
        return
    if not (old.tag and new.tag and old.digest and new.digest):
        return
    at = (each.after.value.get("image") or each.after.value).whole
    if old.tag != new.tag and old.digest == new.digest:
        yield _stale_digest(each.after, old, new, at)
    elif old.tag == new.tag and old.digest != new.digest and new.tag not in _MOVING:
        yield Found(
            at=at,
            about=("tag", new.name, new.tag, new.digest),
            title="The digest moved and the tag stayed",
            says=f"{code(each.after.name)} runs another image under the same tag {code(new.tag)}; whether that is meant cannot be told from here.",
            do="Check that the digest belongs to the tag.",
            service=each.after.name,
            certainty=Certainty.LIKELY,
        )


def _stale_digest(service: Service, old: ImageRef, new: ImageRef, at: Place) -> Found:
    return Found(
        at=at,
        about=("digest", new.name, new.tag or "", new.digest or ""),
        title="The tag moved and the digest stayed",
        says=(
            f"{code(service.name)} goes from tag {code(old.tag or '')} to {code(new.tag or '')} with the digest of the old one: "
            "the digest decides, so the same image is deployed again."
        ),
        do="Write the digest of the new tag.",
        service=service.name,
    )


_Mismatch = tuple[tuple[str, ...], Service, Serving, Download, Service]


def _mismatches(project: Project) -> Iterator[_Mismatch]:
    """Servings whose repository is fetched in this project, but at no revision they ask for."""
    fetched = [(service, each) for service in project.services.values() for each in service.facts.downloads]
    for service in project.services.values():
        for serving in service.facts.servings:
            if not serving.revision or not serving.repository or serving.model != serving.repository:
                continue
            same = [(by, each) for by, each in fetched if each.repository == serving.repository and not each.files]
            if same and all(each.known and each.revision not in (None, serving.revision) for _, each in same):
                by, download = same[0]
                yield (service.name, download.ref, serving.revision), service, serving, download, by


def _revisions(service: Service, serving: Serving, download: Download) -> Found:
    value = service.environment.get("HF_HUB_OFFLINE")
    offline = value is not None and value.as_text.lower() in {"1", "true", "yes", "on"}
    then = "offline, it fails at start" if offline else "it fetches the model a second time at start"
    flag = next(iter(serving.flags.get("--revision", ())), None)
    return Found(
        at=flag.at if flag is not None else serving.at,
        about=("revision", serving.repository or "", download.revision or "", serving.revision or ""),
        title="A model is fetched at one revision and served at another",
        says=(
            f"{code(service.name)} serves {code(serving.repository or '')} at {code(serving.revision or '')}, "
            f"but {code(download.revision or '')} is downloaded: {then}."
        ),
        do="Move both to the same revision.",
        service=service.name,
        related=(Related(download.step, f"downloads {code(download.ref)}"),),
        level=Level.ERROR if offline else None,
    )
