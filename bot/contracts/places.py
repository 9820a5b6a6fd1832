"""Where a violation stands: paths of an expression followed through the views, to the line they lead to.

CEL gets copies of the data and gives copies back. A path is followed in our own views instead; where it
starts from something CEL made (an element of a loop, a variable), the value is recognised by what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from bot.contracts.located import Located, Plain, same
from bot.contracts.readers import Reading
from bot.contracts.tokens import Path
from bot.model.place import Place
from bot.model.value import Value


class Spot(Struct, frozen=True):
    at: Place
    service: str | None


class _Reached(Struct, frozen=True):
    """How far a path leads. `steps` counts the fields that are there."""

    found: Located | None
    value: Plain
    steps: int
    whole: bool


class Places:
    """Finds lines for one subject. `readings` are the texts that functions have read, with their parts."""

    def __init__(self, roots: Mapping[str, Located], readings: Mapping[tuple[str, ...], Reading]) -> None:
        self._roots = roots
        self._readings = readings

    def of_element(
        self, loop: Path | None, values: list[Plain], index: int, elements: Mapping[str, Element], follow: Follow
    ) -> Located | None:
        """The element of a loop's list, as it was written."""
        if loop is not None:
            reached = self._reach(loop, elements, follow)
            if reached.whole and reached.found is not None:
                key = values[index] if isinstance(reached.found.content, Mapping) else index
                if (there := reached.found.step(key)) is not None:
                    return there
        same_before = sum(1 for value in values[:index] if value == values[index])
        return self._recognised(values[index], same_before)

    def spot(self, chosen: Iterable[Path], elements: Mapping[str, Element], follow: Follow) -> Spot | None:
        """The place of the first path that leads to its end, else of the one that leads furthest."""
        best: _Reached | None = None
        for path in chosen:
            reached = self._reach(path, elements, follow)
            if reached.found is None or reached.found.at is None:
                continue
            if reached.whole:
                return _spot(reached.found)
            if best is None or reached.steps > best.steps:
                best = reached
        return _spot(best.found) if best is not None and best.found is not None else None

    def _reach(self, path: Path, elements: Mapping[str, Element], follow: Follow) -> _Reached:
        if path.root in elements:
            here, value = elements[path.root].found, elements[path.root].value
        elif path.root in self._roots:
            here, value = self._roots[path.root], self._roots[path.root].plain
        else:
            here, value = None, follow.variables if path.root == "variables" else None
        best = here
        for count, step in enumerate(path.steps):
            key = step.key if step.key is not None else follow.compute(step.computed)
            here = here.step(key) if here is not None and isinstance(key, (str, int)) else None
            value, there = _plain_step(value, key)
            if not there:
                return _Reached(_neighbour(best, key) if isinstance(key, str) else best, value, count, False)
            if here is None:
                here = self._recognised(value, 0)
            best = here if here is not None and here.at is not None else best
        return _Reached(best, value, len(path.steps), here is not None)

    def _recognised(self, value: Plain, skip: int) -> Located | None:
        if not isinstance(value, (dict, list)) or not value:
            return None
        found = self._index.get(same(value), [])
        return found[min(skip, len(found) - 1)] if found else None

    @cached_property
    def _index(self) -> Mapping[str, list[Located]]:
        found: dict[str, list[Located]] = {}
        seen: set[int] = set()
        for root in (*self._roots.values(), *self._rebased()):
            for part in root.walk():
                if isinstance(part.content, (Mapping, list, tuple)) and part.content and id(part) not in seen:
                    seen.add(id(part))
                    found.setdefault(same(part.plain), []).append(part)
        return found

    def _rebased(self) -> Iterator[Located]:
        """What functions have read of texts that stand in this subject's views, on the lines of its files."""
        origins = self._origins({key[1] for key in self._readings})
        for key, reading in self._readings.items():
            if key[1] in origins:
                yield rebased(reading.locate(), origins[key[1]])

    def _origins(self, texts: set[str]) -> Mapping[str, Located]:
        """Where in the views these texts stand."""
        found: dict[str, Located] = {}
        for root in self._roots.values() if texts else ():
            for part in root.walk():
                if isinstance(part.content, str) and part.content in texts and part.at is not None:
                    found.setdefault(part.content, part)
        return found

    def of_line(self, text: str, line: int) -> Spot | None:
        """A line, counted from 1, of a text that stands in the views."""
        origin = self._origins({text}).get(text)
        if origin is None or origin.at is None:
            return None
        lines = _lines(origin.value) if origin.value is not None else {}
        return Spot(lines.get(line, origin.at), origin.service)


class Element(Struct, frozen=True):
    """A loop's variable: what it holds, and where that was written, when it could be recognised."""

    value: Plain
    found: Located | None


class Follow(Struct, frozen=True):
    """What following a path needs of the evaluation: the variables, and the value of a computed index."""

    variables: Mapping[str, Plain]
    compute: Callable[[str], Plain]


def rebased(reading: Located, origin: Located) -> Located:
    """A reading whose lines count within a text, with the places of the file that holds the text."""
    assert origin.at is not None
    lines = _lines(origin.value) if origin.value is not None else {}
    return _moved(reading, lines, origin.at, origin.service)


def _lines(value: Value) -> Mapping[int, Place]:
    """The lines of a text, also of one as written before interpolation: line for line the same."""
    return {number: place for number, (_, place) in enumerate(value.lines(), start=1)}


def _moved(part: Located, lines: Mapping[int, Place], at: Place, service: str | None) -> Located:
    place = at
    if part.at is not None and part.at.line in lines:
        first = lines[part.at.line]
        place = Place.of_line(first.file, first.line, lines.get(part.at.end_line, first).line)
    content = part.content
    if isinstance(content, Mapping):
        moved = {key: _moved(inner, lines, at, service) for key, inner in content.items()}
        return Located(moved, place, service)
    if isinstance(content, (list, tuple)):
        return Located([_moved(inner, lines, at, service) for inner in content], place, service)
    return Located(content, place, service)


def _neighbour(whole: Located | None, key: str) -> Located | None:
    """Where a missing key would stand: with the key whose name begins most like it, word by word."""
    if whole is None or not isinstance(whole.content, Mapping):
        return whole
    near = {name: _common(name, key) for name, part in whole.content.items() if part.at is not None}
    most = max(near.values(), default=0)
    return next((whole.content[name] for name, common in near.items() if common == most), whole) if most else whole


def _common(one: str, other: str) -> int:
    words = zip(re.split(r"[._-]", one), re.split(r"[._-]", other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], words))


def _plain_step(value: Plain, key: Plain) -> tuple[Plain, bool]:
    if isinstance(value, dict) and isinstance(key, str) and key in value:
        return value[key], True
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key], True
    return None, False


def _spot(found: Located) -> Spot:
    assert found.at is not None
    return Spot(found.at, found.service)
