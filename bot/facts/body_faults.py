"""Inline configs that the program which reads them will refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.document.nginx import fault
from bot.facts.embedded import Body, bodies, read
from bot.facts.shell_node import ShellNode, parsed
from bot.model.facts import BodyFault, Language
from bot.model.place import Place
from bot.model.service import Service
from bot.model.value import Value

_MOST = 20_000  # nodes of a script that are looked at


def body_faults(service: Service) -> tuple[BodyFault, ...]:
    """The first fault of each inline body that the service mounts, in the order mounted."""
    return tuple(found for body in bodies(service) if (found := _fault(body)) is not None)


def _fault(body: Body) -> BodyFault | None:
    if body.language is Language.NGINX:
        found = _in_nginx(body.content)
    elif body.language is Language.SHELL:
        found = _in_shell(body.content)
    elif body.language is Language.JSON:
        found = _in_json(body.content)
    else:
        found = _in_yaml(body)
    return BodyFault(body.config, body.language, *found, body.language is not Language.SHELL) if found else None


def _in_json(content: Value) -> tuple[str, Place] | None:
    if content.unknown:
        return None
    try:
        json.loads(content.as_text)
    except json.JSONDecodeError as error:
        return error.msg, content.place_of(error.pos)
    except RecursionError:
        return "is nested too deeply", content.at
    return None


def _in_yaml(body: Body) -> tuple[str, Place] | None:
    """`[${NAME}]` is no YAML before it is filled in."""
    found = read(body).fault
    if found is None or not body.content.unknown:
        return found
    filled_in = {at.line for line, at in body.content.lines() if "${" in line}
    return None if found[1].line in filled_in else found


def _in_nginx(content: Value) -> tuple[str, Place] | None:
    found = fault(content.as_text)
    return (found.says, content.place_of(found.offset)) if found is not None else None


def _in_shell(content: Value) -> tuple[str, Place] | None:
    """What is filled in at deploy time may be anything, so a script with it is not judged."""
    root = parsed(content.as_text)
    if root is None or content.unknown or not root.has_error:
        return None
    node = max(_not_understood(root), key=lambda each: each.start, default=None)
    if node is None:
        return None
    says = f'"{node.kind}" is missing' if node.is_missing else "the grammar breaks off here"
    return says, content.place_of(max(node.start - node.is_missing, 0))


def _not_understood(root: ShellNode) -> Iterator[ShellNode]:
    stack = [root]
    for _ in range(_MOST):
        if not stack:
            return
        top = stack.pop()
        if top.is_missing or top.kind == "ERROR":
            yield top
        stack.extend(top.children)
