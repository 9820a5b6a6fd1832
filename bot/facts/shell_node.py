"""The syntax tree of a shell script, with offsets in characters; a node is read when it is first asked for."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import accumulate
from typing import Any

MAX_BYTES = 200_000  # of one script


class _Source:
    """A script's text, and where in it the bytes stand that tree-sitter counts."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Half of a surrogate pair, which YAML can spell, is one character and becomes one question mark.
        self._starts = (
            None if text.isascii() else [0, *accumulate(len(each.encode("utf-8", "replace")) for each in text)]
        )

    def offset(self, byte: int) -> int:
        return byte if self._starts is None else bisect_left(self._starts, byte)


class ShellNode:
    """One node. `start` and `end` count characters; `named` are the children that the grammar has a name for."""

    __slots__ = ("_children", "_named", "_node", "_source", "end", "index", "kind", "parent", "start")

    def __init__(self, node: Any, source: _Source, parent: ShellNode | None, index: int) -> None:
        self._node, self._source = node, source
        self.parent, self.index = parent, index
        self.kind: str = node.type
        self.start, self.end = source.offset(node.start_byte), source.offset(node.end_byte)
        self._children: list[ShellNode] | None = None
        self._named: list[ShellNode] | None = None

    @property
    def text(self) -> str:
        return self._source.text[self.start : self.end]

    def between(self, start: int, end: int) -> str:
        """The script's text between two offsets."""
        return self._source.text[start:end]

    @property
    def children(self) -> list[ShellNode]:
        if self._children is None:
            self._children = [
                ShellNode(child, self._source, self, index) for index, child in enumerate(self._node.children)
            ]
        return self._children

    @property
    def named(self) -> list[ShellNode]:
        if self._named is None:
            self._named = [child for child in self.children if child.is_named]
        return self._named

    @property
    def is_named(self) -> bool:
        return bool(self._node.is_named)

    @property
    def is_missing(self) -> bool:
        """Whether it does not stand in the text, but would have to."""
        return bool(self._node.is_missing)

    @property
    def has_error(self) -> bool:
        """Whether the grammar did not understand something in it."""
        return bool(self._node.has_error)

    def fields(self, name: str) -> list[ShellNode]:
        """The children that have a role, such as "body" or "value"."""
        return [child for child in self.children if self._node.field_name_for_child(child.index) == name]

    def field(self, name: str) -> ShellNode | None:
        return next(iter(self.fields(name)), None)

    @property
    def next(self) -> ShellNode | None:
        beside = self.parent.children if self.parent is not None else []
        return beside[self.index + 1] if self.index + 1 < len(beside) else None


def parsed(text: str) -> ShellNode | None:
    """The root of a script's syntax tree; None for one that is longer than MAX_BYTES."""
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_BYTES:
        return None
    return ShellNode(_parser().parse(data).root_node, _Source(text), None, 0)


@cache
def _parser() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
