"""A tree of Git's object database, read without a checkout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bot.local.failure import LocalError
from bot.local.git import GitFailed
from bot.local.search import Needles
from bot.local.store import ObjectStore
from bot.ports import Entry, EntryKind, Unreadable

# Larger files are not searched: nobody states a digest or a name in megabytes of text.
SEARCHED_BYTES = 8 * 1024 * 1024
_AT_ONCE = 16 * 1024 * 1024

_KINDS = {b"120000": EntryKind.SYMLINK, b"160000": EntryKind.SUBMODULE}


class GitTree:
    """A `Tree` (see ports) over a store."""

    def __init__(self, store: ObjectStore, entries: Mapping[str, Entry]) -> None:
        self._store = store
        self._entries = entries

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def read(self, path: str) -> bytes:
        entry = self._entries[path]
        if entry.kind is EntryKind.SUBMODULE:
            raise Unreadable(f"{path} is a submodule")
        content = self._store.blob(entry.blob)
        if content is None:
            raise Unreadable(
                f"the content of {path} ({entry.blob[:12]}) is not in this clone: "
                "a partial clone lacks it, or it is damaged"
            )
        return content

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        wanted = [entry for path in paths if (entry := self._entries.get(path)) is not None]
        return self._contents([entry for entry in wanted if entry.kind is not EntryKind.SUBMODULE])

    def _contents(self, entries: list[Entry]) -> dict[str, bytes]:
        found = self._store.blobs(entry.blob for entry in entries)
        return {entry.path: found[entry.blob] for entry in entries if entry.blob in found}

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        wanted = Needles(needles)
        held: dict[str, bytes] = {}
        for batch in self._batches():
            held.update((path, data) for path, data in self._contents(batch).items() if wanted.within(data))
        return {path: held[path] for path in self._entries if path in held}

    def _batches(self) -> Iterator[list[Entry]]:
        """The regular files of a searchable size, some megabytes at a time."""
        batch: list[Entry] = []
        size = 0
        for entry in self._entries.values():
            if entry.kind is not EntryKind.FILE or entry.size is None or entry.size > SEARCHED_BYTES:
                continue
            batch.append(entry)
            size += entry.size
            if size > _AT_ONCE:
                yield batch
                batch, size = [], 0
        yield batch


def tree_of(store: ObjectStore, revision: str) -> GitTree:
    """The tree of a commit, or of a tree, given by its full name."""
    try:
        listing = store.run("ls-tree", "-r", "-z", "-l", "--full-tree", revision)
    except GitFailed as error:
        raise LocalError(
            f"the tree of {revision[:12]} cannot be listed ({error.answer.says}); a clone without trees "
            "(`--filter=tree:0`) lacks it: fetch it, or clone with `--filter=blob:none`"
        ) from None
    return GitTree(store, {entry.path: entry for entry in _listed(listing.out)})


def _listed(listing: bytes) -> Iterator[Entry]:
    for line in listing.split(b"\0")[:-1]:
        facts, _, path = line.partition(b"\t")
        mode, _, blob, size = facts.split()
        yield Entry(
            path=path.decode("utf-8", "surrogateescape"),
            kind=_KINDS.get(mode, EntryKind.FILE),
            blob=blob.decode(),
            executable=mode == b"100755",
            size=int(size) if size.isdigit() else None,
        )
