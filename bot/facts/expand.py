"""Words of shell text: quotes taken off, variables that are known filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from bot.facts.shell_node import ShellNode

_DEFAULT = re.compile(r"^\$\{([A-Za-z_]\w*)(?::?[-?]([^}]*))?\}$")
_MAX_DEPTH = 20


class Field(Struct, frozen=True):
    """One word. `known` is false when something in it is only decided when the script runs."""

    text: str
    known: bool
    offset: int


@dataclass
class Scope:
    """What names stand for at one point of a script. An argument that is not known is None."""

    variables: dict[str, str]
    arguments: tuple[str | None, ...] = ()

    def forget(self, name: str) -> None:
        self.variables.pop(name, None)

    def value(self, name: str) -> str | None:
        if name.isdecimal():
            index = int(name) - 1
            return self.arguments[index] if 0 <= index < len(self.arguments) else None
        return self.variables.get(name)


def fields(node: ShellNode, scope: Scope) -> Iterator[Field]:
    """The words that one node of a command becomes: `$@` is several, an unquoted variable is split at blanks."""
    text, offset = node.text, node.start
    if text in ('"$@"', "$@", "$*", '"$*"') and all(each is not None for each in scope.arguments) and scope.arguments:
        yield from (Field(each or "", True, offset) for each in scope.arguments)
        return
    found = literal(node, scope)
    if node.kind in ("simple_expansion", "expansion") and found.known and found.text.split() != [found.text]:
        yield from (Field(each, True, offset) for each in found.text.split())
        return
    yield found


def literal(node: ShellNode, scope: Scope) -> Field:
    """One node as one word."""
    text, known = _read(node, scope, 0)
    return Field(text, known, node.start)


def _read(node: ShellNode, scope: Scope, depth: int) -> tuple[str, bool]:
    text = node.text
    if depth > _MAX_DEPTH:
        return text, False
    kind = node.kind
    if kind in ("word", "number", "string_content", "extglob_pattern"):
        if kind == "word" and "\\" in text:
            text = re.sub(r"\\(.)", r"\1", text.replace("\\\n", ""))
        return text, "$" not in text and "`" not in text
    if kind == "raw_string":
        return text[1:-1], True
    if kind == "ansi_c_string":
        return text[2:-1], True
    if kind in ("simple_expansion", "expansion"):
        return _expansion(text, scope)
    if kind in ("string", "concatenation", "command_name"):
        return _joined(node, scope, depth)
    return text, False


def _joined(node: ShellNode, scope: Scope, depth: int) -> tuple[str, bool]:
    """A string or a concatenation: its parts, and the characters between them."""
    begin, end = node.start, node.end
    if len(node.named) == 1 and node.named[0].start == begin and node.named[0].end == end:
        return _read(node.named[0], scope, depth + 1)
    if node.kind == "string":
        begin, end = begin + 1, end - 1
    parts, known, position = [], True, begin
    for child in node.named:
        if position < child.start:
            parts.append(_between(node, position, child.start))
        inner, sure = _read(child, scope, depth + 1)
        parts.append(inner)
        known = known and sure
        position = child.end
    if position < end:
        parts.append(_between(node, position, end))
    return "".join(parts), known


def _between(node: ShellNode, start: int, end: int) -> str:
    text = node.between(start, end)
    return text if node.kind == "string" else text.strip("\"'")


def _expansion(text: str, scope: Scope) -> tuple[str, bool]:
    if text.startswith("${"):
        found = _DEFAULT.match(text)
        if found is None:
            return text, False
        value = scope.value(found[1])
        if value is not None:
            return value, True
        return (found[2], True) if found[2] is not None and ":-" in text and "$" not in found[2] else (text, False)
    value = scope.value(text[1:])
    return (value, True) if value is not None else (text, False)
