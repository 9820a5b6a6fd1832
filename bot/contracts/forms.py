"""How a service's fields are written: as a list or a mapping, and with which variables."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.contracts.located import Located
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode
from bot.model.project import Estate
from bot.model.service import Service
from bot.model.value import Value

_KINDS = {SequenceNode: "list", MappingNode: "map", ScalarNode: "text"}


class Forms:
    """Looks up, in the files of one tree, the YAML behind resolved values."""

    def __init__(self, estate: Estate, wanted: Collection[str]) -> None:
        self._estate = estate
        self._wanted = wanted
        self._kinds: dict[str, dict[tuple[int, int], str]] = {}

    def form(self, service: Service) -> Located:
        """For each field, "list", "map" or "text": as which kind of YAML it is written."""
        fields = service.value.mapping()
        found = {name: Located(self._kind(fields[name]), fields[name].whole) for name in fields if name in self._wanted}
        return Located(found, service.at)

    def _kind(self, value: Value) -> str:
        if value.source is not None:
            return "text"
        return self._of_file(value.at.file).get((value.at.line, value.at.column), "map")

    def _of_file(self, path: str) -> Mapping[tuple[int, int], str]:
        if path not in self._kinds:
            file = self._estate.files.get(path)
            self._kinds[path] = _collections(file.roots) if file is not None else {}
        return self._kinds[path]

    def written(self, service: Service) -> Located:
        """The service as resolved, but its texts with their variables as written: `${HOST_IP:-}`."""
        fields = {key: _entry(key, part) for key, part in service.value.mapping().items() if key in self._wanted}
        return Located(fields, service.value.whole)


def as_written(value: Value) -> Located:
    if isinstance(value.data, Mapping):
        parts = {key: _entry(key, part) for key, part in value.data.items()}
        return Located(parts, value.whole)
    if isinstance(value.data, tuple):
        return Located([as_written(part) for part in value.data], value.whole)
    return Located(value.source.text if value.source is not None else value.data, value.whole, value=value)


def _entry(key: str, value: Value) -> Located:
    if value.source is None:
        return as_written(value)
    return Located(written_text(key, value), value.whole, value=value)


def written_text(key: str, value: Value) -> str:
    """A variable's or label's value before interpolation, whether `KEY=value` or `KEY: value` is written."""
    if value.source is None:
        return value.as_text
    text = value.source.text
    in_list = value.key_at is None or (value.key_at.line, value.key_at.column) == (value.at.line, value.at.column)
    return text.partition("=")[2] if in_list and text.startswith(f"{key}=") else text


def _collections(roots: tuple[Node, ...]) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], str] = {}
    seen: set[int] = set()
    stack: list[Node] = list(roots)
    while stack:
        node = stack.pop()
        if isinstance(node, ScalarNode) or id(node) in seen:
            continue
        seen.add(id(node))
        found[node.at.line, node.at.column] = _KINDS[type(node)]
        stack.extend(node.items if isinstance(node, SequenceNode) else [pair.value for pair in node.pairs])
    return found
