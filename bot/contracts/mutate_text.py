"""Small, likely mistakes in a text: a line lost, twice, elsewhere or with another value."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from enum import StrEnum
from itertools import pairwise
from typing import Any

from msgspec import Struct

from bot.document.parse import DocumentError, parse
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode


class Operator(StrEnum):
    DROP = "drop"
    DUPLICATE = "duplicate"
    ALTER = "alter"
    REORDER = "reorder"
    ADD = "add"


class TextMutant(Struct, frozen=True):
    """One mistake in a text: some of its lines become others.

    `kind` is the same for mistakes that teach the same; `line` counts from 1.
    """

    operator: Operator
    kind: str
    line: int
    says: str
    lines: int  # so many lines are replaced
    by: tuple[str, ...]
    name: str = ""  # of a key, the last one of its path; else the line is what it is about

    def apply(self, text: str) -> str:
        lines = text.split("\n")
        return "\n".join([*lines[: self.line - 1], *self.by, *lines[self.line - 1 + self.lines :]])


_HEX = re.compile(r"\b[0-9a-f]{12,64}\b")
_NUMBER = re.compile(r"\d+")
_DEFAULT = re.compile(r"(\$\{\w+):?-[^}]*\}")
_REFERENCE = re.compile(r"^\$\{(\w+)\}$")
_WORD = re.compile(r"[A-Za-z][\w./-]*")
_ADDRESS = re.compile(r"(?:^|//|[\s'\"])([A-Za-z][\w-]*(?:\.[\w-]+)*):\d{2,5}")
_SWAPS = {"true": "false", "false": "true", "yes": "no", "no": "yes", "on": "off", "off": "on"}


def altered(text: str) -> str:
    """The same text with another value: a revision or a number that is off, a default lost or gained, a word changed."""
    if text.lower() in _SWAPS:
        return _SWAPS[text.lower()]
    if _DEFAULT.search(text):
        return _DEFAULT.sub(r"\1}", text, count=1)
    if _REFERENCE.match(text):
        return _REFERENCE.sub(r"${\1:-changed}", text)
    for pattern, change in ((_HEX, _other_digit), (_NUMBER, _next), (_WORD, _other_word)):
        found = list(pattern.finditer(text))
        if found:
            last = found[-1]
            return text[: last.start()] + change(last.group()) + text[last.end() :]
    return f"{text}x"


def variants(text: str) -> Iterator[tuple[str, str]]:
    """Other values of a text, by kind: its value off, and of an address another name too."""
    yield "", altered(text)
    address = _ADDRESS.search(text)
    if address is not None and "$" not in address.group(1):
        yield "host", f"{text[: address.end(1)]}x{text[address.end(1) :]}"


def _other_digit(digits: str) -> str:
    return digits[:-1] + ("0" if digits[-1] != "0" else "1")


def _next(number: str) -> str:
    return str(int(number) + 1)


def _other_word(word: str) -> str:
    return f"{word}x"


def text_mutants(text: str, others: Collection[str] = ()) -> Iterator[TextMutant]:
    """The mistakes that fit the language of a text: YAML by its keys, a script or anything else by its lines.

    `others` are values that may stand in the place of YAML's own.
    """
    if not text.startswith("#!"):
        with suppress(DocumentError):
            roots = parse("", text.encode("utf-8", "surrogatepass")).roots
            if len(roots) == 1 and _is_data(roots[0]):
                yield from _yaml_mutants(roots[0], text.split("\n"), (), others)
                return
    yield from line_mutants(text)


def _is_data(root: Node) -> bool:
    """Whether a text is YAML on purpose, and no sentence with a colon."""
    if not isinstance(root, MappingNode):
        return False
    return len(root.pairs) > 1 or any(not isinstance(pair.value, ScalarNode) for pair in root.pairs)


def _yaml_mutants(node: Node, lines: list[str], path: tuple[str, ...], others: Collection[str]) -> Iterator[TextMutant]:
    if isinstance(node, MappingNode):
        for pair in node.pairs:
            inner = (*path, shape(pair.key.text))
            yield _gone(inner, pair.key.at.line, max(pair.key.at.line, pair.value.at.end_line))
            yield from _yaml_mutants(pair.value, lines, inner, others)
    elif isinstance(node, SequenceNode):
        inner = (*path, "*")
        if node.at.line == node.at.end_line and all(isinstance(item, ScalarNode) for item in node.items):
            yield from _flow_mutants(node, lines[node.at.line - 1], inner, others)
            return
        for item in node.items:
            start, end = item.at.line, item.at.end_line
            yield _gone(inner, start, end)
            block = tuple(lines[start - 1 : end])
            where = ".".join(inner)
            yield TextMutant(Operator.DUPLICATE, where, start, where, end - start + 1, block * 2, _last(path))
            yield from _yaml_mutants(item, lines, inner, others)
    elif node.at.line == node.at.end_line and node.text:
        yield from _scalar_mutants(node, lines[node.at.line - 1], path, others)


def _scalar_mutants(
    node: ScalarNode, line: str, path: tuple[str, ...], others: Collection[str]
) -> Iterator[TextMutant]:
    start = line.find(node.text, node.at.column - 1)
    if start < 0:
        return
    where = ".".join(path)
    likely = [(f"{where} {kind}".strip(), text) for kind, text in variants(node.text)]
    for kind, text in (*likely, *((f"{where} {other}", other) for other in others)):
        if text != node.text:
            changed = line[:start] + text + line[start + len(node.text) :]
            says = f"{where} {node.text} → {text}"
            yield TextMutant(Operator.ALTER, kind, node.at.line, says, 1, (changed,), _last(path))


def _flow_mutants(
    node: SequenceNode, line: str, path: tuple[str, ...], others: Collection[str]
) -> Iterator[TextMutant]:
    """Elements of a list in brackets, all on one line."""
    texts = [item.text for item in node.items if isinstance(item, ScalarNode)]
    start, end = node.at.column - 1, line.rfind("]") + 1
    where = ".".join(path)
    for index, text in enumerate(texts):
        lost, doubled = texts[:index] + texts[index + 1 :], [*texts[: index + 1], *texts[index:]]
        changed = [
            (Operator.ALTER, f" {kind}".rstrip(), [*texts[:index], other, *texts[index + 1 :]])
            for kind, other in (*variants(text), *((other, other) for other in others if other not in texts))
        ]
        for operator, kind, left in ((Operator.DROP, "", lost), (Operator.DUPLICATE, "", doubled), *changed):
            by = f"{line[:start]}{json.dumps(left, ensure_ascii=False)}{line[end:]}"
            yield TextMutant(operator, f"{where}{kind}", node.at.line, f"{where} {text}", 1, (by,), _last(path))


def _gone(path: tuple[str, ...], start: int, end: int) -> TextMutant:
    return TextMutant(Operator.DROP, ".".join(path), start, ".".join(path), end - start + 1, (), _last(path))


def _last(path: tuple[str, ...]) -> str:
    return next((key for key in reversed(path) if key != "*"), "*")


def line_mutants(text: str) -> Iterator[TextMutant]:
    """Each line that says something: dropped, doubled, altered; and in a script swapped with the next one."""
    lines = text.split("\n")
    said = [index for index, line in enumerate(lines) if line.strip() and not line.strip().startswith("#")]
    for index in said:
        line, number, kind = lines[index], index + 1, shape(lines[index])
        if len(said) > 1:
            yield TextMutant(Operator.DROP, kind, number, _says(line), 1, ())
        yield TextMutant(Operator.DUPLICATE, kind, number, _says(line), 1, (line, line))
        for what, changed in _altered_line(line):
            says = f"{_says(line)} → {_says(changed)}"
            yield TextMutant(Operator.ALTER, f"{kind} {what}", number, says, 1, (changed,))
    for index, following in pairwise(said) if _has_order(text) else ():
        between = lines[index + 1 : following]
        by = (lines[following], *between, lines[index])
        kind = f"{shape(lines[index])} before {shape(lines[following])}"
        yield TextMutant(Operator.REORDER, kind, index + 1, _says(lines[index]), len(by), by)


def _altered_line(line: str) -> Iterator[tuple[str, str]]:
    """A line with its value changed, and with each option's value changed."""
    if line.rstrip().endswith("\\"):
        yield "end", line.rstrip()[:-1].rstrip()
    for option in re.finditer(r"(--?[A-Za-z][\w-]*)([ =])(\S+)", line):
        yield option.group(1), line[: option.start(3)] + altered(option.group(3)) + line[option.end(3) :]
    for quoted in re.finditer(r'"([^"]+)"', line):
        yield "quoted", line[: quoted.start(1)] + altered(quoted.group(1)) + line[quoted.end(1) :]
    indent = len(line) - len(line.lstrip())
    for kind, text in variants(line[indent:]):
        yield kind or "value", line[:indent] + text


