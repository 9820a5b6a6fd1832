"""The functions that expressions may call, each as `f(x)` or `x.f()`."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from bot.contracts.located import same
from bot.contracts.readers import MAX_CHARACTERS, READERS, Reading, Unfit, part_of
from bot.model.duration import seconds

FILE_FUNCTIONS = ("text", "sha256")
TESTED = ("json", "yaml", "nginx")  # `is_json()` and so on say whether a text can be read
MAX_ITEMS = 100_000  # of a list that a function gives

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b)?", re.IGNORECASE)
_UNITS = {unit: 1024**power for power, unit in enumerate(("", "k", "m", "g", "t", "p"))}

ReadFile = Callable[[str], bytes | None]


class Fault(Struct, frozen=True):
    """Why a function gave nothing; where it read a text, the text and the line of it."""

    says: str
    text: str = ""
    line: int | None = None


class Functions:
    """One set of functions, bound to the files of one tree.

    What the readers found is kept, for the same text is read again by other checks, and to tell on which
    line of it something stands.
    """

    def __init__(self, read_file: ReadFile) -> None:
        self._read_file = read_file
        self.readings: dict[tuple[str, ...], Reading] = {}
        self.fault: Fault | None = None  # why the last call that failed did

    def all(self) -> Mapping[str, Callable[..., Any]]:
        named: dict[str, Callable[..., Any]] = {name: self._reader(name) for name in READERS}
        named |= {f"is_{name}": self._checker(name) for name in TESTED}
        named |= {"text": self._text, "sha256": self._sha256, **PLAIN}
        return {name: self._guarded(name, function) for name, function in named.items()}

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The library passes on no exception as it is: the reason is kept aside."""

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except Unfit as error:
                text = args[0] if args and isinstance(args[0], str) else ""
                self.fault = Fault(f"{name}(): {error}", text, error.line)
                raise
            except (TypeError, AttributeError, KeyError, ValueError) as error:
                self.fault = Fault(f"{name}() cannot be called with {_shapes(args)}")
                raise Unfit(str(error)) from None

        return call

    def _reader(self, name: str) -> Callable[..., Any]:
        read = READERS[name]

        def call(*args: Any) -> Any:
            if not args or not isinstance(args[0], str):
                raise TypeError(name)
            if len(args[0]) > MAX_CHARACTERS:
                raise Unfit(f"a text of {len(args[0]):,} characters; at most {MAX_CHARACTERS:,} are read")
            if name == "captures":
                return self._kept((name, *args), lambda: read(*args)).plain
            whole = self._kept((name, args[0]), lambda: read(args[0]))
            if len(args) == 1:
                return whole.plain
            (keys,) = args[1:]
            return self._kept((name, args[0], same(keys)), lambda: part_of(whole, _list(keys))).plain

        return call

    def _kept(self, key: tuple[str, ...], read: Callable[[], Reading]) -> Reading:
        if key not in self.readings:
            self.readings[key] = read()
        return self.readings[key]

    def _checker(self, name: str) -> Callable[[Any], bool]:
        read = self._reader(name)

        def call(text: Any) -> bool:
            try:
                read(text)
            except Unfit:
                return False
            return True

        return call

    def _bytes(self, path: Any) -> bytes:
        if not isinstance(path, str):
            raise TypeError("path")
        data = self._read_file(path)
        if data is None:
            raise Unfit(f"the repository has no file `{path}` that can be read")
        return data

    def _text(self, path: Any) -> str:
        data = self._bytes(path)
        if len(data) > MAX_CHARACTERS:
            raise Unfit(f"`{path}` has {len(data):,} bytes; at most {MAX_CHARACTERS:,} are read")
        return data.decode("utf-8", "replace")

    def _sha256(self, path: Any) -> str:
        return hashlib.sha256(self._bytes(path)).hexdigest()


def _shapes(args: tuple[Any, ...]) -> str:
    names = {str: "text", list: "a list", dict: "a map", bool: "a boolean", int: "a number", float: "a number"}
    return ", ".join(names.get(type(arg), "null" if arg is None else type(arg).__name__) for arg in args) or "nothing"


