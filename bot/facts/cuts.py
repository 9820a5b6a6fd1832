"""Where a command ends before the words that are written as its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from bot.facts.shell_node import parsed
from bot.facts.strays import comments, stray_options
from bot.model.command_text import UnbalancedWords, split, stops_at
from bot.model.facts import Cause, Cut
from bot.model.node import ScalarNode, Style
from bot.model.place import Place
from bot.model.service import Service
from bot.model.value import Value

FIELDS = ("entrypoint", "command")
_SHELL = re.compile(r"(?:.*/)?(?:ba|da|a|z|k)?sh")
_SCRIPT_NEXT = re.compile(r"-[a-z]*c")
_COMMENT = re.compile(r"#(?:\s|$)")


def cuts(service: Service) -> tuple[Cut, ...]:
    """In the order of the fields: what Compose's splitter drops, then what a shell takes for something else."""
    found: list[Cut] = []
    words: list[tuple[str, Value, Value]] = []
    for field in FIELDS:
        value = service.value.get(field)
        if value is not None:
            words += [(field, word, value) for word in value.sequence()]
            if value.source is not None:
                found.extend(_by_compose(value, value.source, field))
    found.extend(_by_the_shell(words))
    return tuple(found)


def _by_compose(value: Value, source: ScalarNode, field: str) -> Iterator[Cut]:
    """What Compose's splitter makes of one text. It is read as written: variables hold no operators."""
    whole = Value(source.text, value.at, None, (), source)
    try:
        stop = stops_at(source.text)
        words = split(source.text)
    except UnbalancedWords:
        return
    runs = " ".join(word for word, _ in words)
    if stop is not None and (rest := source.text[stop:].strip(";&|<> \t\r\n")):
        operator = re.match(r"[;&|<>]+", source.text[stop:])
        lost = f"{operator.group() if operator else ''} {rest}"
        yield Cut(Cause.OPERATOR, runs, lost, whole.place_of(stop), field)
    for word, offset in words:
        if word.startswith("\n"):
            yield Cut(Cause.NEWLINE, words[0][0], word.strip(), whole.place_of(offset), field)
    if not any(_SHELL.fullmatch(word) for word, _ in words):
        yield from _no_comments(whole, source, [word for word, _ in words], field)


def _no_comments(whole: Value, source: ScalarNode, words: list[str], field: str) -> Iterator[Cut]:
    """Lines that begin with `#` where nothing reads comments."""
    raw = source.text if source.style is Style.LITERAL else source.raw or ""
    if "#" not in words or "\n" not in raw:
        return
    first = whole.at.line + (source.style is Style.LITERAL)
    for number, line in enumerate(raw.split("\n"), start=first):
        if _COMMENT.match(line.strip()):
            at = whole.at._replace(line=number, column=1, end_line=number)
            yield Cut(Cause.NO_COMMENT, words[0], line.strip(), at, field)


def _by_the_shell(words: Sequence[tuple[str, Value, Value]]) -> Iterator[Cut]:
    """In the script that a shell is given with `-c`."""
    shell = False
    for (_, before, _), (field, word, value) in pairwise(words):
        shell = shell or _SHELL.fullmatch(before.as_text) is not None
        if not (shell and _SCRIPT_NEXT.fullmatch(before.as_text)):
            continue
        root = parsed(word.as_text)
        if root is None:
            return
        place = _placer(word, value)
        if not root.has_error:
            for said, offset in stray_options(root):
                yield Cut(Cause.NEWLINE, said[0], said[1], place(offset), field)
        source = word.source or value.source
        if source is not None and source.style is not Style.LITERAL and source.raw is not None:
            yield from _folded(word, value, source, comments(root), field)
        return


def _folded(
    word: Value, value: Value, source: ScalarNode, found: Sequence[tuple[str, int]], field: str
) -> Iterator[Cut]:
    """Comments that go on over what stood on lines of its own before YAML joined the lines."""
    place, raw = _placer(word, value), (source.raw or "").split("\n")
    begin = (word if word.source is not None else value).at.line
    for comment, offset in found:
        first, last = place(offset).line, place(offset + len(comment) - 1).line
        lines = [line.strip() for line in raw[first - begin + 1 : last - begin + 1]]
        rest = " ".join(line for line in lines if not line.startswith("#")).strip("\"' ")
        if rest:
            at = value.at._replace(line=first, column=1, end_line=first)
            yield Cut(Cause.FOLDED_COMMENT, word.as_text[:offset].strip(), rest, at, field)


def _placer(word: Value, value: Value) -> Callable[[int], Place]:
    """For offsets in a word, also of one that was split out of a text over several lines."""
    if word.source is not None or value.source is None:
        return word.placer()
    text = value.source.text
    start = max(text.find(word.as_text[:20]), 0)
    place = Value(text, value.at, None, (), value.source).placer()
    return lambda offset: place(start + offset)
