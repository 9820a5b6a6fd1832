"""What a contract sees, with the place of every part: plain data for CEL, places for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.model.place import Place
from bot.model.value import Value

Plain = Any  # None, bool, int, float, str, list or dict of the same: what CEL and JSON share
Content = None | bool | int | float | str | Mapping[str, "Located"] | Sequence["Located"]


@dataclass(eq=False, slots=True)
class Located:
    """One value. `at` runs from its key to its end where it was written; None: nobody wrote it."""

    content: Content
    at: Place | None = None
    service: str | None = None  # the service that this is a part of
    value: Value | None = None  # the resolved scalar it shows, to find lines within its text
    _plain: Plain = field(default=None, repr=False)
    _made: bool = field(default=False, repr=False)

    @property
    def plain(self) -> Plain:
        if not self._made:
            self._plain, self._made = self._convert(), True
        return self._plain

    def _convert(self) -> Plain:
        if isinstance(self.content, Mapping):
            return {key: part.plain for key, part in self.content.items()}
        if isinstance(self.content, (list, tuple)):
            return [part.plain for part in self.content]
        return self.content

    def step(self, key: str | int) -> Located | None:
        if isinstance(self.content, Mapping):
            return self.content.get(str(key)) if isinstance(key, str) else None
        if isinstance(self.content, (list, tuple)) and isinstance(key, int) and 0 <= key < len(self.content):
            part: Located = self.content[key]
            return part
        return None

    def walk(self) -> Iterator[Located]:
        """This value and every one below it, outer ones first."""
        yield self
        if isinstance(self.content, Mapping):
            for part in self.content.values():
                yield from part.walk()
        elif isinstance(self.content, (list, tuple)):
            for part in self.content:
                yield from part.walk()


def of_value(value: Value, *, as_text: bool = False) -> Located:
    """A resolved Compose value. `as_text`: scalars as Compose writes them, as environment and labels are."""
    if isinstance(value.data, Mapping):
        parts = {key: of_value(part, as_text=as_text) for key, part in value.data.items()}
        return Located(parts, value.whole)
    if isinstance(value.data, tuple):
        return Located([of_value(part, as_text=as_text) for part in value.data], value.whole)
    data = value.as_text if as_text and value.data is not None else value.data
    return Located(data, value.whole, value=value)


def of_plain(data: Plain, at: Place | None) -> Located:
    """Data that all stands in one place, but for what in it is located already."""
    if isinstance(data, Located):
        return data
    if isinstance(data, Mapping):
        return Located({str(key): of_plain(part, at) for key, part in data.items()}, at)
    if isinstance(data, (list, tuple)):
        return Located([of_plain(part, at) for part in data], at)
    return Located(data, at)


def same(data: Plain) -> str:
    """Equal data, equal text: how a value that CEL copied is found again."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
