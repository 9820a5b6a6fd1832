"""What a commit would store of a file on disk, told from contents alone: no filter is run for it."""

from __future__ import annotations

import re

_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")


def pointed_at(in_index: bytes) -> str | None:
    """The sha256 of the large file whose pointer the index holds, None when it holds no pointer."""
    found = _POINTER.match(in_index)
    return found[1].decode() if found is not None else None


def as_stored(on_disk: bytes, in_index: bytes) -> bytes:
    """The bytes that stand for a tracked file, given what the index holds of it.

    Line ends that a checkout turned into CRLF are turned back, as `core.autocrlf` does: the index has none
    of them and the file has no others.
    """
    if b"\r" not in in_index and on_disk.count(b"\r\n") == on_disk.count(b"\n") and b"\0" not in on_disk:
        return on_disk.replace(b"\r\n", b"\n")
    return on_disk
