"""The comments of a YAML file, which nodes do not carry."""

from __future__ import annotations

from bot.model.node import Comment, Node, ScalarNode, YamlFile, scalars
from bot.model.place import Place


def comments(file: YamlFile) -> tuple[Comment, ...]:
    """Every run of adjacent lines that are comments and nothing else.

    A `#` line inside a block scalar is text of that scalar (often a script's own comment) and left out.
    """
    inside = _lines_of_text(file.roots)
    found: list[Comment] = []
    run: list[str] = []
    for number, line in enumerate([*file.lines, ""], start=1):
        stripped = line.strip()
        if stripped.startswith("#") and number not in inside:
            run.append(stripped.lstrip("#").strip())
            continue
        if run:
            found.append(Comment(tuple(run), Place.of_line(file.path, number - len(run), number - 1)))
            run = []
    return tuple(found)


def _lines_of_text(roots: tuple[Node, ...]) -> set[int]:
    inside: set[int] = set()
    for root in roots:
        for scalar in scalars(root):
            if isinstance(scalar, ScalarNode) and scalar.at.end_line > scalar.at.line:
                inside.update(range(scalar.at.line + 1, scalar.at.end_line + 1))
    return inside
