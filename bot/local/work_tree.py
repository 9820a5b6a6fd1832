"""The working tree of a repository as a commit: tracked files as they stand, and new ones not ignored.

The commit is written into the private store, so that a working tree is read, compared and merged like
any other revision, and stays as it was read while the review runs.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from bot.local import disk
from bot.local.disk import DiskKind, Found
from bot.local.folder_tree import blob_name
from bot.local.index import SYMLINK, Tracked, read_index, trusts_modes, untracked
from bot.local.repository import Repository
from bot.local.store import ObjectStore
from bot.local.stored import as_stored
from bot.model.finding import Gap
from bot.model.place import Place
from bot.ports import Unreadable


@dataclass(frozen=True, slots=True)
class Snapshot:
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
        content = disk.read(self._top, found)
        name = blob_name(content, self._store.algorithm)
        if tracked is not None and name != tracked.blob and found.kind is DiskKind.FILE:
            content = as_stored(content, self._store.blob(tracked.blob))
            name = blob_name(content, self._store.algorithm)
        if tracked is None or name != tracked.blob:
            self._write(name, content)
        return self._mode(found, tracked), name

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
