"""Trees and blobs through the API, in a number of calls that does not grow with the number of files."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from bot.forge.client import Client
from bot.forge.errors import ForgeError
from bot.forge.queries import blobs
from bot.model.finding import Gap
from bot.ports import Entry, EntryKind, Unreadable

# GraphQL answers grow with the text asked for: so much, and so many, in one call.
_BYTES_AT_ONCE = 4_000_000
_BLOBS_AT_ONCE = 200
# Larger blobs are not sent as text by GraphQL; they are asked for one by one.
_TEXT_BYTES = 500_000
# Searching the whole tree for a digest: small text files only, and so much of it.
_SEARCHED_BYTES = 65_536
_SEARCHED_IN_ALL = 4_000_000

_KINDS = {"blob": EntryKind.FILE, "commit": EntryKind.SUBMODULE}
_SYMLINK, _EXECUTABLE = "120000", "100755"


class Blobs:
    """Contents by object name, each asked for once, for all trees of a run."""

    def __init__(self, client: Client, repository: str) -> None:
        self._client, self._repository = client, repository
        owner, _, name = repository.partition("/")
        self._names = {"owner": owner, "name": name}
        self._known: dict[str, bytes] = {}

    def many(self, entries: Iterable[Entry]) -> Mapping[str, bytes]:
        """By object name; those that cannot be read are left out."""
        wanted = {entry.blob: entry for entry in entries}
        missing = [entry for blob, entry in wanted.items() if blob not in self._known]
        for batch in _batches([entry for entry in missing if (entry.size or 0) <= _TEXT_BYTES]):
            self._fetch(batch)
        for entry in missing:
            if entry.blob not in self._known and (entry.size or 0) <= _BYTES_AT_ONCE:
                self._one(entry)
        return {blob: self._known[blob] for blob in wanted if blob in self._known}

    def _fetch(self, batch: list[Entry]) -> None:
        variables: dict[str, Any] = {f"o{number}": entry.blob for number, entry in enumerate(batch)}
        data = self._client.graphql(blobs(len(batch)), {**self._names, **variables})
        found = data.get("repository") or {}
        for number, entry in enumerate(batch):
            answer = found.get(f"b{number}") or {}
            text = answer.get("text")
            # Text that GitHub decoded is only taken when it is, byte for byte, what the tree says it is.
            if isinstance(text, str) and not answer.get("isTruncated") and not answer.get("isBinary"):
                content = text.encode("utf-8", "surrogatepass")
                if _name_of(content, entry.blob) == entry.blob:
                    self._known[entry.blob] = content

    def _one(self, entry: Entry) -> None:
        try:
            answer = self._client.get(f"/repos/{self._repository}/git/blobs/{entry.blob}")
            self._known[entry.blob] = base64.b64decode(answer["content"])
        except (ForgeError, KeyError, TypeError, binascii.Error):
            return


def _name_of(content: bytes, like: str) -> str:
    """Git's name of a blob, by the algorithm that another name shows."""
    algorithm = "sha256" if len(like) == 64 else "sha1"
    return hashlib.new(algorithm, b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class ForgeTree:
    """A `Tree` (see ports) over the API."""

    def __init__(self, client: Client, repository: str, commit: str, blobs_: Blobs) -> None:
        self._client, self._repository, self._commit, self._blobs = client, repository, commit, blobs_
        self.gaps: list[Gap] = []
        self.unsearched = ""  # see ports.Limited

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        path = f"/repos/{self._repository}/git/trees/{self._commit}"
        answer = self._client.get(path, recursive="1")
        if answer.get("truncated"):
            self.gaps.append(Gap("the tree", "it is too large for GitHub to list whole: check it out in the workflow"))
        found = [_entry(each) for each in answer.get("tree", ()) if each.get("type") in _KINDS]
        return {entry.path: entry for entry in sorted(found, key=lambda each: each.path.encode("utf-8", "replace"))}

    def read(self, path: str) -> bytes:
        entry = self.entries[path]
        if entry.kind is EntryKind.SUBMODULE:
            raise Unreadable(f"{path} is a submodule")
        found = self._blobs.many([entry])
        if entry.blob not in found:
            raise Unreadable(f"GitHub did not give the content of {path} ({entry.blob[:12]})")
        return found[entry.blob]

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        wanted = [self.entries[path] for path in paths if path in self.entries]
        files = [entry for entry in wanted if entry.kind is not EntryKind.SUBMODULE]
        found = self._blobs.many(files)
        return {entry.path: found[entry.blob] for entry in files if entry.blob in found}

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        """Among small files only, as far as a bounded amount goes."""
        wanted = tuple(needles)
        if not wanted:
            return {}
        files = [entry for entry in self.entries.values() if entry.kind is EntryKind.FILE]
        small = sorted(
            (entry for entry in files if (entry.size or 0) <= _SEARCHED_BYTES), key=lambda each: each.size or 0
        )
        chosen, total = [], 0
        for entry in small[:_BLOBS_AT_ONCE]:
            total += entry.size or 0
            if total <= _SEARCHED_IN_ALL:
                chosen.append(entry)
        if len(chosen) < len(small):
            left = len(small) - len(chosen)
            self.unsearched = f"{left} files were not searched: check the repository out in the workflow"
        data = self._blobs.many(chosen)
        return {
            entry.path: data[entry.blob]
            for entry in chosen
            if entry.blob in data and any(needle in data[entry.blob] for needle in wanted)
        }


def _entry(each: Mapping[str, Any]) -> Entry:
    kind = EntryKind.SYMLINK if each.get("mode") == _SYMLINK else _KINDS[each["type"]]
    size = each.get("size")
    return Entry(
        path=str(each["path"]),
        kind=kind,
        blob=str(each["sha"]),
        executable=each.get("mode") == _EXECUTABLE,
        size=size if isinstance(size, int) else None,
    )


def _batches(entries: list[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    total = 0
    for entry in entries:
        total += entry.size or 0
        if batch and (total > _BYTES_AT_ONCE or len(batch) == _BLOBS_AT_ONCE):
            yield batch
            batch, total = [], entry.size or 0
        batch.append(entry)
    if batch:
        yield batch
