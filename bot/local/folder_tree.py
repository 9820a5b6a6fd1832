"""A folder as a tree, with the object names Git would give its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from bot.local import disk
from bot.local.disk import DiskKind, Found
from bot.local.git_tree import SEARCHED_BYTES
from bot.local.search import Needles
from bot.ports import Entry, EntryKind, Unreadable

# Contents kept from the first reading, which names them; what does not fit is read from disk again.
_KEEP_BYTES = 64 * 1024 * 1024
_KEEP_ONE = 4 * 1024 * 1024


class FolderTree:
    """A `Tree` (see ports) over the files below a folder, `.git` left out.

    Symbolic links are entries of their own and never followed. A pipe, socket or device is an entry that
    cannot be read, and so is a file or a folder without permission.
    """

    def __init__(self, root: Path, algorithm: str = "sha1") -> None:
        self.root = root.resolve()
        self._algorithm = algorithm
        self._found: dict[str, Found] = {}
        self._entries: dict[str, Entry] = {}
        self._kept: dict[str, bytes] = {}
        self._room = _KEEP_BYTES
        for found in sorted(disk.walk(self.root), key=lambda found: found.path.encode("utf-8", "surrogateescape")):
            self._found[found.path] = found
            self._entries[found.path] = self._entry(found)

    def _entry(self, found: Found) -> Entry:
        kind = EntryKind.SYMLINK if found.kind is DiskKind.SYMLINK else EntryKind.FILE
        try:
            name = self._name(found)
        except Unreadable:
            return Entry(found.path, kind, self._stand_in(found), size=found.size)
        return Entry(found.path, kind, name, found.executable and kind is EntryKind.FILE, found.size)

    def _name(self, found: Found) -> str:
        if found.size > min(self._room, _KEEP_ONE):
            return disk.blob_name(self.root, found, self._algorithm)
        content = disk.read(self.root, found)
        self._kept[found.path] = content
        self._room -= len(content)
        return disk.name_of(content, self._algorithm)

    def _stand_in(self, found: Found) -> str:
        """A name for content that nobody can see: a pipe is like any other, a locked file like no other."""
        if found.kind in (DiskKind.FILE, DiskKind.FOLDER):
            return f"unreadable {found.path} of {self.root}"
        return f"unreadable {found.kind.value}"

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def read(self, path: str) -> bytes:
        if path in self._kept:
            return self._kept[path]
        return disk.read(self.root, self._found[path])

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        contents: dict[str, bytes] = {}
        for path in paths:
            if path in self._found:
                try:
                    contents[path] = self.read(path)
                except Unreadable:
                    continue
        return contents

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        wanted = Needles(needles)
        held: dict[str, bytes] = {}
        for path, entry in self._entries.items():
            if entry.kind is not EntryKind.FILE or (entry.size or 0) > SEARCHED_BYTES:
                continue
            content = self.read_many((path,)).get(path)
            if content is not None and wanted.within(content):
                held[path] = content
        return held
