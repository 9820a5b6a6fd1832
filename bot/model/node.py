"""YAML as written: nodes with their places, before Compose gives them a meaning."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from bot.model.place import Place


class Style(Enum):
    """How a scalar is written. Only plain scalars can be anything but text."""

    PLAIN = ""
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"


class ScalarNode(NamedTuple):  # half the cost of a dataclass, and most of a file's nodes
    text: str  # after YAML's own unescaping and folding; never resolved to a number or a boolean
    style: Style
    tag: str | None  # as written, e.g. "!reset"; None when there is none
    at: Place
    raw: str | None = None  # the source characters of a scalar of several lines, literal blocks left out


class SequenceNode(Struct, frozen=True):
    items: tuple[Node, ...]
    tag: str | None
    at: Place


class Pair(NamedTuple):
    key: ScalarNode
    value: Node


class MappingNode(Struct, frozen=True):
    """Pairs in the order written. `<<` is an ordinary pair here: merging is a phase of the loader."""

    pairs: tuple[Pair, ...]
    tag: str | None
    at: Place

    def get(self, key: str) -> Node | None:
        for pair in self.pairs:
            if pair.key.text == key:
                return pair.value
        return None


# An alias is the same object as the node its anchor names, with the anchor's place: the place of
# use is the place of the key that leads to it.
Node = ScalarNode | SequenceNode | MappingNode


class Comment(Struct, frozen=True):
    """A run of adjacent comment lines, `#` and one blank stripped from each."""

    lines: tuple[str, ...]
    at: Place


class YamlFile(Struct, frozen=True, dict=True):
    """One YAML file: its text and the root of each document in it."""

    path: str
    text: str
    roots: tuple[Node, ...]
    blocks: tuple[Place, ...] = ()  # the scalars, values and keys, that go over several lines

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines; line N of a place is `lines[N - 1]`."""
        return self.text.split("\n")


def scalars(node: Node) -> Iterator[ScalarNode]:
    """Every scalar value below a node (keys left out), each shared node once."""
    seen: set[int] = set()
    stack: list[Node] = [node]
    while stack:
        top = stack.pop()
        if id(top) in seen:
            continue
        seen.add(id(top))
        if isinstance(top, ScalarNode):
            yield top
        elif isinstance(top, SequenceNode):
            stack.extend(reversed(top.items))
        else:
            stack.extend(pair.value for pair in reversed(top.pairs))
