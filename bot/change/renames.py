"""Which deleted file lives on under another name: by content first, then by likeness."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename

from bot.change.two_folders import TwoFolders
from bot.ports import Entry, EntryKind, Tree

# Likeness is asked only of so much: pull requests of people stay far below, and what lies above is shown
# as deleted and added.
_MOST_FILES = 2_000
_MOST_BYTES = 32 * 1024 * 1024
# Every file against every other up to here on either side; above only files of one base name.
_MATRIX = 400


def renames(base: Tree, head: Tree, deleted: Mapping[str, Entry], added: Mapping[str, Entry]) -> dict[str, str]:
    """The old path of each renamed file, by its new one, as Git finds them with `-M50%`."""
    found = _identical(deleted, added)
    taken = set(found.values())
    old = {path: entry for path, entry in deleted.items() if path not in taken and _comparable(entry)}
    new = {path: entry for path, entry in added.items() if path not in found and _comparable(entry)}
    sizes = [entry.size or 0 for entry in (*old.values(), *new.values())]
    if old and new and len(sizes) <= _MOST_FILES and sum(sizes) <= _MOST_BYTES:
        found.update(_alike(base.read_many(old), head.read_many(new)))
    return found


def _comparable(entry: Entry) -> bool:
    return entry.kind is EntryKind.FILE and entry.size != 0


def _identical(deleted: Mapping[str, Entry], added: Mapping[str, Entry]) -> dict[str, str]:
    """Files of the same content; of several the one with the same base name, else the first."""
    sources: dict[tuple[EntryKind, str], list[str]] = {}
    for path, entry in deleted.items():
        sources.setdefault((entry.kind, entry.blob), []).append(path)
    found: dict[str, str] = {}
    for path, entry in added.items():
        left = sources.get((entry.kind, entry.blob))
        if left:
            best = next((old for old in left if basename(old) == basename(path)), left[0])
            left.remove(best)
            found[path] = best
    return found


def _alike(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Files that share at least half of their lines.

    Base names count for Git: each gets a neutral one that the same names share.
    """
    neutral: dict[str, str] = {}
    names: dict[str, str] = {}
    with TwoFolders() as folders:
        for side, files in (("old", old), ("new", new)):
            for number, (path, content) in enumerate(files.items()):
                last = neutral.setdefault(basename(path), f"{len(neutral):06d}")
                # The two sides never share a folder: Git would take a shared path for a modified file.
                name = f"{side}{number:06d}/{last}"
                names[f"{side}/{name}"] = path
                folders.put(side, name, content)
        listing = folders.diff("--raw", "-z", "--find-renames=50%", f"-l{_MATRIX}")
    fields = listing.decode().split("\0")
    return {names[fields[at + 2]]: names[fields[at + 1]] for at, field in enumerate(fields) if _is_rename(field)}


def _is_rename(field: str) -> bool:
    return field.startswith(":") and field.rsplit(" ", 1)[-1].startswith("R")
