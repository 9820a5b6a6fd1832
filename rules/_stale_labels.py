"""Labels that state a service's image, served name or GPUs, and still state what the change has replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from bot.model.place import Place
from bot.model.service import Service
from bot.model.value import Value

_SHORT = 8  # a digest is quoted by at least this many of its characters
_SHORTEST = 3  # characters of a served name; shorter ones are words too
_OF_GPUS = re.compile(r"(?:^|[._-])(?:gpus?|devices?|cuda|cards?)(?:[._-]?ids?)?$", re.IGNORECASE)
_TAG_OF_GPUS = re.compile(r"(?<![\w-])(?:gpus?|gpu[_-]?ids?|devices?|cards?)[:=]\s*(?P<ids>\d[\d, -]*)", re.IGNORECASE)
_IDS = re.compile(r"\d+(?:\s*[,;]\s*\d+)*")
_RANGE = re.compile(r"(\d{1,3})\s*-\s*(\d{1,3})")


class Identity(StrEnum):
    IMAGE = "image"
    NAME = "served name"
    GPUS = "GPUs"


class Stale(Struct, frozen=True):
    """`says` is the label's text, `do` what it would have to say, `source` where the new identity stands."""

    key: str
    label: Value
    what: Identity
    says: str
    now: str
    do: str
    source: Place
    sure: bool


def stale_labels(before: Service, after: Service) -> Iterator[Stale]:
    """Labels that the change left alone and that were right before it."""
    kept = {
        key: label
        for key, label in after.labels.items()
        if (old := before.labels.get(key)) is not None and old.as_text == label.as_text
    }
    yield from _of_image(before, after, kept)
    yield from _of_names(before, after, kept)
    yield from _of_gpus(before, after, kept)


def _of_image(before: Service, after: Service, kept: dict[str, Value]) -> Iterator[Stale]:
    old, new = before.facts.image, after.facts.image
    if old is None or new is None or not old.digest or not new.digest or old.digest == new.digest:
        return
    was, now = old.digest.partition(":")[2], new.digest.partition(":")[2]
    source = (after.value.get("image") or after.value).whole
    for key, label in kept.items():
        quoted = label.as_text.removeprefix("sha256:")
        if len(quoted) >= _SHORT and was.startswith(quoted) and not now.startswith(quoted):
            yield Stale(
                key, label, Identity.IMAGE, label.as_text, f"{new.digest[:19]}…", now[: len(quoted)], source, True
            )


def _of_names(before: Service, after: Service, kept: dict[str, Value]) -> Iterator[Stale]:
    old, new = _names(before), _names(after)
    gone = [name for name in old if name not in new and len(name) >= _SHORTEST]
    if not new or not gone:
        return
    for key, label in kept.items():
        stated = next((name for name in gone if _states(label.as_text, name)), None)
        if stated is not None and not any(_states(label.as_text, name) for name in new):
            first = next(iter(new))
            yield Stale(key, label, Identity.NAME, stated, first, first, new[first], False)


def _names(service: Service) -> dict[str, Place]:
    found = {name: serving.at for serving in service.facts.servings for name in serving.names}
    return {} if any("$" in name for name in found) else found


def _states(text: str, name: str) -> bool:
    """As a word of its own: the whole of a label, or a tag in a list of them."""
    return bool(re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])", text))


def _of_gpus(before: Service, after: Service, kept: dict[str, Value]) -> Iterator[Stale]:
    old, new = _devices(before), _devices(after)
    if not old or not new or old == new:
        return
    shown = ",".join(sorted(new, key=lambda each: (len(each), each)))
    for key, label in kept.items():
        stated = [found["ids"] for found in _TAG_OF_GPUS.finditer(label.as_text)]
        stated += [label.as_text] if _OF_GPUS.search(key) else []
        said = next((text.strip(" ,-") for text in stated if _ids(text) == old), None)
        if said is not None:
            yield Stale(key, label, Identity.GPUS, said, shown, shown, after.reservations[0].at, True)


def _devices(service: Service) -> frozenset[str]:
    return frozenset(device for each in service.reservations for device in each.device_ids)


def _ids(text: str) -> frozenset[str]:
    """`0,1` and `0-3` as numbers; nothing for any other text."""
    text = text.strip(" ,-")
    if span := _RANGE.fullmatch(text):
        return frozenset(str(number) for number in range(int(span[1]), int(span[2]) + 1))
    return frozenset(re.findall(r"\d+", text)) if _IDS.fullmatch(text) else frozenset()
