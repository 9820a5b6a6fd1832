"""The files that differ between two trees, decided from the trees: never from the names a diff prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from bot.change.comments_only import comments_only
from bot.change.hunks import hunks_of
from bot.change.renames import renames
from bot.document.parse import MAX_BYTES
from bot.model.change import FileChange, FileKind, FileStatus
from bot.ports import Entry, EntryKind, Tree, Unreadable

# Contents held at once, and what is looked at at all: larger files are listed, not read.
_AT_ONCE = 32 * 1024 * 1024
_READ_BYTES = 256 * 1024 * 1024
# Git's own measure of what is binary: a NUL byte in so many first bytes.
_FIRST_BYTES = 8_000


class _Pair(Struct, frozen=True):
    """One file before and after; at least one side is there."""

    old: Entry | None
    new: Entry | None

    @property
    def present(self) -> Entry:
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def same_content(self) -> bool:
        return self.old is not None and self.new is not None and self.old.blob == self.new.blob

    @property
    def size(self) -> int:
        return sum(entry.size or 0 for entry in (self.old, self.new) if entry is not None)


def changed_files(base: Tree, head: Tree) -> tuple[FileChange, ...]:
    """Every file that differs in content, mode or kind, in the order of Git.

    Renames are found by content, then by likeness (50 %, bounded). Text has hunks; a file that cannot be
    read, or is too large to compare, says so in `unread`.
    """
    found: list[FileChange] = []
    for batch in _batches(_pairs(base, head)):
        found.extend(_compared(base, head, batch))
    return tuple(sorted(found, key=lambda file: file.path.encode("utf-8", "surrogateescape")))


def _pairs(base: Tree, head: Tree) -> list[_Pair]:
    before, after = base.entries, head.entries
    deleted = {path: entry for path, entry in before.items() if path not in after}
    added = {path: entry for path, entry in after.items() if path not in before}
    moved = renames(base, head, deleted, added)
    kept = [(before[path], after[path]) for path in before if path in after]
    pairs = [_Pair(old, new) for old, new in kept if _differ(old, new)]
    pairs += [_Pair(before[moved[path]] if path in moved else None, entry) for path, entry in added.items()]
    gone = deleted.keys() - set(moved.values())
    return pairs + [_Pair(deleted[path], None) for path in deleted if path in gone]


def _differ(old: Entry, new: Entry) -> bool:
    return (old.kind, old.blob, old.executable) != (new.kind, new.blob, new.executable)


def _batches(pairs: Iterable[_Pair]) -> Iterator[list[_Pair]]:
    batch: list[_Pair] = []
    size = 0
    for pair in pairs:
        if batch and size + pair.size > _AT_ONCE:
            yield batch
            batch, size = [], 0
        batch.append(pair)
        size += pair.size
    yield batch


def _compared(base: Tree, head: Tree, batch: list[_Pair]) -> Iterator[FileChange]:
    old = base.read_many(pair.old.path for pair in batch if pair.old is not None and _readable(pair.old))
    new = head.read_many(pair.new.path for pair in batch if pair.new is not None and _readable(pair.new))
    texts: list[FileChange] = []
    contents: list[tuple[bytes, bytes]] = []
    for pair in batch:
        before = old.get(pair.old.path) if pair.old is not None else b""
        after = new.get(pair.new.path) if pair.new is not None else b""
        change = _change(pair, before, after, base, head)
        if before is None or after is None or not _has_lines(pair, before, after):
            yield change
        elif max(len(before), len(after)) > MAX_BYTES:
            yield replace(change, unread=_too_large(max(len(before), len(after)), MAX_BYTES))
        else:
            texts.append(change)
            contents.append((before, after))
    for change, (before, after), hunks in zip(texts, contents, hunks_of(contents), strict=True):
        yaml = change.path.endswith((".yaml", ".yml")) and before and after
        only = bool(yaml) and comments_only(change.path, before, after, hunks)
        yield replace(change, hunks=hunks, comments_only=only)


def _readable(entry: Entry) -> bool:
    return entry.kind is EntryKind.FILE and (entry.size or 0) <= _READ_BYTES


def _has_lines(pair: _Pair, before: bytes, after: bytes) -> bool:
    """Whether lines can be compared: text on both sides, and not the same."""
    files = all(entry.kind is EntryKind.FILE for entry in (pair.old, pair.new) if entry is not None)
    return files and before != after and not _binary(before) and not _binary(after)


def _change(pair: _Pair, before: bytes | None, after: bytes | None, base: Tree, head: Tree) -> FileChange:
    shown = after if pair.new is not None else before
    old_path = (pair.old or pair.present).path
    return FileChange(
        path=pair.present.path,
        old_path=old_path,
        status=_status(pair),
        kind=_kind(pair.present, shown),
        mode_only=pair.same_content and old_path == pair.present.path,
        unread=_unread(base, pair.old, before) or _unread(head, pair.new, after),
    )


def _status(pair: _Pair) -> FileStatus:
    if pair.old is None:
        return FileStatus.ADDED
    if pair.new is None:
        return FileStatus.DELETED
    return FileStatus.MODIFIED if pair.old.path == pair.new.path else FileStatus.RENAMED


def _kind(entry: Entry, content: bytes | None) -> FileKind:
    if entry.kind is EntryKind.SYMLINK:
        return FileKind.SYMLINK
    if entry.kind is EntryKind.SUBMODULE:
        return FileKind.SUBMODULE
    if content == b"":
        return FileKind.EMPTY
    return FileKind.BINARY if content is not None and _binary(content) else FileKind.TEXT


def _binary(content: bytes) -> bool:
    return b"\0" in content[:_FIRST_BYTES]


def _unread(tree: Tree, entry: Entry | None, content: bytes | None) -> str | None:
    if entry is None or content is not None or entry.kind is not EntryKind.FILE:
        return None
    if not _readable(entry):
        return _too_large(entry.size or 0, _READ_BYTES)
    try:
        tree.read(entry.path)
    except Unreadable as error:
        return str(error)
    return None


def _too_large(size: int, limit: int) -> str:
    mib = 1024 * 1024
    return f"is {size / mib:.1f} MiB; files over {limit // mib} MiB are not compared"
