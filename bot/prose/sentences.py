"""Text of several lines to sentences that know which lines they stand on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

# A sentence ends at a full stop that a blank follows, unless the stop belongs to an abbreviation, and at a
# semicolon: its halves are claims of their own.
_END = re.compile(r"[.!?](?=[\s)\"'`*]|$)|;(?=\s)|\s\|\s")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|vs|cf|approx|resp)\Z")
_BULLET = re.compile(r"^\s*(?:[-*•–+]|\d+[.)]|#{1,6}|>)\s+")
_RULE = re.compile(r"^[\s|:=#*_-]*$")


class Sentence(Struct, frozen=True):
    """One sentence, its line breaks as blanks. `starts` maps offsets in `text` to line numbers."""

    text: str
    starts: tuple[tuple[int, int], ...]

    def line(self, offset: int) -> int:
        """The line, as numbered in the source, of the character at an offset."""
        found = self.starts[0][1]
        for start, line in self.starts:
            if start > offset:
                break
            found = line
        return found


def sentences(lines: Iterable[tuple[int, str]]) -> Iterator[Sentence]:
    """The sentences of numbered lines. Blank lines, rules and bullets end one; so do table cells."""
    paragraph: list[tuple[int, str]] = []
    fenced = False
    for number, line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            line = ""
        if fenced or _RULE.match(line) or _BULLET.match(line) or line.lstrip().startswith("|"):
            yield from _split(paragraph)
            paragraph = []
        if not fenced and not _RULE.match(line):
            paragraph.append((number, _BULLET.sub("", line).strip()))
    yield from _split(paragraph)


def _split(paragraph: list[tuple[int, str]]) -> Iterator[Sentence]:
    if not paragraph:
        return
    text, starts = "", []
    for number, line in paragraph:
        text = f"{text} " if text else ""
        starts.append((len(text), number))
        text += line
    cuts = [0, *(found.end() for found in _END.finditer(text) if _ends(text, found.start())), len(text)]
    for begin, end in pairwise(cuts):
        piece = text[begin:end]
        lead = len(piece) - len(piece.lstrip(" |"))
        piece = piece.strip(" |")
        if piece:
            yield Sentence(piece, _shifted(starts, begin + lead))


def _ends(text: str, offset: int) -> bool:
    """Not in parentheses or code, where an aside belongs to its sentence, and not with an abbreviation's stop."""
    if text[offset] in ".!?" and _SHORT.search(text[max(offset - 10, 0) : offset]):
        return False
    before = text[:offset]
    return before.count("(") <= before.count(")") and before.count("`") % 2 == 0


def _shifted(starts: list[tuple[int, int]], by: int) -> tuple[tuple[int, int], ...]:
    before = [start for start in starts if start[0] <= by]
    later = [(offset - by, line) for offset, line in starts if offset > by]
    return ((0, before[-1][1] if before else starts[0][1]), *later)
