"""Digests of changed files, before and after, as people write them down."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bot.model.change import FileChange
from bot.ports import Entry, EntryKind, Tree

# Digests are made of so much at most; what lies above is not a file people pin by hand.
_HASHED_BYTES = 64 * 1024 * 1024
_AT_ONCE = 32 * 1024 * 1024

_PLAIN = ("sha256", "sha1", "md5", "sha512")
_GIT = "git blob"


class Target(Struct, frozen=True):
    """A changed file under one algorithm.

    `new` is None when head has no such file. `shared`: the old content stands, or stays, elsewhere too.
    """

    file: FileChange
    algorithm: str
    old: str
    new: str | None
    shared: bool


def targets(base: Tree, head: Tree, files: Sequence[FileChange]) -> Iterator[Target]:
    """Every changed file with old content to pin. Empty and very large files have none."""
    copies = Counter(entry.blob for entry in base.entries.values())
    stays = {entry.blob for entry in head.entries.values()}
    pinnable = [(file, old) for file in files if (old := _pinnable(base, file.old_path)) is not None]
    pinnable = [(file, old) for file, old in pinnable if _blob(head, file.path) != old.blob]
    for batch in _batches(pinnable):
        before = base.read_many(old.path for _, old in batch)
        after = head.read_many(file.path for file, _ in batch if _pinnable(head, file.path) is not None)
        for file, old in batch:
            content = before.get(old.path)
            if content:
                shared = copies[old.blob] > 1 or old.blob in stays
                yield from _of(file, content, after.get(file.path), shared)


def _of(file: FileChange, before: bytes, after: bytes | None, shared: bool) -> Iterator[Target]:
    new = _digests(after) if after is not None else {}
    for algorithm, digest in _digests(before).items():
        yield Target(file, algorithm, digest, new.get(algorithm), shared)


def _digests(content: bytes) -> Mapping[str, str]:
    found = {name: hashlib.new(name, content, usedforsecurity=False).hexdigest() for name in _PLAIN}
    blob = b"blob %d\0" % len(content) + content
    return {**found, _GIT: hashlib.sha1(blob, usedforsecurity=False).hexdigest()}


def _pinnable(tree: Tree, path: str) -> Entry | None:
    entry = tree.entries.get(path)
    if entry is None or entry.kind is not EntryKind.FILE or (entry.size or 0) > _HASHED_BYTES:
        return None
    return entry


def _blob(tree: Tree, path: str) -> str | None:
    entry = tree.entries.get(path)
    return entry.blob if entry is not None else None


def _batches(items: Iterable[tuple[FileChange, Entry]]) -> Iterator[list[tuple[FileChange, Entry]]]:
    batch: list[tuple[FileChange, Entry]] = []
    size = 0
    for file, entry in items:
        batch.append((file, entry))
        size += entry.size or 0
        if size > _AT_ONCE:
            yield batch
            batch, size = [], 0
    yield batch
