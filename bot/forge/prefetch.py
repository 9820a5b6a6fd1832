"""Which contents a review will ask for: fetched for both trees at once, they cost one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.ports import Entry, EntryKind

MAX_BLOBS = 200
MAX_BYTES = 4_000_000

# By what a review reads first: models, configuration and prose; then whatever may pin a digest.
_MODELS = (".yaml", ".yml")
_PROSE = (".md", ".markdown", ".rst")
_LARGEST = ((_MODELS, 500_000), (_PROSE, 400_000))
_LARGEST_OTHER = 65_536


def likely(entries: Iterable[Entry]) -> list[Entry]:
    """The entries worth fetching, as many as one answer holds. Each content once."""
    chosen: dict[str, Entry] = {}
    total = 0
    for entry in sorted(_wanted(entries), key=_rank):
        if entry.blob in chosen:
            continue
        total += entry.size or 0
        if len(chosen) == MAX_BLOBS or total > MAX_BYTES:
            break
        chosen[entry.blob] = entry
    return list(chosen.values())


def _wanted(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        largest = next((size for ends, size in _LARGEST if entry.path.lower().endswith(ends)), _LARGEST_OTHER)
        if entry.kind is EntryKind.FILE and entry.size is not None and entry.size <= largest:
            yield entry


def _rank(entry: Entry) -> tuple[int, int, str]:
    path = entry.path.lower()
    name = path.rpartition("/")[2]
    if path.endswith(_MODELS) or name.startswith(".env"):
        return 0, 0, path
    if path.endswith(_PROSE):
        return 1, path.count("/"), path
    return 2, entry.size or 0, path
