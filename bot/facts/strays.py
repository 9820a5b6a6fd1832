"""What stands in a shell script's syntax tree where nobody means it: options in a command's place, and its comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.facts.shell_node import ShellNode

_OPTION = re.compile(r"--?[A-Za-z]")
_MOST = 20_000  # nodes looked at in one script


def stray_options(root: ShellNode) -> list[tuple[tuple[str, str], int]]:
    """Commands whose name is an option, on another line than the statement before: both, and their offset."""
    found = []
    for node in _named(root):
        name = node.field("name") if node.kind == "command" else None
        if name is None or not _OPTION.match(name.text):
            continue
        before = _before(node)
        if before is not None and "\n" in node.between(before.end, node.start):
            found.append(((before.text, node.text), node.start))
    return found


def comments(root: ShellNode) -> list[tuple[str, int]]:
    """The comments, each with its offset in characters."""
    return [(node.text, node.start) for node in _named(root) if node.kind == "comment"]


def _before(node: ShellNode) -> ShellNode | None:
    """The statement before a command, or before the row of statements that it opens."""
    here: ShellNode | None = node
    while here is not None and here.parent is not None:
        before = [each for each in here.parent.children[: here.index] if each.is_named and each.kind != "comment"]
        if before:
            return before[-1]
        here = here.parent if here.parent.kind in ("list", "pipeline") else None
    return None


def _named(root: ShellNode) -> Iterator[ShellNode]:
    """Every named node in the order written, without recursion."""
    stack = [root]
    for _ in range(_MOST):
        if not stack:
            return
        top = stack.pop()
        yield top
        stack.extend(reversed(top.named))
