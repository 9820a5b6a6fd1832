"""What a commit would store of a file on disk, told from contents alone: no filter is run for it."""

from __future__ import annotations

import hashlib
import re

_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")


def as_stored(on_disk: bytes, in_index: bytes | None) -> bytes:
    """The bytes that stand for a tracked file, given what the index holds of it.

    Line ends that a checkout turned into CRLF are turned back, as `core.autocrlf` does: the index has none
    of them and the file has no others. A large file whose pointer the index holds is that pointer.
    """
    if in_index is None:
        return on_disk
    pointer = _POINTER.match(in_index)
    if pointer is not None and hashlib.sha256(on_disk).hexdigest().encode() == pointer[1]:
        return in_index
    if b"\r" not in in_index and on_disk.count(b"\r\n") == on_disk.count(b"\n") and b"\0" not in on_disk:
        return on_disk.replace(b"\r\n", b"\n")
    return on_disk
