"""Whether a YAML file changed in its comments alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.document.parse import DocumentError, parse
from bot.model.change import Hunk
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode, Style

_REMARK = re.compile(r"(?:^|\s)#.*")
# A plain scalar that no reader of YAML takes for anything but text.
_SURELY_TEXT = re.compile(r"[A-Za-z/_][^\n]*")
_WORDS_WITH_A_MEANING = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan"))


def comments_only(path: str, old: bytes, new: bytes, hunks: Sequence[Hunk]) -> bool:
    """Whether comments, blank lines, blanks at line ends and quotes are all that differs.

    Both must hold: the lines that were removed and those that were added are the same once comments,
    quotes and outer blanks are taken away; and the documents of both files are the same, node by node, in
    order, with the same tags and aliases in the same places. Quotes may come or go where the text cannot
    be read as anything but text (`latest`, not `1.10` or `no`). Whatever else moves, changes its order or
    its layout is no comment; and neither is a `#` line inside a block scalar, which is text of its script.
    """
    removed = _bare(line for hunk in hunks for line in hunk.removed)
    if removed != _bare(line for hunk in hunks for line in hunk.added):
        return False
    try:
        before, after = parse(path, old).roots, parse(path, new).roots
    except DocumentError:
        return False
    return same(before, after)


def _bare(lines: Iterable[str]) -> list[str]:
    bare = (_REMARK.sub("", line.lstrip("\ufeff")).replace('"', "").replace("'", "").strip() for line in lines)
    return [line for line in bare if line]


def same(before: Sequence[Node], after: Sequence[Node]) -> bool:
    """Whether two lists of documents say the same, places aside."""
    pairs: dict[int, int] = {}
    waiting: list[tuple[Node, Node]] = list(zip(before, after, strict=False))
    if len(before) != len(after):
        return False
    while waiting:
        one, other = waiting.pop()
        if id(one) in pairs:  # an alias: it must stand for the same node on both sides
            if pairs[id(one)] != id(other):
                return False
            continue
        pairs[id(one)] = id(other)
        inside = _inside(one, other)
        if inside is None:
            return False
        waiting.extend(inside)
    return len(set(pairs.values())) == len(pairs)


def _inside(one: Node, other: Node) -> list[tuple[Node, Node]] | None:
    """What two nodes hold, pair by pair; None when they differ themselves."""
    if one.tag != other.tag:
        return None
    if isinstance(one, ScalarNode) and isinstance(other, ScalarNode):
        return [] if one.text == other.text and _written_alike(one, other) else None
    if isinstance(one, SequenceNode) and isinstance(other, SequenceNode):
        return list(zip(one.items, other.items, strict=True)) if len(one.items) == len(other.items) else None
    if isinstance(one, MappingNode) and isinstance(other, MappingNode) and len(one.pairs) == len(other.pairs):
        both = list(zip(one.pairs, other.pairs, strict=True))
        return [(a.key, b.key) for a, b in both] + [(a.value, b.value) for a, b in both]
    return None


def _written_alike(one: ScalarNode, other: ScalarNode) -> bool:
    """Whether quotes, where only one side has them, change nothing."""
    if (one.style is Style.PLAIN) == (other.style is Style.PLAIN):
        return True
    return bool(_SURELY_TEXT.fullmatch(one.text)) and one.text.lower() not in _WORDS_WITH_A_MEANING
