"""What can be read off one node of a shell script's syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

MAX_NESTED = 60
_OVER = re.compile(r"\b(?:break|return 0|exit 0)\b")


class Input(Struct, frozen=True):
    """The text that a here-document hands to a command. `offset` is where it begins, in characters."""

    text: str
    offset: int


def ends_in_failure(node: Any, data: bytes) -> bool:
    """Whether what follows `||` gives up: `exit 1`, `false`, or a block that ends so."""
    here = node
    for _ in range(MAX_NESTED):
        if here.type in ("compound_statement", "subshell", "list") and here.named_children:
            here = here.named_children[-1]
        else:
            break
    words = text_of(here, data).split()
    if words[:1] == ["false"]:
        return True
    return words[:1] in (["exit"], ["return"]) and (len(words) == 1 or words[1] != "0")


def descend(node: Any, kind: str) -> Iterator[Any]:
    """The outermost nodes of a kind below a node, without recursion."""
    stack = list(reversed(node.named_children))
    for _ in range(10_000):
        if not stack:
            return
        top = stack.pop()
        if top.type == kind:
            yield top
        else:
            stack.extend(reversed(top.named_children))


def next_sign(node: Any) -> str:
    following = node.next_sibling
    return following.type if following is not None and not following.is_named else ""


def text_of(node: Any, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def offset_of(data: bytes, position: int) -> int:
    """Tree-sitter counts bytes, everything else here characters."""
    return len(data[:position].decode("utf-8", "replace"))


def gives_up(branch: list[Any], data: bytes) -> bool:
    """Whether a branch of an `if` ends the script in failure."""
    return bool(branch) and ends_in_failure(branch[-1], data)


def waits_for_ever(loop: Any, data: bytes) -> bool:
    """Whether a loop that tries until something succeeds has no other way out that counts as success."""
    body = next((child for child in loop.named_children if child.type == "do_group"), None)
    return body is not None and not _OVER.search(text_of(body, data))


def until(loop: Any) -> bool:
    """`until …`, or `while ! …`: the loop ends when its test succeeds."""
    test = next((child for child in loop.named_children if child.type != "comment"), None)
    negated = test is not None and test.type == "negated_command"
    return str(loop.children[0].type) == ("while" if negated else "until")


def input_of(redirect: Any, data: bytes) -> Input | None:
    """The body of a here-document, when nothing in it waits to be expanded."""
    start = next((child for child in redirect.named_children if child.type == "heredoc_start"), None)
    body = next((child for child in redirect.named_children if child.type == "heredoc_body"), None)
    if start is None or body is None:
        return None
    text = text_of(body, data)
    if text_of(start, data)[:1] not in ("'", '"', "\\") and ("$" in text or "`" in text):
        return None
    return Input(text, offset_of(data, body.start_byte))


def reads(loop: Any, data: bytes) -> list[str] | None:
    """The names that `while read a b` fills, None for any other loop."""
    test = next((child for child in loop.named_children if child.type != "comment"), None)
    words = text_of(test, data).split() if test is not None and test.type == "command" else []
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        words = words[1:]  # IFS=
    if words[:1] != ["read"]:
        return None
    return [word for word in words[1:] if not word.startswith("-")] or None
