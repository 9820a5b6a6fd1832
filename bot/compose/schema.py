"""The Compose schema, read from the package that keeps it, and what can be told from it about a property."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PACKAGE = "check_jsonschema"
_FILE = "builtin_schemas/vendor/compose-spec.json"
_BRANCHES = ("allOf", "anyOf", "oneOf")
_DEEPEST = 6  # steps from the root within which a misplaced property's own place is looked for


@cache
def schema() -> dict[str, Any]:
    spec = find_spec(_PACKAGE)  # found, not imported: the package itself is a development tool
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the package {_PACKAGE}, which holds the Compose schema, is not installed")
    found: dict[str, Any] = json.loads((Path(spec.origin).parent / _FILE).read_text(encoding="utf-8"))
    return found


@cache
def validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema())


@cache
def service_properties() -> frozenset[str]:
    """What a service may hold: its own properties, and those of the groups it is put together from."""
    return frozenset(_properties(schema()["$defs"]["service"]))


def at(schema_path: Sequence[Any]) -> Any:
    """The part of the schema that a fault's path leads to."""
    here: Any = schema()
    for step in schema_path:
        here = here[int(step)] if isinstance(here, list) else here.get(step, {})
    return here


def unknown(name: str, schema_path: Sequence[Any]) -> str:
    """What to say of a property that may not stand there, by the path of the fault."""
    around = at(schema_path[:-1])
    known = _properties(around)
    if not known and (patterns := list(around.get("patternProperties", {}))):
        return f"is not a name that Compose takes (it must match {' or '.join(patterns)})"
    says = "is not a property that Compose knows here"
    if near := get_close_matches(name, known, n=1):
        return f"{says}; did you mean {near[0]}?"
    places = _places().get(name, ())
    return f"{says}; it belongs in {' or '.join(places)}" if 0 < len(places) <= 2 else says


def _resolved(part: Any) -> Mapping[str, Any]:
    while isinstance(part, dict) and "$ref" in part:
        part = schema()["$defs"].get(str(part["$ref"]).rsplit("/", 1)[-1], {})
    return part if isinstance(part, dict) else {}


def _properties(part: Any) -> dict[str, Any]:
    """The named properties of a schema and of the groups it joins."""
    whole = _resolved(part)
    found = dict(whole.get("properties", {}))
    for inner in whole.get("allOf", ()):
        found.update(_properties(inner))
    return found


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    """For each property's name, where the schema has it; `*` stands for a name that the file gives."""
    found: dict[str, dict[str, None]] = {}
    for path in _paths(schema(), ()):
        found.setdefault(path[-1], {})[".".join(path[:-1]) or "the top level"] = None
    return {name: tuple(places) for name, places in found.items()}


def _paths(part: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(path) >= _DEEPEST:
        return
    whole = _resolved(part)
    for name, inner in whole.get("properties", {}).items():
        yield (*path, name)
        yield from _paths(inner, (*path, name))
    for inner in whole.get("patternProperties", {}).values():
        yield from _paths(inner, (*path, "*"))
    for branch in (inner for key in _BRANCHES for inner in whole.get(key, ())):
        yield from _paths(branch, path)
    if "items" in whole:
        yield from _paths(whole["items"], path)


def types(schema_path: Sequence[Any]) -> list[str]:
    """The types that the branches at a place of the schema would take."""
    found: list[str] = []
    branches = at(schema_path)
    for branch in branches if isinstance(branches, list) else ():
        target = _resolved(branch)
        stated = target.get("type", "array" if target.get("items") else "")
        found.extend(stated if isinstance(stated, list) else [stated] if stated else [])
    return found
