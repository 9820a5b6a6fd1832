"""What a contract sees, with the place of every part: plain data for CEL, places for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bot.model.place import Place
from bot.model.value import Value

Plain = Any  # None, bool, int, float, str, list or dict of the same: what CEL and JSON share
Content = None | bool | int | float | str | Mapping[str, "Located"] | Sequence["Located"]


class Located:
    """One value. `at` runs from its key to its end where it was written; None: nobody wrote it.

    `service` is the service that it is a part of, `value` the resolved scalar that it shows. Most of what
    contracts see is never asked for its place: `make` gives the parts when they are wanted.
    """

    __slots__ = ("_content", "_make", "_plain", "at", "service", "value")

    def __init__(
        self,
        content: Content,
        at: Place | None = None,
        service: str | None = None,
        value: Value | None = None,
        *,
        make: Callable[[], Content] | None = None,
        plain: Callable[[], Plain] | None = None,
    ) -> None:
        self._content = content
        self._make = make
        self._plain: Plain = plain if plain is not None else _convert
        self.at = at
        self.service = service
        self.value = value

    @property
    def content(self) -> Content:
        if self._make is not None:
            self._content, self._make = self._make(), None
        if self.service is not None and not isinstance(self._content, Parts):
            for part in _parts(self._content):
                part.service = part.service or self.service
        return self._content

    @property
    def plain(self) -> Plain:
        if self._plain is _convert:
            self._plain = _convert(self.content)
        elif callable(self._plain):
            self._plain = self._plain()
        return self._plain

    def step(self, key: str | int) -> Located | None:
        content = self.content
        if isinstance(content, Mapping):
            return content.get(key) if isinstance(key, str) else None
        if isinstance(content, (list, tuple)) and isinstance(key, int) and 0 <= key < len(content):
            part: Located = content[key]
            return part
        return None

    def walk(self) -> Iterator[Located]:
        """This value and every one below it, outer ones first."""
        yield self
        for part in _parts(self.content):
            yield from part.walk()


class Parts(Mapping[str, Located]):
    """The fields of a service, each made when it is asked for: some are read from its commands at some cost."""

    def __init__(self, service: str, makers: Mapping[str, Callable[[], Located]]) -> None:
        self._service = service
        self._makers = makers
        self._made: dict[str, Located] = {}

    def only(self, names: Collection[str]) -> Parts:
        """The same with these of its fields."""
        return Parts(self._service, {name: partial(self.__getitem__, name) for name in self._makers if name in names})

    def __getitem__(self, name: str) -> Located:
        if name not in self._made:
            self._made[name] = self._makers[name]()
            self._made[name].service = self._service
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def _parts(content: Content) -> Iterable[Located]:
    if isinstance(content, Mapping):
        return content.values()
    return content if isinstance(content, (list, tuple)) else ()


def _convert(content: Content) -> Plain:
    if isinstance(content, Mapping):
        return {key: part.plain for key, part in content.items()}
    if isinstance(content, (list, tuple)):
        return [part.plain for part in content]
    return content


def of_value(value: Value, *, as_text: bool = False) -> Located:
    """A resolved Compose value. `as_text`: scalars as Compose writes them, as environment and labels are."""
    data = value.data
    if isinstance(data, Mapping):
        return Located(
            None,
            value.whole,
            make=lambda: {key: of_value(part, as_text=as_text) for key, part in data.items()},
            plain=lambda: _plain_of(value, as_text),
        )
    if isinstance(data, tuple):
        return Located(
            None,
            value.whole,
            make=lambda: [of_value(part, as_text=as_text) for part in data],
            plain=lambda: _plain_of(value, as_text),
        )
    return Located(_plain_of(value, as_text), value.whole, value=value)


def _plain_of(value: Value, as_text: bool) -> Plain:
    data = value.data
    if isinstance(data, Mapping):
        return {key: _plain_of(part, as_text) for key, part in data.items()}
    if isinstance(data, tuple):
        return [_plain_of(part, as_text) for part in data]
    return value.as_text if as_text and data is not None else data


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