def show(value: Any) -> str:
    """Any value as a message says it: a list as `a, b`, null as nothing."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(show(item) for item in value) or "nothing"
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def _get(value: Any, key: Any, default: Any = None) -> Any:
    """A field or element that may be missing; a list of keys goes down."""
    here: Any = value
    for step in key if isinstance(key, list) else [key]:
        in_list = isinstance(here, list) and isinstance(step, int) and 0 <= step < len(here)
        if not in_list and not (isinstance(here, dict) and step in here):
            return default
        here = here[step]
    return here


def _only(value: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """A map with these of its keys."""
    return {key: value[key] for key in keys if key in value}


def _pairs(items: list[str], separator: str) -> dict[str, str]:
    """`["a:1"]` as a map; a text without the separator is a key without a value."""
    return {key: rest for key, _, rest in (item.partition(separator) for item in items)}


def _split(text: str, separator: str) -> list[str]:
    if separator == "":
        raise Unfit("the separator is empty")
    return _few(_str(text).split(separator))


def _few(items: list[Any]) -> list[Any]:
    if len(items) > MAX_ITEMS:
        raise Unfit(f"a list of {len(items):,} elements; at most {MAX_ITEMS:,} are made")
    return items


def _flatten(items: list[Any]) -> list[Any]:
    found: list[Any] = []
    for item in _list(items):
        found.extend(item if isinstance(item, list) else [item])
        _few(found)
    return found


def _unique(items: list[Any]) -> list[Any]:
    found: dict[str, Any] = {}
    for item in _list(items):
        found.setdefault(same(item), item)
    return list(found.values())


def _duplicates(items: list[Any]) -> list[Any]:
    """What is there more than once, each time named once."""
    seen: dict[str, Any] = {}
    twice: dict[str, Any] = {}
    for item in _list(items):
        (twice if same(item) in seen else seen)[same(item)] = item
    return list(twice.values())


def _sort(items: list[Any]) -> list[Any]:
    return sorted(_list(items), key=lambda item: (isinstance(item, str), item))


def _range(count: int) -> list[int]:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0 or count > MAX_ITEMS:
        raise Unfit(f"needs a number from 0 to {MAX_ITEMS:,}")
    return list(range(count))


def _replace(text: str, old: str, new: str) -> str:
    if len(_str(text)) * max(1, len(_str(new))) > 10 * MAX_CHARACTERS:
        raise Unfit("the text would become too long")
    return text.replace(_str(old), new)


def _join(items: list[Any], separator: str = "") -> str:
    return _str(separator).join(show(item) for item in _list(items))


def _in_bytes(size: Any) -> int:
    """`768m` as a number of bytes; units are of 1,024, as Docker's."""
    if isinstance(size, int) and not isinstance(size, bool):
        return size
    found = _SIZE.fullmatch(_str(size).strip())
    if found is None:
        raise Unfit(f"`{size}` is no size")
    return int(float(found.group(1)) * _UNITS[found.group(2).lower()])


def _in_seconds(text: Any) -> float:
    """`1m30s` as 90.0."""
    found = seconds(_str(text), math.nan)
    if math.isnan(found):
        raise Unfit(f"`{text}` is no duration")
    return found


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(type(value).__name__)
    return value


def _keys(value: dict[str, Any]) -> list[str]:
    return sorted(value.keys())


PLAIN: Mapping[str, Callable[..., Any]] = {
    "show": show,
    "get": _get,
    "only": _only,
    "unless_null": lambda value, other: other if value is None else value,
    "keys": _keys,
    "values": lambda value: [value[key] for key in _keys(value)],
    "pairs": _pairs,
    "split": _split,
    "join": _join,
    "lines": lambda text: _few(_str(text).split("\n")),
    "lower": lambda text: _str(text).lower(),
    "upper": lambda text: _str(text).upper(),
    "trim": lambda text: _str(text).strip(),
    "replace": _replace,
    "flatten": _flatten,
    "unique": _unique,
    "duplicates": _duplicates,
    "sort": _sort,
    "range": _range,
    "in_bytes": _in_bytes,
    "in_seconds": _in_seconds,
}
NAMES = frozenset((*READERS, *(f"is_{name}" for name in TESTED), *FILE_FUNCTIONS, *PLAIN))
