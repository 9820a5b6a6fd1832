"""Calls in a Python script that fetch from a model hub."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msgspec import Struct

from bot.model.place import Place

_FETCHING = {"snapshot_download", "hf_hub_download"}
_POSITIONAL = {"snapshot_download": ("repo_id",), "hf_hub_download": ("repo_id", "filename")}
MAX_CHARACTERS = 200_000


class PythonCall(Struct, frozen=True):
    """One call with its constant arguments; `caught` when it stands in a `try` that has handlers."""

    name: str
    arguments: dict[str, str | None]  # None: not a constant
    caught: bool
    at: Place


def python_calls(text: str, place: Callable[[int], Place]) -> tuple[PythonCall, ...]:
    """The fetching calls of a script; none where it is no Python that we can read."""
    if len(text) > MAX_CHARACTERS:
        return ()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    caught = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and node.handlers
        for each in node.body
        for inner in ast.walk(each)
    }
    return tuple(
        PythonCall(name, _arguments(name, node), id(node) in caught, place(starts[node.lineno - 1]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and (name := _name(node.func)) in _FETCHING
    )


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _arguments(name: str, call: ast.Call) -> dict[str, str | None]:
    found = {key: _constant(value) for key, value in zip(_POSITIONAL[name], call.args, strict=False)}
    found.update({keyword.arg: _constant(keyword.value) for keyword in call.keywords if keyword.arg})
    return found


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
