"""Parser events to a tree of nodes, with limits on depth and on what aliases stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from bot.document.refused import refuse
from bot.model.node import MappingNode, Node, Pair, ScalarNode, SequenceNode, Style, YamlFile
from bot.model.place import Place
from bot.model.project import ProblemKind

MAX_DEPTH = 100
# What a file's aliases may stand for altogether. The largest real file seen has 9,000 nodes.
MAX_NODES = 1_000_000

_STYLES: dict[str | None, Style] = {None: Style.PLAIN, **{style.value: style for style in Style}}


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    start: Place
    tag: str | None
    anchor: str | None
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    keys: dict[str, ScalarNode] = field(default_factory=dict)
    key: ScalarNode | None = None
    size: int = 1


class Builder:
    """Builds one file's trees from its events, without recursion."""

    def __init__(self, path: str, text: str, line_map: list[int] | None, shift: int = 0) -> None:
        """`line_map` gives the outer file's line for each of the text's, counted from 0; `shift` is added where it is None."""
        self._path = path
        self._text = text
        self._map = line_map
        self._shift = shift + 1
        self._lines: list[str] | None = None
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._roots: list[Node] = []
        self._blocks: list[Place] = []
        self.quote: Place | None = None  # the last quoted text that goes over several lines

    def build(self, events: Iterable[Any]) -> YamlFile:
        for event in events:
            kind = type(event)
            if kind is ScalarEvent:
                node = self._scalar(event)
                if event.anchor:
                    self._anchors[event.anchor] = (node, 1)
                self._add(node, 1)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event, kind is MappingStartEvent)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close(event)
            elif kind is AliasEvent:  # of an earlier document of the file too: Compose's parser knows them on
                self._alias(event)
        return YamlFile(self._path, self._text, tuple(self._roots), tuple(self._blocks))

    def _scalar(self, event: Any) -> ScalarNode:
        start, end = event.start_mark, event.end_mark
        style = _STYLES[event.style or None]
        if start.line == end.line and self._map is None:
            line = start.line + self._shift
            at = Place(self._path, line, start.column + 1, line)
            return ScalarNode(event.value, style, event.tag, at)
        last = self._last_line(start.line, end)
        at = Place(self._path, self._real(start.line), start.column + 1, self._real(last))
        if last > start.line:
            self._blocks.append(at)
        if style in (Style.SINGLE, Style.DOUBLE):
            self.quote = at
        raw = self._text[start.index : end.index] if style is not Style.LITERAL and last > start.line else None
        return ScalarNode(event.value, style, event.tag, at, raw)

    def _last_line(self, start: int, end: Any) -> int:
        """The last line, from 0, that holds text of a scalar: its end mark may stand further down."""
        last: int = end.line if end.column else end.line - 1
        if self._lines is None:
            self._lines = self._text.split("\n")
        while last > start and self._map is None and not self._lines[last].strip():
            last -= 1
        return max(last, start)

    def _real(self, line: int) -> int:
        """As people count: from 1, in the outer file."""
        return line + self._shift if self._map is None else self._map[min(line, len(self._map) - 1)] + self._shift

    def _open(self, event: Any, is_mapping: bool) -> None:
        mark = event.start_mark
        at = Place(self._path, self._real(mark.line), mark.column + 1, self._real(mark.line))
        if len(self._stack) >= MAX_DEPTH:
            raise refuse(ProblemKind.LIMIT, f"is nested more than {MAX_DEPTH} levels deep", at)
        if self._stack and self._stack[-1].is_mapping and self._stack[-1].key is None:
            raise refuse(ProblemKind.YAML, "a collection stands where a key must be", at)
        self._stack.append(_Open(at, event.tag, event.anchor, is_mapping))

    def _close(self, event: Any) -> None:
        done = self._stack.pop()
        if event.end_mark.line == event.start_mark.line and event.end_mark.column > event.start_mark.column:
            end = self._real(event.end_mark.line)  # a closing bracket
        elif done.is_mapping:
            end = max((done.pairs[-1].value.at.end_line, done.pairs[-1].key.at.end_line)) if done.pairs else 0
            # an alias as the last value stands elsewhere: its key's line is the end that counts
            if done.pairs and done.pairs[-1].value.at.line < done.pairs[-1].key.at.line:
                end = done.pairs[-1].key.at.end_line
        else:
            end = done.items[-1].at.end_line if done.items else 0
        at = Place(self._path, done.start.line, done.start.column, max(done.start.line, end))
        node: Node
        if done.is_mapping:
            node = MappingNode(tuple(done.pairs), done.tag, at)
        else:
            node = SequenceNode(tuple(done.items), done.tag, at)
        if done.anchor:
            self._anchors[done.anchor] = (node, done.size)
        self._add(node, done.size)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        line = self._real(event.start_mark.line)
        at = Place(self._path, line, event.start_mark.column + 1, line)
        if any(open_.anchor == name for open_ in self._stack):
            raise refuse(ProblemKind.YAML, f"anchor '{name}' value contains itself", at)
        if name not in self._anchors:
            near = get_close_matches(name, self._anchors, n=1)
            hint = f"; did you mean '{near[0]}' of line {self._anchors[near[0]][0].at.line}?" if near else ""
            raise refuse(ProblemKind.YAML, f"unknown anchor '{name}' referenced{hint}", at)
        node, size = self._anchors[name]
        self._add(node, size, at)

    def _add(self, node: Node, size: int, used_at: Place | None = None) -> None:
        if not self._stack:
            self._roots.append(node)
            return
        top = self._stack[-1]
        top.size += size
        if top.size > MAX_NODES:
            says = f"its aliases stand for more than {MAX_NODES:,} values"
            raise refuse(ProblemKind.LIMIT, says, used_at or node.at)
        if not top.is_mapping:
            top.items.append(node)
        elif top.key is None:
            self._key(top, node, used_at)
        else:
            top.pairs.append(Pair(top.key, node))
            top.key = None

    def _key(self, top: _Open, node: Node, used_at: Place | None) -> None:
        if not isinstance(node, ScalarNode):
            raise refuse(ProblemKind.YAML, "a collection stands where a key must be", used_at or node.at)
        first = top.keys.get(node.text)
        if first is not None:
            says = f'mapping key "{node.text}" is already defined at line {first.at.line}'
            if node.text == "<<":
                says += "; write one `<<` with a list of aliases, of which the first wins"
            raise refuse(ProblemKind.DUPLICATE_KEY, says, used_at or node.at, "duplicate-key", node.text)
        top.keys[node.text] = node
        top.key = node
