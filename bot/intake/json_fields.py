"""JSON objects of others, read field by field: absent is fine, a wrong type is said with its path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class FactsError(Exception):
    """A file of facts that cannot be read. One line of the message per fault."""


class Fields:
    """One JSON object. Every getter takes names to try in turn; faults are collected, not raised.

    A name may be a path (`base.ref`). null counts as absent.
    """

    def __init__(self, data: Mapping[str, Any], faults: list[str], path: str = "") -> None:
        self._data = data
        self._faults = faults
        self._path = path

    def text(self, *names: str) -> str:
        found = self._first(names, str, "a text")
        return _LONE_SURROGATES.sub("\ufffd", found) if found is not None else ""

    def number(self, *names: str) -> int | None:
        found = self._first(names, int, "a whole number")
        return found if found is None else int(found)

    def flag(self, *names: str) -> bool | None:
        found = self._first(names, bool, "true or false")
        return found if found is None else bool(found)

    def inner(self, *names: str) -> Fields | None:
        found = self._first(names, dict, "an object")
        return None if found is None else Fields(found, self._faults, self._where(self._name(names)))

    def inner_list(self, *names: str) -> list[Fields]:
        return [
            Fields(item, self._faults, where)
            for where, item in self._items(names)
            if self._checked(item, dict, "an object", where)
        ]

    def called(self, name: str, *inner: str) -> str:
        """A text, or the name that an object says of itself under one of the inner names."""
        return self._called(self._data.get(name), self._where(name), inner)

    def all_called(self, name: str, *inner: str) -> tuple[str, ...]:
        """The same of a list's items."""
        return tuple(self._called(item, where, inner) for where, item in self._items((name,)))

    def _called(self, found: object, where: str, inner: tuple[str, ...]) -> str:
        if isinstance(found, dict):
            return Fields(found, self._faults, where).text(*inner)
        if found is None or not self._checked(found, str, "a text", where):
            return ""
        return _LONE_SURROGATES.sub("\ufffd", str(found))

    def has(self, name: str) -> bool:
        """Whether the name is there, be it null."""
        return name in self._data

    def _items(self, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        where = self._where(self._name(names))
        for number, item in enumerate(self._first(names, list, "a list") or ()):
            yield f"{where}[{number}]", item

    def _first(self, names: tuple[str, ...], kind: type, called: str) -> Any:
        name = self._name(names)
        found = self._get(name)
        if found is None or not self._checked(found, kind, called, self._where(name)):
            return None
        return found

    def _name(self, names: tuple[str, ...]) -> str:
        return next((name for name in names if self._get(name) is not None), names[0])

    def _get(self, name: str) -> Any:
        here: Any = self._data
        done: list[str] = []
        for step in name.split("."):
            if here is None or not self._checked(here, dict, "an object", self._where(".".join(done))):
                return None
            here = here.get(step)
            done.append(step)
        return here

    def _where(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def _checked(self, found: object, kind: type, called: str, where: str) -> bool:
        right = isinstance(found, kind) and not (kind is int and isinstance(found, bool))
        if not right:
            self._faults.append(f"{where} must be {called}, not {_said(found)}")
        return right


def read_json(path: Path) -> dict[str, Any]:
    """The object a file holds. FactsError with line and column where it is not JSON."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise FactsError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FactsError(f"{path} is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise FactsError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FactsError(f"{path} is nested too deeply") from None
    if not isinstance(data, dict):
        raise FactsError(f"{path} must hold an object, not {_said(data)}")
    return data


def _said(found: object) -> str:
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, (int, float)):
        return f"the number {found}"
    kinds: dict[type, str] = {str: "a text", list: "a list", dict: "an object", type(None): "null"}
    return kinds[type(found)]
