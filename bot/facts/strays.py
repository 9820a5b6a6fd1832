"""What stands in a shell script's syntax tree where nobody means it: options in a command's place, and its comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_OPTION = re.compile(r"--?[A-Za-z]")
_MOST = 20_000  # nodes looked at in one script


def stray_options(root: Any, data: bytes) -> list[tuple[tuple[str, str], int]]:
    """Commands whose name is an option, on another line than the statement before: both, and their offset."""
    found = []
    for node in _named(root):
        name = node.child_by_field_name("name") if node.type == "command" else None
        if name is None or not _OPTION.match(_text(name, data)):
            continue
        before = _before(node)
        if before is not None and b"\n" in data[before.end_byte : node.start_byte]:
            found.append(((_text(before, data), _text(node, data)), _offset(node, data)))
    return found


def comments(root: Any, data: bytes) -> list[tuple[str, int]]:
    """The comments, each with its offset in characters."""
    return [(_text(node, data), _offset(node, data)) for node in _named(root) if node.type == "comment"]


def _before(node: Any) -> Any:
    """The statement before a command, or before the row of statements that it opens."""
    here = node
    while here is not None:
        sibling = here.prev_named_sibling
        while sibling is not None and sibling.type == "comment":
            sibling = sibling.prev_named_sibling
        if sibling is not None:
            return sibling
        here = here.parent if here.parent is not None and here.parent.type in ("list", "pipeline") else None
    return None


def _named(root: Any) -> Iterator[Any]:
    """Every named node in the order written, without recursion."""
    stack = [root]
    for _ in range(_MOST):
        if not stack:
            return
        top = stack.pop()
        yield top
        stack.extend(reversed(top.named_children))


def _text(node: Any, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _offset(node: Any, data: bytes) -> int:
    return len(data[: node.start_byte].decode("utf-8", "replace"))
