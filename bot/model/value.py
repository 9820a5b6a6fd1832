"""Resolved values: what Compose makes of the text, and where each was written."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from bot.model.node import ScalarNode, Style
from bot.model.place import Place

Scalar = None | bool | int | float | str
# Mappings are plain dicts, never changed once they are in a value.
Data = Scalar | tuple["Value", ...] | dict[str, "Value"]

_NOTHING: Mapping[str, Value] = MappingProxyType({})
_BREAK = re.compile(r"\n")
_WORD = re.compile(r"\S+")
_COLLECTIONS = frozenset((dict, tuple))


class Value(Struct, frozen=True):
    """One resolved value.

    `data` is a scalar, a tuple of values or a mapping of values. `at` is where the value was written,
    also when it came through an anchor, `extends`, an include or an overlay; `key_at` is its key there.
    `unknown` names the variables that nothing sets: `data` then keeps the reference as written
    (`${HOST_IP}`), so that not knowing is never mistaken for empty.
    """

    data: Data
    at: Place
    key_at: Place | None = None
    unknown: tuple[str, ...] = ()
    source: ScalarNode | None = None  # the scalar as written, before interpolation; of a sequence: the one text it was

    def get(self, *path: str | int) -> Value | None:
        """The value at a path of keys and indices, None where the path ends early."""
        here: Value | None = self
        for step in path:
            if here is None:
                return None
            if isinstance(step, int):
                here = here.data[step] if isinstance(here.data, tuple) and step < len(here.data) else None
            else:
                here = here.data.get(step) if isinstance(here.data, dict) else None
        return here

    def mapping(self, *path: str) -> Mapping[str, Value]:
        """The mapping at a path, empty where there is none."""
        found = self.get(*path)
        return found.data if found is not None and isinstance(found.data, dict) else _NOTHING

    def sequence(self, *path: str) -> tuple[Value, ...]:
        """The sequence at a path, empty where there is none."""
        found = self.get(*path)
        return found.data if found is not None and isinstance(found.data, tuple) else ()

    def text(self, *path: str) -> str | None:
        """The scalar at a path as text, None where there is none or it is null."""
        found = self.get(*path)
        if found is None or found.data is None or isinstance(found.data, (tuple, dict)):
            return None
        return found.as_text

    @property
    def as_text(self) -> str:
        """A scalar as Compose writes it; nothing for a collection."""
        data = self.data
        if type(data) is str:
            return data
        if isinstance(data, bool):
            return "true" if data else "false"
        return "" if data is None or isinstance(data, (tuple, dict)) else str(data)

    @property
    def whole(self) -> Place:
        """From the key to the end of the value, as long as both stand in one file and in order."""
        if self.key_at is not None and self.key_at.file == self.at.file and self.key_at.line <= self.at.line:
            return self.key_at.through(self.at)
        return self.key_at or self.at

    def place_of(self, offset: int) -> Place:
        """The line on which the character at `offset` of this text was written."""
        return self.placer()(offset)

    def placer(self) -> Callable[[int], Place]:
        """`place_of` for many offsets of one text.

        Interpolation keeps newlines and, but for a default that holds blanks, the number of words: lines
        of a literal block are counted, words of every other form of several lines.
        """
        if self.source is None or self.at.end_line == self.at.line:
            return lambda _: self.at
        text, file, begin, end = self.as_text, self.at.file, self.at.line, self.at.end_line
        if self.source.style is Style.LITERAL:
            breaks = [found.start() for found in _BREAK.finditer(text)]
            at_row = cache(lambda row: Place.of_line(file, min(begin + 1 + row, end)))
            return lambda offset: at_row(bisect_left(breaks, offset))
        starts = [found.start() for found in _WORD.finditer(text)]
        lines = _lines_of_words(self.source.raw or "") or [0]

        def place(offset: int) -> Place:
            index = max(bisect_right(starts, offset) - 1, 0)
            return Place.of_line(file, min(begin + lines[min(index, len(lines) - 1)], end))

        return place

    def lines(self) -> Iterator[tuple[str, Place]]:
        """The lines of this text, each with the line of the file it was written on."""
        if self.source is not None and self.source.style is Style.LITERAL:
            for number, line in enumerate(self.as_text.split("\n"), start=self.at.line + 1):
                yield line, Place.of_line(self.at.file, min(number, self.at.end_line))
            return
        offset, place = 0, self.placer()
        for line in self.as_text.split("\n"):
            yield line, place(offset)
            offset += len(line) + 1

    def same(self, other: Value | None) -> bool:
        """Whether both say the same, wherever they were written: `plain()` of both without building either."""
        if other is None:
            return False
        mine, its = self.data, other.data
        if isinstance(mine, dict):
            return (
                isinstance(its, dict)
                and len(mine) == len(its)
                and all(value.same(its.get(key)) for key, value in mine.items())
            )
        if isinstance(mine, tuple):
            return (
                isinstance(its, tuple)
                and len(mine) == len(its)
                and all(value.same(its[index]) for index, value in enumerate(mine))
            )
        return not isinstance(its, (dict, tuple)) and mine == its

    def plain(self) -> Any:
        """The same as dicts, lists and scalars: JSON's shapes."""
        data = self.data  # most values are scalars: they are not worth a call
        if isinstance(data, dict):
            return {
                key: value.plain() if type(value.data) in _COLLECTIONS else value.data for key, value in data.items()
            }
        if isinstance(data, tuple):
            return [value.plain() if type(value.data) in _COLLECTIONS else value.data for value in data]
        return data

    def walk(self, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Value]]:
        """Every scalar below, with its path (indices as text)."""
        if isinstance(self.data, dict):
            for key, value in self.data.items():
                yield from value.walk((*path, key))
        elif isinstance(self.data, tuple):
            for index, value in enumerate(self.data):
                yield from value.walk((*path, str(index)))
        else:
            yield path, self


def _lines_of_words(raw: str) -> list[int]:
    """The line, from 0, of each word of a scalar as written. A block scalar's indicator is no word."""
    found: list[int] = []
    for number, line in enumerate(raw.split("\n")):
        if number or not line.lstrip().startswith((">", "|")):
            found.extend([number] * len(line.split()))
    return found
