"""Volumes, configs, secrets and devices: every short form as the long one."""

from __future__ import annotations

import re

from bot.compose.canonical.fields import sized, within
from bot.compose.context import Context, joined
from bot.model.value import Value

_PROPAGATION = {"rprivate", "private", "rshared", "shared", "rslave", "slave"}
_IGNORED = {"cached", "consistent", "delegated", "rw", "copy"}
_DRIVE = re.compile(r"[A-Za-z]")


def volume(value: Value, context: Context, folder: str) -> Value:
    """One entry of a service's `volumes`. Raises ValueError with Compose's words."""
    if not isinstance(value.data, str):
        return _long(value, context, folder)
    text = value.data
    if not text:
        raise ValueError("invalid empty volume spec")
    source, target, options = _split(text)
    data: dict[str, Value] = {"target": _at(value, target)}
    if source is None:
        return Value({"type": _at(value, "volume"), **data, "volume": Value({}, value.at)}, value.at)
    is_path = source.startswith((".", "/", "~", "\\")) or _windows(source)
    data["type"] = _at(value, "bind" if is_path else "volume")
    data["source"] = _at(value, _resolved(source, context, folder) if is_path else source)
    inner: dict[str, Value] = {}
    for option in options:
        if option == "ro":
            data["read_only"] = _at(value, True)
        elif option in ("z", "Z") and is_path:
            inner["selinux"] = _at(value, option)
        elif option in _PROPAGATION and is_path:
            inner["propagation"] = _at(value, option)
        elif option == "nocopy" and not is_path:
            inner["nocopy"] = _at(value, True)
    data["bind" if is_path else "volume"] = Value(inner, value.at)
    return Value(data, value.at, value.key_at, value.unknown, value.source)


def _split(text: str) -> tuple[str | None, str, list[str]]:
    """Source, target and options. A single letter before the first colon is taken for a Windows drive."""
    parts = re.findall(r"(?:\$\{[^}]*\}|[^:])+", text)
    if len(parts) > 1 and len(parts[0]) == 1 and _DRIVE.match(parts[0]):
        parts = [f"{parts[0]}:{parts[1]}", *parts[2:]]
    if len(parts) == 1:
        return None, parts[0], []
    return parts[0], parts[1], parts[2].split(",") if len(parts) > 2 else []


def _windows(source: str) -> bool:
    return bool(re.match(r"[A-Za-z]:", source))


def _resolved(source: str, context: Context, folder: str) -> str:
    if source == "~" or source.startswith("~/"):
        return (context.home or "~") + source[1:]
    if not context.resolve_paths or source.startswith(("/", "$", "\\")) or _windows(source):
        return source
    return joined(folder, source)


def _long(value: Value, context: Context, folder: str) -> Value:
    data = dict(value.mapping())
    source = data.get("source")
    kind = value.text("type")
    if kind == "bind" and source is not None and isinstance(source.data, str):
        data["source"] = Value(
            _resolved(source.data, context, folder), source.at, source.key_at, source.unknown, source.source
        )
    bind = data.get("bind")
    if bind is not None and "create_host_path" in bind.mapping():
        # Written out or not, this is how a bind mount behaves: only `false` says something.
        kept = {
            name: inner for name, inner in bind.mapping().items() if name != "create_host_path" or inner.data is False
        }
        data["bind"] = Value(kept, bind.at, bind.key_at)
    tmpfs = data.get("tmpfs")
    if tmpfs is not None and tmpfs.get("size") is not None:
        data["tmpfs"] = within(tmpfs, {"size": sized})
    target = data.get("target")
    if target is not None and isinstance(target.data, str) and len(target.data) > 1:
        data["target"] = Value(target.data.rstrip("/") or "/", target.at, target.key_at, target.unknown, target.source)
    return Value(data, value.at, value.key_at)


def grant(value: Value, folder: str) -> Value:
    """One entry of a service's `configs` or `secrets`; secrets lie below `folder` unless they say otherwise."""
    if isinstance(value.data, str):
        data = {"source": _at(value, value.data)}
    else:
        data = dict(value.mapping())
    if folder and "target" not in data and "source" in data:
        data["target"] = Value(f"{folder}/{data['source'].as_text}", value.at)
    mode = data.get("mode")
    if mode is not None and mode.data is not None and not mode.unknown:
        data["mode"] = Value(_mode(mode), mode.at, mode.key_at, (), mode.source)
    return Value(data, value.at, value.key_at)


def _mode(mode: Value) -> str:
    """A number is decimal for YAML and octal for people: 0440 is read as 288 and written "0440"."""
    if isinstance(mode.data, int):
        return f"0{mode.data:o}"
    text = mode.as_text
    return f"0{int(text, 8):o}" if re.fullmatch(r"[0-7]+", text) else text


def device(value: Value) -> Value:
    if not isinstance(value.data, str):
        data = dict(value.mapping())
        if "permissions" not in data:
            data["permissions"] = Value("rwm", value.at)
        if "target" not in data and "source" in data:
            data["target"] = data["source"]
        return Value(data, value.at, value.key_at)
    parts = value.data.split(":")
    source = parts[0]
    target = parts[1] if len(parts) > 1 else source
    permissions = parts[2] if len(parts) > 2 else "rwm"
    data = {"source": _at(value, source), "target": _at(value, target), "permissions": _at(value, permissions)}
    return Value(data, value.at, value.key_at, value.unknown, value.source)


def _at(value: Value, data: str | bool) -> Value:
    return Value(data, value.at, None, value.unknown if isinstance(data, str) and "$" in data else ())
