"""A command written as one text, split into words the way Compose splits it."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Where these stand outside of quotes, Compose's splitter stops without a word: the rest is dropped.
_STOPS = ";&|<>"
_ESCAPES = {"n": "\n", "t": "\t"}
_SPECIAL = frozenset(_STOPS + "\\'\"`()")
_WORD = re.compile(r"[^ \t\r\n]+")
# Runs without a meaning of their own, outside of quotes and within each kind.
_RUNS = {
    "": re.compile(r"[^ \t\r\n;&|<>\\'\"`()$]+"),
    "'": re.compile(r"[^']+"),
    '"': re.compile(r'[^"\\]+'),
    "`": re.compile(r"[^`]+"),
}


class UnbalancedWords(Exception):
    """An open quote, a bracket or a trailing backslash: Compose refuses the text."""


def split(text: str) -> list[tuple[str, int]]:
    """The words, each with the offset where it begins. Raises UnbalancedWords."""
    if _SPECIAL.isdisjoint(text):
        return [(found.group(), found.start()) for found in _WORD.finditer(text)]
    return list(_Splitter(text).words())


def stops_at(text: str) -> int | None:
    """The offset of the shell operator at which the splitter stops, None when it reads to the end."""
    splitter = _Splitter(text)
    for _ in splitter.words():
        pass
    return splitter.stopped


class _Splitter:
    def __init__(self, text: str) -> None:
        self._text = text
        self.stopped: int | None = None

    def words(self) -> Iterator[tuple[str, int]]:
        word: list[str] = []
        begun: int | None = None
        quote = ""
        index, text = 0, self._text
        while index < len(text):
            run = _RUNS[quote].match(text, index)
            if run is not None:
                word.append(run.group())
                begun = index if begun is None else begun
                index = run.end()
                continue
            char = text[index]
            if quote == "'" or (quote == "`" and char != "`"):
                if char == quote:
                    quote = ""
                else:
                    word.append(char)
            elif char == "\\":
                if index + 1 >= len(text):
                    raise UnbalancedWords
                word.append(_ESCAPES.get(text[index + 1], text[index + 1]))
                begun = index if begun is None else begun
                index += 1
            elif char == quote:
                quote = ""
                if char == "`":
                    word.append(char)
            elif quote:
                word.append(char)
            elif char in " \t\r\n":
                if begun is not None:
                    yield "".join(word), begun
                word, begun = [], None
            elif char in _STOPS:
                self.stopped = index
                if begun is not None and not (char == ">" and "".join(word).isdigit()):
                    yield "".join(word), begun
                return
            elif char in "()":
                raise UnbalancedWords
            elif text.startswith("$(", index):
                end = self._substitution(index)
                word.append(text[index:end])
                begun = index if begun is None else begun
                index = end - 1
            else:
                begun = index if begun is None else begun
                if char in "'\"`":
                    quote = char
                    if char == "`":
                        word.append(char)
                else:
                    word.append(char)
            index += 1
        if quote:
            raise UnbalancedWords
        if begun is not None:
            yield "".join(word), begun

    def _substitution(self, start: int) -> int:
        end = self._text.find(")", start)
        if end < 0 or "(" in self._text[start + 2 : end]:
            raise UnbalancedWords
        return end + 1
