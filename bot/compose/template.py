"""`$NAME` and `${NAME…}` in one text, with Compose's operators, nesting and escapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

_NAME = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_ESCAPE_IN_BRACES = re.compile(r"\$\{[^}]*\$\$")
# Nearly every use there is: nothing nested in it.
_SIMPLE = re.compile(r"\$(?:\{([_a-zA-Z][_a-zA-Z0-9]*)(?:(:?[-?+])([^${}]*))?\}|([_a-zA-Z][_a-zA-Z0-9]*))")
_OPERATORS = (":-", ":?", ":+", "-", "?", "+")


class InvalidTemplate(Exception):
    """The text is no template; `Required` says instead that a variable it needs is missing."""


class Required(Exception):
    """A variable that must be set is not; the message is the author's, after Compose's own words."""

    uses: tuple[Use, ...] = ()  # what the text used up to there


class Use(NamedTuple):
    """One use of a variable: its default or presence value where one is written."""

    name: str
    operator: str  # one of _OPERATORS, "" for none
    operand: str


@dataclass
class Substitution:
    """`text` with every known variable replaced. `unknown` are those kept as written."""

    text: str = ""
    unknown: list[str] = field(default_factory=list)
    blank: list[str] = field(default_factory=list)  # unset, without default: replaced by nothing
    uses: list[Use] = field(default_factory=list)


Lookup = Callable[[str], str | None]


def substitute(text: str, lookup: Lookup, keep: bool) -> Substitution:
    """Replace the variables of a text.

    With `keep`, a reference to a variable that is not set stays as written; else it becomes empty, as in
    Compose, or raises Required where the text says so. Raises InvalidTemplate for what Compose refuses.
    """
    result = Substitution()
    try:
        if "$$" in text and not _ESCAPE_IN_BRACES.search(text):
            # Scripts and nginx configs are full of `$$`: cut there, only the pieces that still hold a `$` are read.
            pieces = text.split("$$")
            result.text = "$".join(_expand(each, lookup, keep, result) if "$" in each else each for each in pieces)
        else:
            result.text = _expand(text, lookup, keep, result)
    except Required as error:
        error.uses = tuple(result.uses)
        raise
    return result


def _expand(text: str, lookup: Lookup, keep: bool, result: Substitution) -> str:
    parts: list[str] = []
    position = 0
    while (dollar := text.find("$", position)) >= 0:
        parts.append(text[position:dollar])
        simple = _SIMPLE.match(text, dollar)
        if simple is not None:
            name, operator, operand, bare = simple.groups()
            use = Use(name or bare, operator or "", operand or "")
            parts.append(_value(use, use.name, lookup, keep, result, simple.group()))
            position = simple.end()
            continue
        following = text[dollar + 1 : dollar + 2]
        if following == "$":
            parts.append("$")
            position = dollar + 2
        elif following == "{":
            end = _closing(text, dollar + 1)
            if end < 0:
                raise InvalidTemplate
            parts.append(_braced(text[dollar + 2 : end], text[dollar : end + 1], lookup, keep, result))
            position = end + 1
        else:
            parts.append("$")
            position = dollar + 1
    parts.append(text[position:])
    return "".join(parts)


def _closing(text: str, start: int) -> int:
    """The brace that closes the one at `start`, -1 when none does; braces inside are balanced."""
    depth, index = 0, start
    while index < len(text):
        if text[index] == "}":
            depth -= 1
            if depth == 0:
                return index
        elif text[index] == "{":
            depth += 1
        index += 1
    return -1


def _braced(inner: str, written: str, lookup: Lookup, keep: bool, result: Substitution) -> str:
    name = _NAME.match(inner)
    if name is None:
        raise InvalidTemplate
    rest = inner[name.end() :]
    operator = next((each for each in _OPERATORS if rest.startswith(each)), "")
    if rest and not operator:
        raise InvalidTemplate
    return _value(Use(name.group(), operator, rest[len(operator) :]), name.group(), lookup, keep, result, written)


def _value(use: Use, name: str, lookup: Lookup, keep: bool, result: Substitution, written: str) -> str:
    result.uses.append(use)
    found = lookup(name)
    missing = found is None or (found == "" and use.operator.startswith(":"))
    kind = use.operator[-1:]
    if kind == "+":
        if keep and found is None:
            result.unknown.append(name)
            return written
        return "" if missing else _expand(use.operand, lookup, keep, result)
    if not missing:
        return found or ""
    if kind == "-":
        return _expand(use.operand, lookup, keep, result)
    if keep and found is None:
        result.unknown.append(name)
        return written
    if kind == "?":
        says = _expand(use.operand, lookup, keep, result)
        raise Required(f"required variable {name} is missing a value" + (f": {says}" if says else ""))
    if found is None:
        result.blank.append(name)
    return ""
