"""Phase 7, canonical: the parts of a file beside its services."""

from __future__ import annotations

from collections.abc import Mapping

from bot.compose.canonical import fields
from bot.compose.canonical.service import canonical_service, conversions
from bot.compose.context import Context, joined
from bot.model.value import Value

RESOURCES = ("networks", "volumes", "configs", "secrets")


def canonical(document: Value, context: Context, folder: str) -> Value:
    """A document in canonical form. Paths are resolved against `folder`."""
    found: dict[str, Value] = {}
    for name, value in document.mapping().items():
        if name == "services":
            located = conversions(context, folder)
            services = {key: canonical_service(key, inner, context, located) for key, inner in value.mapping().items()}
            found[name] = Value(services, value.at, value.key_at)
        elif name in RESOURCES:
            parts = {key: _resource(inner, context, folder) for key, inner in value.mapping().items()}
            found[name] = Value(parts, value.at, value.key_at)
        elif name != "version":
            found[name] = value
    return Value(found, document.at, document.key_at)


def _resource(value: Value, context: Context, folder: str) -> Value:
    """A network, volume, config or secret."""
    if value.data is None and not context.interpolate:
        return value
    data: dict[str, Value] = {}
    for name, inner in value.mapping().items():
        if name in ("labels", "driver_opts") and context.interpolate:
            data[name] = fields.pairs(inner, "")
        elif name == "external" and isinstance(inner.data, dict):
            data[name] = Value(True, inner.at, inner.key_at)
            if "name" in inner.data:
                data["name"] = inner.data["name"]
        elif name == "file" and isinstance(inner.data, str) and context.resolve_paths and not inner.unknown:
            data[name] = Value(joined(folder, inner.data), inner.at, inner.key_at, (), inner.source)
        elif context.interpolate and (name.startswith("x-") or (inner.data in (False, None) and not inner.unknown)):
            continue
        else:
            data[name] = inner
    return Value(data, value.at, value.key_at)


def named(resources: Mapping[str, Value], project: str, kind: str, context: Context) -> dict[str, Value]:
    """Every resource with the name Docker gives it: `project_key`, unless it states one or is external."""
    if not (context.normalize or context.interpolate):
        return dict(resources)
    found = {}
    for key, value in resources.items():
        data = dict(value.mapping())
        external = data.get("external") is not None and data["external"].data is True
        if context.normalize and ("name" not in data or data["name"].data in (None, "")):
            data["name"] = Value(key if external else f"{project}_{key}", value.at)
        if kind == "networks" and context.interpolate:
            data.setdefault("ipam", Value({}, value.at))
        found[key] = Value(data, value.at, value.key_at)
    return found
