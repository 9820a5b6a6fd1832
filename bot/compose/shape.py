"""The Compose schema: unknown and misplaced properties, wrong types. Read from the package that keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.compose.context import Context
from bot.model.project import ProblemKind
from bot.model.value import Value

_PACKAGE = "check_jsonschema"
_FILE = "builtin_schemas/vendor/compose-spec.json"


@cache
def _schema() -> dict[str, Any]:
    spec = find_spec(_PACKAGE)  # found, not imported: the package itself is a development tool
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the package {_PACKAGE}, which holds the Compose schema, is not installed")
    found: dict[str, Any] = json.loads((Path(spec.origin).parent / _FILE).read_text(encoding="utf-8"))
    return found


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(_schema())


def check_shape(document: Value, file: str, context: Context) -> None:
    """Note what the schema refuses, each fault once and at its place. Parts that hold a variable are left alone."""
    validator = _validator()
    plain = document.plain()
    if validator.is_valid(plain):
        return
    seen: set[tuple[str, ...]] = set()
    for path, says in _faults(validator, plain):
        value = _at(document, path)
        if path in seen or value is None or _uncertain(value):
            continue
        seen.add(path)
        says = f"validating {context.root}{file}: {'.'.join(path)} {says}".replace(":  ", ": ")
        context.refuse(ProblemKind.SCHEMA, says, value.key_at or value.at, "schema", *path)


def _faults(validator: Any, plain: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    for error in validator.iter_errors(plain):
        path = tuple(str(step) for step in error.instance_path)
        kind = str(getattr(error.kind, "name", ""))
        if kind in ("additionalProperties", "unevaluatedProperties"):
            for name in error.kind.unexpected:
                # Where a service has another fault, the schema counts all its properties as unevaluated.
                if not (kind == "unevaluatedProperties" and _known(path, str(name))):
                    yield (*path, str(name)), "is not a property that Compose knows here"
        elif kind in ("anyOf", "oneOf"):
            yield path, f"must be {_article(_types(error.schema_path))}"
        elif kind == "type":
            yield path, f"must be {_article(list(error.kind.types))}"
        elif kind != "uniqueItems" or path[-1:] == ("depends_on",):
            # Compose makes most lists unique before it looks; only a dependency may not be named twice.
            yield path, str(error.message).split("\n")[0][:200]


def _known(path: tuple[str, ...], name: str) -> bool:
    return len(path) == 2 and path[0] == "services" and (name in _service_properties() or name.startswith("x-"))


@cache
def _service_properties() -> frozenset[str]:
    """What a service may hold: its own properties, and those of the groups it is put together from."""
    definitions = _schema()["$defs"]
    found: set[str] = set()
    queue = [definitions["service"]]
    while queue:
        part = queue.pop()
        found.update(part.get("properties", {}))
        queue.extend(
            definitions[str(each["$ref"]).rsplit("/", 1)[-1]] for each in part.get("allOf", ()) if "$ref" in each
        )
    return frozenset(found)


def _types(schema_path: list[Any]) -> list[str]:
    """The types that the branches at a place of the schema would take."""
    here: Any = _schema()
    for step in schema_path:
        here = here[int(step)] if isinstance(here, list) else here.get(step, {})
    found: list[str] = []
    for branch in here if isinstance(here, list) else ():
        target = branch
        if "$ref" in branch:
            target = _schema()["$defs"].get(str(branch["$ref"]).rsplit("/", 1)[-1], {})
        stated = target.get("type", "array" if target.get("items") else "")
        found.extend(stated if isinstance(stated, list) else [stated] if stated else [])
    return found


def _article(types: list[str]) -> str:
    names = [{"object": "mapping", "array": "list"}.get(name, name) for name in dict.fromkeys(types)]
    return " or ".join(f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names) or "in another form"


def _at(document: Value, path: tuple[str, ...]) -> Value | None:
    here: Value | None = document
    for step in path:
        if here is None:
            return None
        here = here.get(int(step)) if isinstance(here.data, tuple) else here.get(step)
    return here


def _uncertain(value: Value) -> bool:
    return bool(value.unknown) or any(inner.unknown for _, inner in value.walk())
