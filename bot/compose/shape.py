"""Unknown and misplaced properties and wrong types, told by the Compose schema, each at its own place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.compose import schema
from bot.compose.context import Context
from bot.model.project import ProblemKind
from bot.model.value import Value

Path = tuple[str, ...]

# Lists in which Compose drops what is named twice before it looks at their shape.
_MADE_UNIQUE = {
    *("annotations", "args", "cap_add", "cap_drop", "configs", "devices", "dns", "dns_opt", "dns_search", "env_file"),
    *("environment", "expose", "labels", "links", "aliases", "link_local_ips", "ports", "profiles", "secrets"),
    *("sysctls", "tags", "tmpfs", "volumes"),
}


def check_shape(document: Value, file: str, context: Context) -> None:
    """Note what the schema refuses, each fault once and at its place. Parts that hold a variable are left alone."""
    validator = schema.validator()
    plain = document.plain()
    if validator.is_valid(plain):
        return
    seen: set[Path] = set()
    for path, says in _faults(validator.iter_errors(plain)):
        value = _at(document, path)
        if path in seen or value is None or _uncertain(value) or _passed_over(path):
            continue
        seen.add(path)
        context.misshapen.add(path)
        says = f"validating {context.root}{file}: {'.'.join(path)} {says}".replace(":  ", ": ")
        context.refuse(ProblemKind.SCHEMA, says, value.key_at or value.at, "schema", *path)


def _faults(errors: Iterable[Any]) -> Iterator[tuple[Path, str]]:
    for error in errors:
        path = tuple(str(step) for step in error.instance_path)
        kind = str(getattr(error.kind, "name", ""))
        if kind in ("additionalProperties", "unevaluatedProperties"):
            for name in map(str, error.kind.unexpected):
                # Where a service has another fault, the schema counts all its properties as unevaluated.
                if not (kind == "unevaluatedProperties" and _known(path, name)):
                    yield (*path, name), schema.unknown(name, error.schema_path)
        elif kind in ("anyOf", "oneOf"):
            yield from _in_branches(error, path)
        elif kind == "type":
            yield path, f"must be {_article(list(error.kind.types))}"
        elif kind == "required":
            yield path, f"lacks {error.kind.property}, which must be there"
        elif kind == "enum":
            yield path, f"must be one of {', '.join(map(repr, error.kind.options))}"
        elif kind == "uniqueItems":
            if path[-1] not in _MADE_UNIQUE or "deploy" in path:
                yield path, "names the same twice"
        else:
            yield path, str(error.message).split("\n")[0][:200]


def _in_branches(error: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Where one of several forms is meant, what is wrong within it; else which forms there are."""
    meant = [branch for branch in getattr(error.kind, "context", None) or () if not _of_another_type(branch, path)]
    if len(meant) == 1:
        yield from _faults(meant[0])
    else:
        yield path, f"must be {_article(schema.types(error.schema_path))}"


def _of_another_type(branch: Iterable[Any], path: Path) -> bool:
    return any(
        getattr(error.kind, "name", "") == "type" and tuple(map(str, error.instance_path)) == path for error in branch
    )


def _passed_over(path: Path) -> bool:
    """Compose reads what an `include` entry says before the schema could, and drops what it does not know."""
    return len(path) > 1 and path[0] == "include"


def _known(path: Path, name: str) -> bool:
    return len(path) == 2 and path[0] == "services" and (name in schema.service_properties() or name.startswith("x-"))


def _article(types: list[str]) -> str:
    names = [{"object": "mapping", "array": "list"}.get(name, name) for name in dict.fromkeys(types)]
    return " or ".join(f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names) or "in another form"


def _at(document: Value, path: Path) -> Value | None:
    here: Value | None = document
    for step in path:
        if here is None:
            return None
        here = here.get(int(step)) if isinstance(here.data, tuple) else here.get(step)
    return here


def _uncertain(value: Value) -> bool:
    return bool(value.unknown) or any(inner.unknown for _, inner in value.walk())
