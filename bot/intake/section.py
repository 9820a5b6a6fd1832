"""One mapping of a configuration file, read key by key; every fault is collected with its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode, Style
from bot.model.place import Place
from bot.model.project import Problem, ProblemKind

E = TypeVar("E", bound=StrEnum)

_FEW = 12  # words an error may list
_SMALL = re.compile("[0-9]{1,4}")
_NULL = ("", "~", "null", "Null", "NULL")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass(slots=True)
class Faults:
    found: list[Problem] = field(default_factory=list)

    def add(self, says: str, at: Place, *subject: str) -> None:
        self.found.append(Problem(ProblemKind.SCHEMA, says, at, subject or (says,)))

    def unknown(self, what: str, word: str, known: Collection[str], at: Place, where: str = "") -> None:
        """A word that is none of those known, with the one that was probably meant."""
        near = get_close_matches(word, known, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        if not near and len(known) <= _FEW:
            hint = f"; known: {', '.join(sorted(known))}"
        inside = f" in `{where}`" if where else ""
        self.add(f"unknown {what} `{word}`{inside}{hint}", at, f"unknown {what}", where, word)


class Section:
    """A mapping and the keys it may have. An absent key, or one without a value, keeps its default."""

    def __init__(self, node: MappingNode, name: str, faults: Faults) -> None:
        self.node = node
        self.at = node.at
        self._name = name
        self._faults = faults

    def only(self, keys: Collection[str]) -> None:
        for pair in self.node.pairs:
            if pair.key.text not in keys:
                self._faults.unknown("key", pair.key.text, keys, pair.key.at, self._name)

    def get(self, key: str) -> Node | None:
        """What a key holds, None when it is absent or null."""
        found = self.node.get(key)
        return None if found is None or is_null(found) else found

    def section(self, key: str) -> Section | None:
        found = self.get(key)
        if found is None:
            return None
        if isinstance(found, MappingNode):
            return Section(found, self._path(key), self._faults)
        self._wrong(key, "a mapping of keys", found)
        return None

    def sections(self, key: str) -> list[Section]:
        """A list of mappings."""
        found: list[Section] = []
        for item in self._items(key, "a list of mappings"):
            if isinstance(item, MappingNode):
                found.append(Section(item, self._path(key), self._faults))
            else:
                self._wrong(key, "a list of mappings", item)
        return found

    def pairs(self, key: str) -> list[tuple[ScalarNode, Node]]:
        inner = self.section(key)
        return [(pair.key, pair.value) for pair in inner.node.pairs] if inner is not None else []

    def text(self, key: str) -> str:
        found = self.get(key)
        return "" if found is None else self._text(key, found)

    def required(self, key: str) -> str:
        """A text that must be there."""
        if self.get(key) is None:
            self._missing(key)
            return ""
        return self.text(key)

    def texts(self, key: str, *, required: bool = False) -> list[ScalarNode]:
        """A list of texts, with their places."""
        if required and self.get(key) is None:
            self._missing(key)
        return list(self._scalars(key, self._items(key, "a list of texts"), "a list of texts"))

    def lists(self, key: str) -> list[list[ScalarNode]]:
        """A list of lists of texts."""
        found: list[list[ScalarNode]] = []
        for item in self._items(key, "a list of lists"):
            if isinstance(item, SequenceNode):
                found.append(list(self._scalars(key, item.items, "a list of lists of texts")))
            else:
                self._wrong(key, "a list of lists", item)
        return found

    def flag(self, key: str, default: bool) -> bool:
        found = self.get(key)
        if found is None:
            return default
        if isinstance(found, ScalarNode) and found.style is Style.PLAIN and found.text in _BOOLEANS:
            return _BOOLEANS[found.text]
        self._wrong(key, "true or false", found)
        return default

    def number(self, key: str, default: int, most: int) -> int:
        found = self.get(key)
        if found is None:
            return default
        if isinstance(found, ScalarNode) and found.style is Style.PLAIN and _SMALL.fullmatch(found.text):
            value = int(found.text)
            if value <= most:
                return value
        self._wrong(key, f"a whole number from 0 to {most}", found)
        return default

    def word(self, key: str, default: E) -> E:
        """One of an enum's words."""
        found = self.get(key)
        if found is None:
            return default
        kind = type(default)
        if isinstance(found, ScalarNode) and found.text in list(kind):
            return kind(found.text)
        self._wrong(key, " or ".join(kind), found)
        return default

    def _items(self, key: str, called: str) -> tuple[Node, ...]:
        found = self.get(key)
        if found is None:
            return ()
        if isinstance(found, SequenceNode):
            return found.items
        self._wrong(key, called, found)
        return ()

    def _scalars(self, key: str, items: tuple[Node, ...], called: str) -> Iterator[ScalarNode]:
        for item in items:
            if isinstance(item, ScalarNode) and not is_null(item) and item.text.strip():
                yield item
            else:
                self._wrong(key, called, item)

    def _text(self, key: str, found: Node) -> str:
        if isinstance(found, ScalarNode) and found.text.strip():
            return found.text
        self._wrong(key, "a text", found)
        return ""

    def _missing(self, key: str) -> None:
        at = Place.of_line(self.at.file, self.at.line)
        self._faults.add(f"`{self._path(key)}` is missing", at, "missing", self._path(key))

    def _wrong(self, key: str, called: str, found: Node) -> None:
        says = f"`{self._path(key)}` must be {called}, not {said(found)}"
        self._faults.add(says, found.at, "type", self._path(key))

    def _path(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key


def is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.style is Style.PLAIN and node.text in _NULL


def said(node: Node) -> str:
    """A node as an error names it."""
    if isinstance(node, MappingNode):
        return "a mapping"
    if isinstance(node, SequenceNode):
        return "a list"
    if is_null(node):
        return "nothing"
    return f"`{node.text}`" if node.text.strip() else "an empty text"
