"""Commands in either form as the words of one, each with its place."""

from __future__ import annotations

from bot.model.command_text import UnbalancedWords, split
from bot.model.value import Value


def words_of(value: Value) -> Value:
    """A text as the sequence of its words, each with the line it stands on. Raises UnbalancedWords.

    The sequence keeps the text as its source: what the splitter drops stands only there.
    """
    text = value.as_text
    place = value.placer()
    items = tuple(
        Value(word, place(offset), None, _unknown(word, value), value.source if word == text else None)
        for word, offset in split(text)
    )
    return Value(items, value.at, value.key_at, (), value.source)


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
