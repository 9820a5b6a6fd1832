"""What can be read off one node of a shell script's syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.facts.shell_node import ShellNode

MAX_NESTED = 60
_OVER = re.compile(r"\b(?:break|return 0|exit 0)\b")


class Input(Struct, frozen=True):
    """The text that a here-document hands to a command. `offset` is where it begins, in characters."""

    text: str
    offset: int


def ends_in_failure(node: ShellNode) -> bool:
    """Whether what follows `||` gives up: `exit 1`, `false`, or a block that ends so."""
    here = node
    for _ in range(MAX_NESTED):
        if here.kind in ("compound_statement", "subshell", "list") and here.named:
            here = here.named[-1]
        else:
            break
    words = here.text.split()
    if words[:1] == ["false"]:
        return True
    return words[:1] in (["exit"], ["return"]) and (len(words) == 1 or words[1] != "0")


def descend(node: ShellNode, kind: str) -> Iterator[ShellNode]:
    """The outermost nodes of a kind below a node, without recursion."""
    stack = list(reversed(node.named))
    for _ in range(10_000):
        if not stack:
            return
        top = stack.pop()
        if top.kind == kind:
            yield top
        else:
            stack.extend(reversed(top.named))


def next_sign(node: ShellNode) -> str:
    following = node.next
    return following.kind if following is not None and not following.is_named else ""


def gives_up(branch: list[ShellNode]) -> bool:
    """Whether a branch of an `if` ends the script in failure."""
    return bool(branch) and ends_in_failure(branch[-1])


def waits_for_ever(loop: ShellNode) -> bool:
    """Whether a loop that tries until something succeeds has no other way out that counts as success."""
    body = next((child for child in loop.named if child.kind == "do_group"), None)
    return body is not None and not _OVER.search(body.text)


def until(loop: ShellNode) -> bool:
    """`until …`, or `while ! …`: the loop ends when its test succeeds."""
    test = next((child for child in loop.named if child.kind != "comment"), None)
    negated = test is not None and test.kind == "negated_command"
    return loop.children[0].kind == ("while" if negated else "until")


def input_of(redirect: ShellNode) -> Input | None:
    """The body of a here-document, when nothing in it waits to be expanded."""
    start = next((child for child in redirect.named if child.kind == "heredoc_start"), None)
    body = next((child for child in redirect.named if child.kind == "heredoc_body"), None)
    if start is None or body is None:
        return None
    text = body.text
    if start.text[:1] not in ("'", '"', "\\") and ("$" in text or "`" in text):
        return None
    return Input(text, body.start)


def reads(loop: ShellNode) -> list[str] | None:
    """The names that `while read a b` fills, None for any other loop."""
    test = next((child for child in loop.named if child.kind != "comment"), None)
    words = test.text.split() if test is not None and test.kind == "command" else []
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        words = words[1:]  # IFS=
    if words[:1] != ["read"]:
        return None
    return [word for word in words[1:] if not word.startswith("-")] or None
