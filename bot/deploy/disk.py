"""How much room a download needs, as people wrote it near by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from bot.model.facts import Download

_FIGURE = re.compile(
    r"(?P<sign>[~≈≥>≤<]=?\s?|\b(?:about|around|at least|up to|roughly|approximately)\s)?"
    r"(?P<size>\d[\d.,]*\s?[KMGT]i?B)\b(?P<free>\s+(?:of\s+)?(?:free|spare|headroom|disk)\b)?",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.;!?])\s+|\n")
_ROOM = re.compile(r"\b(?:free|disk|space|storage)\b", re.IGNORECASE)
_WEIGHTS = re.compile(r"\b(?:snapshot|download\w*|checkpoint|weights|pre-?stag\w+)\b", re.IGNORECASE)
_MEMORY = re.compile(r"\b(?:HBM|VRAM|RAM|memory|KV|per GPU|swap|shm)\b", re.IGNORECASE)


class Said(Struct, frozen=True):
    """A text, where it stands, and whether it stands right at the download."""

    where: str
    text: str
    near: bool = False


class Figure(Struct, frozen=True):
    text: str  # as written: "~165 GiB", "≥250 GiB free"
    where: str


def figures(download: Download, texts: Iterable[Said], *, alone: bool) -> tuple[Figure, ...]:
    """The sizes that texts state for a download, each once.

    A sentence counts when it names the model. `alone` says that this is the only new download: then one that
    speaks of "the snapshot" or of free disk space counts too, as it does in a comment at the download.
    """
    name = download.repository.rsplit("/", 1)[-1].lower()
    found: dict[str, Figure] = {}
    for said in texts:
        if not said.near and name not in said.text.lower():
            continue
        for sentence in _END.split(said.text):
            lowered = sentence.lower()
            loose = (alone or said.near) and (_ROOM.search(sentence) or _WEIGHTS.search(sentence))
            if (name in lowered or loose) and not _MEMORY.search(sentence):
                for figure in _figures(sentence):
                    found.setdefault(re.sub(r"[\s>=≥]", "", figure.lower()), Figure(figure, said.where))
    return tuple(found.values())


def _figures(sentence: str) -> Iterator[str]:
    for match in _FIGURE.finditer(sentence):
        yield " ".join(match[0].split())
