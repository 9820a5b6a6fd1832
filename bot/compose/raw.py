"""Phases 2 and 3 in one walk: nodes to values, with merge keys flattened, scalars typed and variables replaced.

`!reset` and `!override` are noted with their paths for the merge.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.compose.context import Context
from bot.compose.interpolate import interpolated
from bot.compose.scalars import plain, typed
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode, Style
from bot.model.place import Place
from bot.model.project import ProblemKind
from bot.model.value import Value

Path = tuple[str, ...]


@dataclass
class Document:
    """One YAML document as a value, with the paths that it takes away from documents before it."""

    value: Value
    resets: list[Path] = field(default_factory=list)


def document(root: Node, context: Context) -> Document:
    reader = _Reader(context)
    value = reader.read(root, None)
    return Document(value if value is not None else Value({}, root.at), reader.resets)


class _Reader:
    """Shared nodes (aliases) give shared values: they are read once, unless a tag makes the path matter.

    The walk keeps its path on a stack of its own; texts with a `$` are interpolated as they are met.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._memo: dict[int, Value] = {}
        self._path: list[str] = []
        self.resets: list[Path] = []

    def read(self, node: Node, key_at: Place | None) -> Value | None:
        """The value of a node; None for one that is reset away."""
        if node.tag is not None and node.tag in ("!reset", "!override"):
            self.resets.append(tuple(self._path))
            if node.tag == "!reset":
                return None
        if isinstance(node, ScalarNode):
            data = typed(node)
            if type(data) is str and "$" in data and self._context.interpolate:
                return interpolated(Value(data, node.at, key_at, (), node), self._context, self._path)
            return Value(data, node.at, key_at, (), node)
        known = self._memo.get(id(node))
        if known is not None:
            return Value(known.data, known.at, key_at)
        before = len(self.resets)
        found = Value(self._mapping(node) if isinstance(node, MappingNode) else self._items(node), node.at, key_at)
        if len(self.resets) == before:
            self._memo[id(node)] = found
        return found

    def _items(self, node: SequenceNode) -> tuple[Value, ...]:
        found = []
        for index, item in enumerate(node.items):
            self._path.append(str(index))
            value = self.read(item, None)
            self._path.pop()
            if value is not None:
                found.append(value)
        return tuple(found)

    def _mapping(self, node: MappingNode) -> dict[str, Value]:
        own: dict[str, Value] = {}
        inherited: dict[str, Value] = {}
        for pair in node.pairs:
            key = pair.key
            if key.text == "<<" and key.style is Style.PLAIN:
                for name, value in self._merged(pair.value).items():
                    inherited.setdefault(name, value)
                continue
            if key.style is Style.PLAIN and key.tag is None and not isinstance(plain(key.text), str):
                self._odd_key(key)
            self._path.append(key.text)
            found = self.read(pair.value, key.at)
            self._path.pop()
            if found is not None:
                own[key.text] = found
        if not inherited:
            return own
        return {**{name: value for name, value in inherited.items() if name not in own}, **own}

    def _odd_key(self, key: ScalarNode) -> None:
        where = f" in {'.'.join(self._path)}" if self._path else ""
        shown = "<nil>" if plain(key.text) is None else key.text
        says = f"non-string key{where}: {shown}"
        self._context.refuse(ProblemKind.SCHEMA, says, key.at, "key", *self._path, key.text)

    def _merged(self, node: Node) -> dict[str, Value]:
        """What a `<<` brings; of several, the first wins."""
        found: dict[str, Value] = {}
        for part in node.items if isinstance(node, SequenceNode) else (node,):
            if not isinstance(part, MappingNode):
                says = "map merge requires map or sequence of maps as the value"
                self._context.refuse(ProblemKind.YAML, says, part.at, "merge", *self._path)
                continue
            value = self.read(part, None)
            for name, inner in (value.mapping() if value is not None else {}).items():
                found.setdefault(name, inner)
        return found
