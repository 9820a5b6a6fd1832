"""The working tree of a repository as a commit: tracked files as they stand, and new ones not ignored.

The commit is written into the private store, so that a working tree is read, compared and merged like
any other revision, and stays as it was read while the review runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from msgspec import Struct

from bot.local import disk
from bot.local.disk import DiskKind, Found
from bot.local.index import SYMLINK, Tracked, read_index, trusts_modes, untracked
from bot.local.repository import Repository
from bot.local.store import ObjectStore
from bot.local.stored import as_stored, pointed_at
from bot.model.finding import Gap
from bot.model.place import Place
from bot.ports import Unreadable

# What may be new in a working tree: weights that nobody ignored are not copied.
_NEW_BYTES = 512 * 1024 * 1024


class Snapshot(Struct, frozen=True):
    """A working tree that was read.

    `commit` is HEAD itself when nothing differs from it; `tip` is HEAD, empty before the first commit.
    `conflicts` are files of an unfinished merge:
    our side stands for them. `gaps` are files that cannot be read: the index stands for them.
    """

    commit: str
    tip: str
    conflicts: tuple[str, ...]
    gaps: tuple[Gap, ...]


def snapshot(repository: Repository) -> Snapshot:
    """Read a working tree into a commit whose parent is HEAD."""
    top = repository.top
    assert top is not None
    index = read_index(top)
    writer = _Writer(top, repository.store, trusts_modes(top))
    for path in (*index.files, *untracked(top)):
        writer.add(path, index.files.get(path))
    tip = repository.commit("HEAD") if repository.has("HEAD") else ""
    return Snapshot(writer.commit(tip), tip, index.conflicts, tuple(writer.gaps))


class _Writer:
    """Collects the files of one tree and writes those that the repository does not have."""

    def __init__(self, top: Path, store: ObjectStore, trusts_modes: bool) -> None:
        self._top = top
        self._store = store
        self._trusts_modes = trusts_modes
        self._new = store.folder / "new"
        self._new.mkdir()
        self._written: dict[str, Path] = {}
        self._lines: list[str] = []
        self._room = _NEW_BYTES
        self.gaps: list[Gap] = []

    def add(self, path: str, tracked: Tracked | None) -> None:
        try:
            stands = self._stands(path, tracked)
        except Unreadable as error:
            self.gaps.append(Gap(path, str(error), Place.of_line(path, 1)))
            stands = (tracked.mode, tracked.blob) if tracked is not None else None
        if stands is not None:
            self._lines.append(f"{stands[0]} {stands[1]}\t{path}\0")

    def _stands(self, path: str, tracked: Tracked | None) -> tuple[str, str] | None:
        """Mode and object of what stands at a path, None where nothing does."""
        if tracked is not None and tracked.kept:
            return tracked.mode, tracked.blob
        found = disk.look(self._top, path)
        if found is None or found.kind is DiskKind.FOLDER:
            return None
        return self._mode(found, tracked), self._name(found, tracked)

    def _name(self, found: Found, tracked: Tracked | None) -> str:
        """The object that stands for a file or a link, written when the repository does not have it."""
        in_index: bytes | None = None
        if tracked is not None:
            if disk.blob_name(self._top, found, self._store.algorithm) == tracked.blob:
                return tracked.blob
            in_index = self._store.blob(tracked.blob) if found.kind is DiskKind.FILE else None
            pointed = pointed_at(in_index) if in_index is not None else None
            if pointed is not None and disk.sha256(self._top, found) == pointed:
                return tracked.blob
        if found.size > self._room:
            raise Unreadable(f"{found.path} is left out: what is new here exceeds {_NEW_BYTES // 1024**2} MiB")
        content = disk.read(self._top, found)
        if in_index is not None:
            content = as_stored(content, in_index)
        name = disk.name_of(content, self._store.algorithm)
        if tracked is None or name != tracked.blob:
            self._write(name, content)
        return name

    def _mode(self, found: Found, tracked: Tracked | None) -> str:
        if found.kind is DiskKind.SYMLINK:
            return SYMLINK
        if not self._trusts_modes:
            return tracked.mode if tracked is not None and tracked.mode != SYMLINK else "100644"
        return "100755" if found.executable else "100644"

    def _write(self, name: str, content: bytes) -> None:
        """Put the content where `git hash-object` finds it, under a name that cannot confuse it."""
        if name not in self._written:
            self._written[name] = self._new / f"{len(self._written):06d}"
            self._written[name].write_bytes(content)
            self._room -= len(content)

    def commit(self, parent: str) -> str:
        paths = "".join(f"{path}\n" for path in self._written.values()).encode()
        self._store.run("hash-object", "-w", "--no-filters", "--stdin-paths", data=paths)
        shutil.rmtree(self._new)
        lines = "".join(self._lines).encode("utf-8", "surrogateescape")
        self._store.run("update-index", "-z", "--index-info", data=lines)
        tree = self._store.run("write-tree", "--missing-ok").line
        if parent and tree == self._store.run("rev-parse", f"{parent}^{{tree}}").line:
            return parent
        someone = "working tree <> 0 +0000"
        text = f"tree {tree}\n" + (f"parent {parent}\n" if parent else "")
        text += f"author {someone}\ncommitter {someone}\n\nworking tree\n"
        return self._store.run("hash-object", "-w", "-t", "commit", "--stdin", data=text.encode()).line
