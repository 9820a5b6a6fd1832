"""Texts within texts: what `json()`, `yaml()`, `nginx()` and `captures()` give, with the lines it came from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache

from msgspec import Struct

from bot.contracts.located import Located, Plain, of_plain
from bot.contracts.nginx import NotNginx, read_nginx
from bot.document.parse import DocumentError, parse
from bot.model.node import MappingNode, Node, Pair, ScalarNode, SequenceNode, Style
from bot.model.place import Place

MAX_CHARACTERS = 1_000_000  # of a text that a function reads
MAX_CAPTURES = 10_000
MAX_DEPTH = 100

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+")
_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class Unfit(ValueError):
    """An argument that a function cannot work with: why, and on which line of a text, counted from 1."""

    def __init__(self, says: str, line: int | None = None) -> None:
        super().__init__(says)
        self.line = line


class Reading(Struct, frozen=True):
    """What a text holds. `locate` tells the lines too, which is asked only of what is violated."""

    plain: Plain
    locate: Callable[[], Located]


def read_json(text: str) -> Reading:
    """Strict JSON. Lines are told where the text has several."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        line = error.lineno if "\n" in text.strip() else None
        raise Unfit(f"this is no JSON: {error.msg.lower()} at character {error.pos + 1}", line) from None
    except (ValueError, RecursionError) as error:
        raise Unfit(f"this is no JSON: {error}") from None
    if _too_deep(data):
        raise Unfit(f"this is nested more than {MAX_DEPTH} levels deep")
    return Reading(data, lambda: _json_places(text, data))


def _json_places(text: str, data: Plain) -> Located:
    if "\n" in text.strip():
        with suppress(Unfit):  # a tab, say: good JSON all the same
            found = read_yaml(text)
            if found.plain == data:
                return found.locate()
    return of_plain(data, Place.of_line("", 1))


def part_of(whole: Reading, keys: list[str | int]) -> Reading:
    """What stands at a path of keys and indices; null where it ends early. All else need not be handed over."""
    data, places = whole.plain, whole.locate
    for key in keys:
        in_list = isinstance(data, list) and isinstance(key, int) and 0 <= key < len(data)
        if not in_list and not (isinstance(data, dict) and key in data):
            return Reading(None, lambda: Located(None, Place.of_line("", 1)))
        data = data[key]
    return Reading(data, lambda: _below(places(), keys))


def _below(found: Located, keys: list[str | int]) -> Located:
    for key in keys:
        step = found.step(key)
        assert step is not None
        found = step
    return found


def _too_deep(data: Plain) -> bool:
    level = [data]
    for _ in range(MAX_DEPTH):
        inner = [part for part in level if isinstance(part, (dict, list))]
        if not inner:
            return False
        level = [value for part in inner for value in (part.values() if isinstance(part, dict) else part)]
    return True


def _no_constant(word: str) -> None:
    raise ValueError(f"`{word}` is no JSON value")


def read_yaml(text: str) -> Reading:
    """One YAML document, its scalars read as most programs read them; `010`, which they do not agree on, as text."""
    root = _root(text)
    if root is None:
        return Reading(None, lambda: Located(None, Place.of_line("", 1)))
    return Reading(_plain(root), lambda: _located(root, None))


@lru_cache(maxsize=64)
def _root(text: str) -> Node | None:
    try:
        roots = parse("", text.encode("utf-8", "surrogatepass")).roots
    except DocumentError as error:
        raise Unfit(f"this is no YAML: {error.problem.says}", error.problem.at.line) from None
    if len(roots) > 1:
        raise Unfit(f"this holds {len(roots)} YAML documents, not one", roots[1].at.line)
    return roots[0] if roots else None


def _plain(node: Node) -> Plain:
    if isinstance(node, ScalarNode):
        return scalar(node)
    if isinstance(node, SequenceNode):
        return [_plain(item) for item in node.items]
    return {pair.key.text: _plain(pair.value) for pair in merged(node)}


def _located(node: Node, key: Place | None) -> Located:
    at = key.through(node.at) if key is not None and key.line <= node.at.line else key or node.at
    if isinstance(node, ScalarNode):
        return Located(scalar(node), at)
    if isinstance(node, SequenceNode):
        return Located([_located(item, None) for item in node.items], at)
    return Located({pair.key.text: _located(pair.value, pair.key.at) for pair in merged(node)}, at)


def merged(node: MappingNode) -> Iterable[Pair]:
    """A mapping's pairs with what `<<` brings in, which never replaces what stands there itself."""
    if all(pair.key.text != "<<" for pair in node.pairs):
        return node.pairs
    found = {pair.key.text: pair for pair in node.pairs if pair.key.text != "<<"}
    for pair in node.pairs:
        if pair.key.text == "<<":
            sources = pair.value.items if isinstance(pair.value, SequenceNode) else (pair.value,)
            for source in sources:
                if isinstance(source, MappingNode):
                    found = {**{inner.key.text: inner for inner in merged(source)}, **found}
    return found.values()


def scalar(node: ScalarNode) -> bool | int | float | str | None:
    if node.style is not Style.PLAIN or (node.tag or "").endswith("str"):
        return node.text
    text = node.text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text.replace("_", ""))
    if re.fullmatch(r"[-+]?0(?:x[0-9A-Fa-f_]+|o[0-7_]+|b[01_]+)", text):
        return int(text.replace("_", ""), 0)
    if re.fullmatch(r"[-+]?\.(?:inf|Inf|INF)", text):
        return float(text.replace(".", "").lower())
    if text.lower() == ".nan":
        return float("nan")
    return float(text.replace("_", "")) if _FLOAT.fullmatch(text) else text


def read_captures(text: str, pattern: str) -> Reading:
    """Every place where a regular expression matches: a list of maps of groups by number and name, and `line`."""
    found: list[dict[str, Plain]] = []
    for match in _compiled(pattern).finditer(text):
        if len(found) >= MAX_CAPTURES:
            raise Unfit(f"the pattern matches more than {MAX_CAPTURES:,} times")
        groups: dict[str, Plain] = {str(number): match.group(number) or "" for number in range(match.re.groups + 1)}
        groups |= {name: value or "" for name, value in match.groupdict().items()}
        found.append({**groups, "line": text.count("\n", 0, match.start()) + 1})
    return Reading(found, lambda: _capture_places(found))


def _capture_places(found: list[dict[str, Plain]]) -> Located:
    top = Place.of_line("", 1)
    places = [Place.of_line("", one["line"], one["line"] + one["0"].rstrip("\n").count("\n")) for one in found]
    return Located([of_plain(one, at) for one, at in zip(found, places, strict=True)], top)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise Unfit(f"`{pattern}` is no regular expression: {error}") from None


def _nginx(text: str) -> Reading:
    try:
        found = read_nginx(text)
    except NotNginx as error:
        raise Unfit(f"this is no nginx configuration: {error}", error.line) from None
    return Reading(found.plain, lambda: found)


READERS: Mapping[str, Callable[..., Reading]] = {
    "json": read_json,
    "yaml": read_yaml,
    "nginx": _nginx,
    "captures": read_captures,
}
