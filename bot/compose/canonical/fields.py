"""Fields that may be written as a list or a mapping, a text or a list, with or without a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.compose.canonical.units import duration, size
from bot.compose.scalars import spelled
from bot.model.value import Value


def text(value: Value) -> Value:
    """A scalar as the text Compose makes of it."""
    if isinstance(value.data, str | tuple | dict):
        return value
    return Value(spelled(value.data), value.at, value.key_at, value.unknown, value.source)


def pairs(value: Value, missing: str | None = None) -> Value:
    """`["A=1", "B"]` or `{A: 1, B: null}` as a mapping of texts; a name without a value gives `missing`."""
    found: dict[str, Value] = {}
    if isinstance(value.data, tuple):
        for entry in value.data:
            if isinstance(entry.data, str | int | float | bool):
                name, sign, rest = entry.as_text.partition("=")
                unknown = tuple(each for each in entry.unknown if each in rest)
                found[name] = Value(rest if sign else missing, entry.at, entry.at, unknown, entry.source)
    elif isinstance(value.data, dict):
        for name, inner in value.data.items():
            absent = Value(missing, inner.at, inner.key_at, inner.unknown, inner.source)
            found[name] = absent if inner.data is None else text(inner)
    return Value(found, value.at, value.key_at)


def environment(value: Value) -> Value:
    """Variables; one without a value is passed through. Raises ValueError for a name with a blank at its end."""
    found = pairs(value, None)
    for name in found.mapping():
        if name != name.rstrip():
            raise ValueError(f"environment variable {name} is declared with a trailing space")
    return found


def labels(value: Value) -> Value:
    """Labels and the like; one without a value is empty."""
    return pairs(value, "")


def bare(value: Value) -> Value:
    """A value without its key: as an entry of a list."""
    return Value(value.data, value.at, None, value.unknown, value.source)


def sequence(value: Value) -> Value:
    """One text as a list of one; every entry as text."""
    if value.data is None:
        return value
    items = (
        value.data
        if isinstance(value.data, tuple)
        else (Value(value.data, value.at, None, value.unknown, value.source),)
    )
    return Value(tuple(text(item) for item in items), value.at, value.key_at)


def unique(value: Value, key: Callable[[Value], object] = lambda item: item.as_text) -> Value:
    """Entries of one key once: the later one stands in the place of the earlier."""
    if not isinstance(value.data, tuple):
        return value
    found: dict[object, Value] = {}
    for item in value.data:
        found[key(item)] = item
    return value if len(found) == len(value.data) else Value(tuple(found.values()), value.at, value.key_at)


def names(value: Value) -> Value:
    """A list of names as a mapping of names to nothing."""
    if not isinstance(value.data, tuple):
        return value
    found = {item.as_text: Value(None, item.at, item.at) for item in value.data}
    return Value(found, value.at, value.key_at)


def hosts(value: Value) -> Value:
    """`extra_hosts` as a list of `name=address`, in the order of names."""
    found: dict[str, list[Value]] = {}
    if isinstance(value.data, dict):
        for name, inner in value.data.items():
            for address in inner.data if isinstance(inner.data, tuple) else (inner,):
                found.setdefault(name, []).append(address)
    else:
        for item in value.sequence():
            written = item.as_text
            sign = "=" if "=" in written else ":"
            name, _, stated = written.partition(sign)
            found.setdefault(name, []).append(Value(stated.strip("[]"), item.at, None, item.unknown, item.source))
    items = [
        Value(f"{name}={address.as_text.strip('[]')}", address.at, None, address.unknown, address.source)
        for name in sorted(found)
        for address in found[name]
    ]
    return Value(tuple(items), value.at, value.key_at)


def sized(value: Value) -> Value:
    """A size as its number of bytes, in text. Raises ValueError."""
    return _converted(value, size)


def timed(value: Value) -> Value:
    """A duration in Compose's own spelling. Raises ValueError."""
    return _converted(value, duration)


def number(value: Value) -> Value:
    """A number written as text as a number; whole ones without a point. Raises ValueError."""
    if value.unknown or isinstance(value.data, bool) or not isinstance(value.data, str | float):
        return value
    found = float(value.data)
    whole = int(found) if found.is_integer() else found
    return Value(whole, value.at, value.key_at, (), value.source)


def _converted(value: Value, convert: Callable[[str], str]) -> Value:
    if value.unknown or value.data is None or not isinstance(value.data, str | int | float):
        return value
    return Value(convert(value.as_text), value.at, value.key_at, (), value.source)


def within(value: Value, changes: Mapping[str, Callable[[Value], Value]]) -> Value:
    """A mapping with some of its fields converted."""
    if not isinstance(value.data, dict):
        return value
    data = {name: changes[name](inner) if name in changes else inner for name, inner in value.data.items()}
    return Value(data, value.at, value.key_at)