def _has_order(text: str) -> bool:
    """Whether a text is a script: of other languages the order of neighbouring lines says little."""
    return text.startswith("#!") or not re.search(r"\{\s*$", text, re.MULTILINE)


def shape(line: str) -> str:
    """What a line is about, without the names and numbers in it."""
    return re.sub(r"[A-Za-z]*\d[\w.-]*", "0", " ".join(line.split()))[:80]


def _says(line: str) -> str:
    flat = " ".join(line.split())
    return flat if len(flat) <= 90 else f"{flat[:89]}…"


def json_mutants(text: str, data: Any) -> Iterator[tuple[Operator, str, str, str]]:
    """The same of a JSON text: each key and element lost, twice or altered; and its syntax broken.

    Operator, kind, what is said of it, and the whole text after it.
    """
    for operator, kind, says, changed in _json_changes(data, "$"):
        yield operator, kind, says, json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
    start, last = text.rstrip()[:-1], text.rstrip()[-1:]
    if last in ("]", "}"):
        yield Operator.ALTER, "JSON syntax", "a comma before the last bracket", f"{start},{last}"


def _json_changes(data: Any, path: str) -> Iterator[tuple[Operator, str, str, Any]]:
    if isinstance(data, dict):
        for key, value in data.items():
            rest = {other: part for other, part in data.items() if other != key}
            yield Operator.DROP, f"{path}.{key}", f"{path}.{key}", rest
            for operator, kind, says, changed in _json_changes(value, f"{path}.{key}"):
                yield operator, kind, says, {**data, key: changed}
    elif isinstance(data, list):
        if len(data) == 1:
            yield Operator.ALTER, f"{path} alone", f"{path} without its brackets", data[0]
        for index, value in enumerate(data):
            name = value.partition(":")[0] if isinstance(value, str) and ":" in value else "*"
            where = f"{path}[{name}]"
            yield Operator.DROP, where, where, data[:index] + data[index + 1 :]
            if not isinstance(value, (dict, list)):
                yield Operator.DUPLICATE, where, where, [*data[: index + 1], *data[index:]]
            for operator, kind, says, changed in _json_changes(value, where):
                yield operator, kind, says, [*data[:index], changed, *data[index + 1 :]]
    elif isinstance(data, str):
        changed = altered(data) if data else "x"
        yield Operator.ALTER, path, f"{path} {data} → {changed}", changed
        if data and ":" not in data:
            yield Operator.ALTER, f"{path} empty", f"{path} {data} → nothing", ""
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield Operator.ALTER, path, f"{path} {data} → {data + 1}", data + 1
