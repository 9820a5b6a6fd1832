"""Phase 6, merge: a later document over an earlier one, in canonical form, with Compose's exceptions as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.compose.context import Context
from bot.model.project import ProblemKind
from bot.model.value import Value

Path = tuple[str, ...]

# Lists in which entries of one key are one entry: the later one, in the place of the earlier.
_KEYS: Mapping[str, Callable[[Value], object]] = {
    "services.*.ports": lambda item: (
        tuple(item.text(name) or "" for name in ("host_ip", "target", "published", "protocol"))
        if isinstance(item.data, dict)
        else item.as_text
    ),
    "services.*.volumes": lambda item: item.text("target"),
    "services.*.devices": lambda item: item.text("target"),
    "services.*.configs": lambda item: item.text("target") or f"/{item.text('source')}",
    "services.*.secrets": lambda item: item.text("target"),
    "services.*.env_file": lambda item: item.text("path"),
    "networks.*.ipam.config": lambda item: item.text("subnet"),
    **{
        f"services.*.{name}": lambda item: item.as_text
        for name in (
            "cap_add",
            "cap_drop",
            "dns",
            "dns_opt",
            "dns_search",
            "expose",
            "links",
            "profiles",
            "tmpfs",
        )
    },
}
# What the later document says stands alone, also when it says nothing.
_REPLACED = {"services.*.command", "services.*.entrypoint"}
# The same, but saying nothing changes nothing.
_OVERRIDDEN = {"services.*.healthcheck.test", "services.*.ulimits.*"}
# Mappings in which a name without a value means something.
_NULLS = {"services.*.environment.*", "services.*.build.args.*"}

# Mappings in canonical form. Where variables are left as they are, they may still be lists of `name=value`.
_PAIRED = {f"services.*.{name}" for name in ("environment", "labels", "annotations", "sysctls", "extra_hosts")}

_SPECIAL = {tuple(pattern.split(".")): pattern for pattern in (*_KEYS, *_REPLACED, *_OVERRIDDEN, *_NULLS, *_PAIRED)}


def merged(left: Value, right: Value, context: Context, path: Path = ()) -> Value:
    """`right` over `left`. Both are canonical."""
    pattern = _pattern(path)
    if right.data is None:
        if path[-1:] == ("logging",) and len(path) == 3:
            says = f"{'.'.join(path)}: cannot merge logging: expected a mapping, got <nil>"
            context.refuse(ProblemKind.MERGE, says, right.whole, "merge", *path)
        return right if pattern in _REPLACED or pattern in _NULLS else left
    if pattern in _REPLACED or pattern in _OVERRIDDEN:
        return right
    if pattern in _PAIRED and not context.interpolate:
        return _as_list(left, right)
    if isinstance(left.data, dict) and isinstance(right.data, dict):
        if path[-1:] == ("logging",) and _other_driver(left, right):
            return right
        return _mappings(left, right, context, path)
    if isinstance(left.data, tuple) and isinstance(right.data, tuple):
        return _lists(left, right, pattern)
    return right


def _other_driver(left: Value, right: Value) -> bool:
    one, other = left.text("driver"), right.text("driver")
    return one is not None and other is not None and one != other


def _mappings(left: Value, right: Value, context: Context, path: Path) -> Value:
    data = dict(left.mapping())
    for name, inner in right.mapping().items():
        data[name] = merged(data[name], inner, context, (*path, name)) if name in data else inner
    return Value(data, right.at, right.key_at)


def _as_list(left: Value, right: Value) -> Value:
    """`name=value` of both in any form, a later name in the place of the earlier."""
    found: dict[str, Value] = {}
    for side in (left, right):
        for name, inner in side.mapping().items():
            text = name if inner.data is None else f"{name}={inner.as_text}"
            found[name] = Value(text, inner.at, None, inner.unknown)
        found.update({item.as_text.partition("=")[0]: item for item in side.sequence()})
    return Value(tuple(found.values()), right.at, right.key_at)


def _lists(left: Value, right: Value, pattern: str | None) -> Value:
    both = (*left.sequence(), *right.sequence())
    key = _KEYS.get(pattern or "")
    if key is not None:
        found: dict[object, Value] = {}
        for item in both:
            found[key(item)] = item
        both = tuple(found.values())
    elif right.sequence():
        both = (*left.sequence(), *(item for item in right.sequence() if not _among(item, left.sequence())))
    return Value(both, right.at, right.key_at)


def _among(item: Value, others: tuple[Value, ...]) -> bool:
    """Whether an entry is there already: Compose adds it once."""
    return any(item.same(other) for other in others)


def _pattern(path: Path) -> str | None:
    """The table's pattern for a path; `*` stands for a name."""
    if len(path) < 3 or path[0] not in ("services", "networks"):
        return None
    general = (path[0], "*", *path[2:])
    return _SPECIAL.get(general) or _SPECIAL.get((*general[:-1], "*"))


def without(value: Value, resets: list[Path]) -> Value:
    """The value without what a later document resets or overrides."""
    for path in resets:
        value = _without(value, path)
    return value


def _without(value: Value, path: Path) -> Value:
    if not path or not isinstance(value.data, dict) or path[0] not in value.data:
        return value
    data = dict(value.data)
    if len(path) == 1:
        del data[path[0]]
    else:
        data[path[0]] = _without(data[path[0]], path[1:])
    return Value(data, value.at, value.key_at)
