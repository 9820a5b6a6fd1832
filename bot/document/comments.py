"""The comments of a YAML file, which nodes do not carry."""

from __future__ import annotations

import re
from itertools import groupby

from bot.model.node import Comment, YamlFile
from bot.model.place import Place

# It begins with the break before the line: a character that can be searched for quickly.
_COMMENT = re.compile(r"\n[^\S\n]*#.*")


def comments(file: YamlFile) -> tuple[Comment, ...]:
    """Every run of adjacent lines that are comments and nothing else.

    A `#` line inside a block scalar is text of that scalar (often a script's own comment) and left out.
    """
    inside: set[int] = set()
    for at in file.blocks:
        inside.update(range(at.line + 1, at.end_line + 1))
    found: list[tuple[int, str]] = []
    text, number, seen = f"\n{file.text}", 0, 0
    for line in _COMMENT.finditer(text):
        number, seen = number + text.count("\n", seen, line.end()), line.end()
        if number not in inside:
            found.append((number, line.group().strip().lstrip("#").strip()))
    # Adjacent lines are as far from their index as each other.
    runs = groupby(enumerate(found), lambda each: each[1][0] - each[0])
    return tuple(_comment(file.path, [line for _, line in run]) for _, run in runs)


def _comment(path: str, run: list[tuple[int, str]]) -> Comment:
    return Comment(tuple(text for _, text in run), Place.of_line(path, run[0][0], run[-1][0]))
