"""A list of past pull requests: which commits each went from and to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from msgspec import Struct

_NUMBER = re.compile(r"#?(\d{1,9})")


class ListError(Exception):
    """A list that cannot be used; the message names file and line, or the entry."""


class PastPull(Struct, frozen=True):
    """Revisions as the list names them. `number` is None where it is not told."""

    base: str
    head: str
    number: int | None = None
    title: str = ""
    body: str = ""

    @property
    def name(self) -> str:
        return f"#{self.number}" if self.number is not None else f"{self.base[:12]}..{self.head[:12]}"


def read_list(path: Path) -> tuple[PastPull, ...]:
    """JSON (a list of objects) or text (a line each: base, head and, if wanted, number and title).

    Of an object `head` is needed, and one of `merge_base`, `base` and `base_sha`; `number`, `title` and `body` are
    taken along. ListError for everything else, OSError when there is no such file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ListError(f"{path}: not UTF-8") from None
    found = _objects(path, text) if text.lstrip()[:1] in ("[", "{") else _lines(path, text)
    if not found:
        raise ListError(f"{path}: there is no pull request in it")
    return found


def _objects(path: Path, text: str) -> tuple[PastPull, ...]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ListError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, list):
        raise ListError(f"{path}: a list of pull requests is expected")
    return tuple(_object(path, index, each) for index, each in enumerate(data, start=1))


def _object(path: Path, index: int, data: Any) -> PastPull:
    fields = data if isinstance(data, dict) else {}
    base = next((fields[name] for name in ("merge_base", "base", "base_sha") if fields.get(name)), None)
    head = fields.get("head") or fields.get("head_sha")
    if not isinstance(base, str) or not isinstance(head, str):
        raise ListError(f"{path}: entry {index} needs `head`, and `merge_base` or `base`, as texts")
    number = fields.get("number")
    return PastPull(
        base=_revision(path, f"entry {index}", base),
        head=_revision(path, f"entry {index}", head),
        number=number if isinstance(number, int) and not isinstance(number, bool) else None,
        title=str(fields.get("title") or ""),
        body=str(fields.get("body") or ""),
    )


def _lines(path: Path, text: str) -> tuple[PastPull, ...]:
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split(None, 3)
        if not words or words[0].startswith("#"):
            continue
        where = f"line {number}"
        if len(words) < 2 or (len(words) > 2 and not _NUMBER.fullmatch(words[2])):
            raise ListError(f"{path}: {where}: `base head [number [title]]` is expected")
        base, head = (_revision(path, where, word) for word in words[:2])
        found.append(PastPull(base, head, int(words[2].lstrip("#")) if len(words) > 2 else None, "".join(words[3:])))
    return tuple(found)


def _revision(path: Path, where: str, text: str) -> str:
    if text.startswith("-") or not text.isprintable():
        raise ListError(f"{path}: {where}: this is no revision: {text[:60]!a}")
    return text
