"""Fields whose meaning depends on where the file lies: paths, and what is mounted from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from bot.compose.canonical import fields
from bot.compose.canonical.mounts import device, grant, volume
from bot.compose.canonical.words import words_or_list
from bot.compose.context import Context, joined
from bot.model.value import Value

Convert = Callable[[Value], Value]


class Located(Struct, frozen=True):
    """Conversions for files of one folder."""

    context: Context
    folder: str

    def conversions(self) -> Mapping[str, Convert]:
        return {
            "volumes": self._volumes,
            "configs": _grants(""),
            "secrets": _grants("/run/secrets"),
            "env_file": self._env_files,
            "label_file": lambda value: self._each(fields.sequence(value), self._path),
            "build": self._build,
            "develop": self._develop,
            "devices": lambda value: fields.unique(self._each(value, device), _target),
        }

    def _path(self, value: Value) -> Value:
        written = value.data
        if not isinstance(written, str) or value.unknown or not self.context.resolve_paths or written.startswith("/"):
            return value
        return Value(joined(self.folder, written), value.at, value.key_at, (), value.source)

    def _address_or_path(self, value: Value) -> Value:
        return value if "://" in value.as_text or value.as_text.startswith("service:") else self._path(value)

    def _each(self, value: Value, convert: Convert) -> Value:
        return Value(tuple(convert(item) for item in value.sequence()), value.at, value.key_at)

    def _volumes(self, value: Value) -> Value:
        return fields.unique(self._each(value, lambda item: volume(item, self.context, self.folder)), _target)

    def _env_files(self, value: Value) -> Value:
        items = []
        for item in value.data if isinstance(value.data, tuple) else (fields.bare(value),):
            entry = dict(item.mapping()) if isinstance(item.data, dict) else {"path": fields.bare(item)}
            if "path" in entry:
                entry["path"] = self._path(entry["path"])
            if not self.context.interpolate:
                entry.setdefault("required", Value(True, item.at))
            items.append(Value(entry, item.at, item.key_at))
        return Value(tuple(items), value.at, value.key_at)

    def _build(self, value: Value) -> Value:
        whole = value
        if isinstance(value.data, str):
            whole = Value({"context": fields.bare(value)}, value.at, value.key_at)
        elif "context" not in value.mapping():
            whole = Value({"context": Value(".", value.at), **value.mapping()}, value.at, value.key_at)
        changes: dict[str, Convert] = {
            "context": self._address_or_path,
            "secrets": _grants(""),
            "additional_contexts": self._contexts,
        }
        typed: dict[str, Convert] = {
            "args": fields.environment,
            "labels": fields.labels,
            "shm_size": fields.sized,
            "extra_hosts": fields.hosts,
            "cache_from": fields.sequence,
            "cache_to": fields.sequence,
            "tags": _listed,
            "provenance": fields.text,
            "sbom": fields.text,
        }
        return fields.within(whole, {**changes, **typed} if self.context.interpolate else changes)

    def _contexts(self, value: Value) -> Value:
        found = {name: self._address_or_path(each) for name, each in fields.labels(value).mapping().items()}
        return Value(found, value.at, value.key_at)

    def _develop(self, value: Value) -> Value:
        changes: dict[str, Convert] = {
            "path": self._path,
            "ignore": fields.sequence,
            "include": fields.sequence,
            "exec": lambda inner: fields.within(inner, {"command": words_or_list}),
        }
        return fields.within(
            value, {"watch": lambda inner: self._each(inner, lambda item: fields.within(item, changes))}
        )


def _grants(below: str) -> Convert:
    def convert(value: Value) -> Value:
        items = tuple(grant(item, below) for item in value.sequence())
        return fields.unique(
            Value(items, value.at, value.key_at), lambda item: item.text("target") or f"/{item.text('source')}"
        )

    return convert


def _listed(value: Value) -> Value:
    return fields.unique(fields.sequence(value))


def _target(item: Value) -> str | None:
    return item.text("target")
