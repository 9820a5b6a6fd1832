"""Which lines of a text were replaced by which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.change.two_folders import TwoFolders
from bot.model.change import Hunk

if TYPE_CHECKING:
    from unidiff.patch import Hunk as ParsedHunk


def hunks_of(pairs: Sequence[tuple[bytes, bytes]]) -> list[tuple[Hunk, ...]]:
    """The hunks of each pair of texts, old and new, without context: one Git for all of them."""
    found: list[tuple[Hunk, ...]] = [()] * len(pairs)
    both = [number for number, (old, new) in enumerate(pairs) if old and new]
    for number, hunks in _compared(pairs, both).items():
        found[number] = hunks
    for number, (old, new) in enumerate(pairs):
        if not (old and new) and old != new:
            found[number] = (Hunk(1, lines_of(old), 1, lines_of(new)),)
    return found


def lines_of(content: bytes) -> tuple[str, ...]:
    """Lines as Git counts them: only a newline ends one, and the last needs none."""
    lines = content.decode("utf-8", "replace").split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def _compared(pairs: Sequence[tuple[bytes, bytes]], numbers: list[int]) -> dict[int, tuple[Hunk, ...]]:
    if not numbers:
        return {}
    from unidiff.patch import PatchSet

    with TwoFolders() as folders:
        for number in numbers:
            old, new = pairs[number]
            folders.put("old", f"{number:06d}", old)
            folders.put("new", f"{number:06d}", new)
        text = folders.diff("--unified=0").decode("utf-8", "replace")
    return {int(file.path.rsplit("/", 1)[-1]): tuple(map(_hunk, file)) for file in PatchSet.from_string(text)}


def _hunk(parsed: ParsedHunk) -> Hunk:
    removed = tuple(line.value.removesuffix("\n") for line in parsed if line.is_removed)
    added = tuple(line.value.removesuffix("\n") for line in parsed if line.is_added)
    # An empty side is counted by the line before it.
    return Hunk(parsed.source_start + (not removed), removed, parsed.target_start + (not added), added)
