"""A `Tree` held in memory: the fake that tests use instead of a repository."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from bot.ports import Entry, EntryKind


class MemoryTree:
    """Files by path. A value that starts with `->` is a symbolic link to what follows."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self._data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    @property
    def entries(self) -> Mapping[str, Entry]:
        return {
            path: Entry(
                path=path,
                kind=EntryKind.SYMLINK if data.startswith(b"->") else EntryKind.FILE,
                blob=hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest(),
                size=len(data),
            )
            for path, data in sorted(self._data.items())
        }

    def read(self, path: str) -> bytes:
        return self._data[path]

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        return {path: self._data[path] for path in paths if path in self._data}

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        wanted = list(needles)
        return {path: data for path, data in self._data.items() if any(needle in data for needle in wanted)}
