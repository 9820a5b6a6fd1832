"""The words of a CEL expression: which fields it reads, which files it names.

The CEL library answers whether an expression is true, and nothing about how it came to that. What is read from
the text here decides where a violation is shown and which changes concern a contract, never what is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from msgspec import Struct

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*)
      | (?P<text>[rR]?[bB]?(?:'''(?:\\.|.)*?'''|\"\"\"(?:\\.|.)*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>\d[\w.]*)
      | (?P<sign>==|!=|<=|>=|&&|\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Kind(Enum):
    TEXT = "text"
    NAME = "name"
    NUMBER = "number"
    SIGN = "sign"


_KINDS = {kind.value: kind for kind in Kind}


class Token(Struct, frozen=True):
    kind: Kind
    text: str
    start: int
    end: int


class Path(Struct, frozen=True):
    """A chain of fields and indices: `service.labels["x"]`. A step that must be computed is kept as text."""

    root: str
    steps: tuple[Step, ...]
    end: int  # offset in the expression

    @property
    def text(self) -> str:
        return self.root + "".join(step.text for step in self.steps)


class Step(Struct, frozen=True):
    """One field or index. `key` is None where `computed` is an expression that gives it."""

    key: str | int | None
    computed: str
    text: str


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of an expression, blanks and comments left out."""
    return tuple(
        Token(_KINDS[found.lastgroup or ""], found.group(), found.start(), found.end())
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "blank"
    )


def literal(token: Token) -> str:
    """What a string token stands for."""
    text = token.text
    raw = text[0] in "rR"
    text = text.lstrip("rRbB")
    width = 3 if text[:3] in ("'''", '"""') else 1
    inner = text[width:-width]
    if raw:
        return inner
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found.group(1), found.group(1)), inner, flags=re.DOTALL)


def paths(text: str) -> tuple[Path, ...]:
    """Every chain of fields in an expression, in order. A method's name at the end is no field."""
    return tuple(_walk(text, tokens(text)))


def path_of(text: str) -> Path | None:
    """The expression as one path, None when it is anything else."""
    stripped = text.strip()
    found = paths(stripped)
    return found[0] if found and found[0].end == len(stripped) and stripped.startswith(found[0].root) else None


def _walk(text: str, words: tuple[Token, ...]) -> Iterator[Path]:
    for index, word in enumerate(words):
        before = words[index - 1].text if index else ""
        after = words[index + 1].text if index + 1 < len(words) else ""
        if word.kind is Kind.NAME and before != "." and after != "(":
            yield _path(text, words, index)


def _path(text: str, words: tuple[Token, ...], index: int) -> Path:
    root, steps, end = words[index].text, [], words[index].end
    index += 1
    while index < len(words):
        step, index = _step(text, words, index)
        if step is None:
            break
        steps.append(step)
        end = words[index - 1].end
    return Path(root, tuple(steps), end)


def _step(text: str, words: tuple[Token, ...], index: int) -> tuple[Step | None, int]:
    word = words[index]
    if word.text == "." and index + 1 < len(words) and words[index + 1].kind is Kind.NAME:
        if index + 2 < len(words) and words[index + 2].text == "(":
            return None, index
        return Step(words[index + 1].text, "", f".{words[index + 1].text}"), index + 2
    if word.text != "[":
        return None, index
    close = _close(words, index)
    if close is None:
        return None, index
    inner = words[index + 1 : close]
    shown = text[word.start : words[close].end]
    if len(inner) == 1 and inner[0].kind is Kind.TEXT:
        return Step(literal(inner[0]), "", shown), close + 1
    if len(inner) == 1 and inner[0].kind is Kind.NUMBER and inner[0].text.isdigit():
        return Step(int(inner[0].text), "", shown), close + 1
    return Step(None, text[words[index].end : words[close].start], shown), close + 1


def _close(words: tuple[Token, ...], index: int) -> int | None:
    depth = 0
    for at in range(index, len(words)):
        if words[at].text in ("[", "(", "{"):
            depth += 1
        elif words[at].text in ("]", ")", "}"):
            depth -= 1
            if depth == 0:
                return at
    return None


@lru_cache(maxsize=4096)
def bound_names(text: str) -> frozenset[str]:
    """The variables that macros bind: `x` of `list.map(x, …)`."""
    words = tokens(text)
    return frozenset(
        words[index + 2].text
        for index in range(len(words) - 3)
        if words[index].text in ("all", "exists", "exists_one", "map", "filter")
        and words[index + 1].text == "("
        and words[index + 2].kind is Kind.NAME
        and words[index + 3].text == ","
    )


def file_names(text: str, functions: tuple[str, ...]) -> tuple[set[str], bool]:
    """The files that calls of these functions name, and whether one names a file that must be computed."""
    words = tokens(text)
    named: set[str] = set()
    computed = False
    for index, word in enumerate(words):
        if word.text not in functions or index + 1 >= len(words) or words[index + 1].text != "(":
            continue
        inner = words[index + 2 : index + 4]
        if len(inner) == 2 and inner[0].kind is Kind.TEXT and inner[1].text == ")":
            named.add(literal(inner[0]))
        else:
            computed = True
    return named, computed
