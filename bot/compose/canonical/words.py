"""A command written as one text, split into words the way Compose splits it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.value import Value

# Where these stand outside of quotes, Compose's splitter stops without a word: the rest is dropped.
_STOPS = ";&|<>"
_SPECIAL = frozenset(_STOPS + "\\'\"`()")
_WORD = re.compile(r"[^ \t\r\n]+")


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
            char = text[index]
            if quote == "'" or (quote == "`" and char != "`"):
                if char == quote:
                    quote = ""
                else:
                    word.append(char)
            elif char == "\\":
                if index + 1 >= len(text):
                    raise UnbalancedWords
                word.append(text[index + 1])
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


def words_of(value: Value) -> Value:
    """A text as the sequence of its words, each with the line it stands on. Raises UnbalancedWords."""
    text = value.as_text
    place = value.placer()
    items = tuple(
        Value(word, place(offset), None, _unknown(word, value), value.source if word == text else None)
        for word, offset in split(text)
    )
    return Value(items, value.at, value.key_at)


def words_or_list(value: Value) -> Value:
    """A command in either form as the sequence of its words. Raises ValueError with Compose's words."""
    if value.data is None or isinstance(value.data, tuple):
        return value
    try:
        return words_of(value)
    except UnbalancedWords:
        raise ValueError("invalid command line string") from None


def _unknown(word: str, value: Value) -> tuple[str, ...]:
    return tuple(name for name in value.unknown if name in word) if value.unknown else ()
