"""How a service's fields are written: as a list or a mapping, and with which variables."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.contracts.located import Located, Plain
from bot.model.service import Service
from bot.model.value import Value


def form_of(service: Service, wanted: Collection[str]) -> Located:
    """For each field, "list", "map" or "text": as which kind of YAML it is written."""
    fields = service.value.mapping()
    found = {name: Located(form(fields[name]), fields[name].whole) for name in fields if name in wanted}
    return Located(found, service.at)


def form(value: Value) -> str:
    if isinstance(value.data, Mapping):
        return "list" if any(in_list(part) for part in value.data.values()) else "map"
    if isinstance(value.data, tuple):
        # The words of a command that is one text all stand where that text does.
        return "text" if value.data and all(part.at == value.at for part in value.data) else "list"
    return "text"


def in_list(entry: Value) -> bool:
    """Whether an entry of a mapping is written as an element of a list: key and value in one."""
    return entry.key_at is not None and entry.key_at == entry.at


def written_of(service: Service, wanted: Collection[str]) -> Located:
    """The service as resolved, but its texts with their variables as written: `${HOST_IP:-}`."""
    fields = {key: _entry(key, part) for key, part in service.value.mapping().items() if key in wanted}
    return Located(fields, service.value.whole)


def as_written(value: Value) -> Located:
    data = value.data
    if isinstance(data, Mapping):
        entries = data
        return Located(
            None,
            value.whole,
            make=lambda: {key: _entry(key, part) for key, part in entries.items()},
            plain=lambda: {key: _plain_entry(key, part) for key, part in entries.items()},
        )
    if isinstance(data, tuple):
        return Located([as_written(part) for part in data], value.whole)
    return Located(value.source.text if value.source is not None else data, value.whole, value=value)


def _entry(key: str, value: Value) -> Located:
    if value.data is None:
        return Located(None, value.whole)
    if value.source is None:
        return as_written(value)
    return Located(written_text(key, value), value.whole, value=value)


def _plain_entry(key: str, value: Value) -> Plain:
    if value.source is not None and value.data is not None:
        return written_text(key, value)
    return None if value.data is None else as_written(value).plain


def written_text(key: str, value: Value) -> str:
    """A variable's or label's value before interpolation, whether `KEY=value` or `KEY: value` is written."""
    if value.source is None:
        return value.as_text
    text = value.source.text
    return text.removeprefix(f"{key}=") if in_list(value) else text
