"""Files on disk, read without ever following a symbolic link or waiting on a device."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from bot.local.failure import LocalError
from bot.ports import Unreadable

# What GitHub lists of one tree at most. More is a mistaken folder, not a deployment repository.
MAX_FILES = 100_000
# Larger files are named, not read: nobody reviews their text, and memory is limited.
MAX_BYTES = 256 * 1024 * 1024
_CHUNK = 1024 * 1024

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class DiskKind(Enum):
    FILE = "file"
    SYMLINK = "symbolic link"
    FOLDER = "folder"
    FIFO = "named pipe"
    SOCKET = "socket"
    DEVICE = "device"


_KINDS = (
    (stat.S_ISREG, DiskKind.FILE),
    (stat.S_ISLNK, DiskKind.SYMLINK),
    (stat.S_ISDIR, DiskKind.FOLDER),
    (stat.S_ISFIFO, DiskKind.FIFO),
    (stat.S_ISSOCK, DiskKind.SOCKET),
)


class Found(Struct, frozen=True):
    """Something on disk; `path` from the root, with forward slashes."""

    path: str
    kind: DiskKind
    executable: bool
    size: int


def look(root: Path, path: str) -> Found | None:
    """What stands at a path; None where nothing does, or where a symbolic link leads there."""
    here = root
    *folders, last = path.split("/")
    try:
        for folder in folders:
            here = here / folder
            if not stat.S_ISDIR(here.lstat().st_mode):
                return None
        status = (here / last).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return _found(path, status)


def _found(path: str, status: os.stat_result) -> Found:
    kind = next((kind for test, kind in _KINDS if test(status.st_mode)), DiskKind.DEVICE)
    return Found(path, kind, bool(status.st_mode & stat.S_IXUSR), status.st_size)


def read(root: Path, found: Found) -> bytes:
    """A file's bytes, or the target of a symbolic link. Unreadable says why neither can be had."""
    full = root / found.path
    try:
        if found.kind is DiskKind.SYMLINK:
            return os.fsencode(full.readlink())
        if found.size > MAX_BYTES:
            says = f"is {found.size / 1024**2:.0f} MiB; files over {MAX_BYTES // 1024**2} MiB are not read"
            raise Unreadable(f"{found.path} {says}")
        with _opened(root, found) as file:
            return file.read()
    except OSError as error:
        raise Unreadable(f"{found.path} cannot be read: {error.strerror}") from None


def blob_name(root: Path, found: Found, algorithm: str) -> str:
    """The name Git gives a file's content, whatever its size. Unreadable as in `read`."""
    if found.kind is not DiskKind.FILE:
        return name_of(read(root, found), algorithm)
    return _digest(root, found, algorithm, b"blob %d\0" % found.size)


def sha256(root: Path, found: Found) -> str:
    """The digest of a file's content, whatever its size. Unreadable as in `read`."""
    return _digest(root, found, "sha256")


def _digest(root: Path, found: Found, algorithm: str, head: bytes = b"") -> str:
    digest = hashlib.new(algorithm, head, usedforsecurity=False)
    try:
        with _opened(root, found) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise Unreadable(f"{found.path} cannot be read: {error.strerror}") from None
    return digest.hexdigest()


def name_of(content: bytes, algorithm: str = "sha1") -> str:
    """The name Git gives this content."""
    digest = hashlib.new(algorithm, b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()


def _opened(root: Path, found: Found) -> BinaryIO:
    if found.kind is not DiskKind.FILE:
        raise Unreadable(f"{found.path} is a {found.kind.value}, not a file")
    return open(os.open(root / found.path, os.O_RDONLY | _NO_FOLLOW), "rb")


def walk(root: Path) -> Iterator[Found]:
    """Everything below a folder but folders and `.git`, in no order.

    A folder that cannot be listed comes as itself. LocalError when the root cannot be, or holds too much.
    """
    waiting = [""]
    count = 0
    while waiting:
        prefix = waiting.pop()
        try:
            inside = list(os.scandir(root / prefix))
        except OSError as error:
            if not prefix:
                raise LocalError(f"{root} cannot be listed: {error.strerror}") from None
            yield Found(prefix, DiskKind.FOLDER, False, 0)
            continue
        for item in inside:
            path = f"{prefix}/{item.name}" if prefix else item.name
            found = _found(path, item.stat(follow_symlinks=False))
            if item.name == ".git":
                continue
            if found.kind is DiskKind.FOLDER:
                waiting.append(path)
                continue
            count += 1
            if count > MAX_FILES:
                raise LocalError(f"{root} holds more than {MAX_FILES:,} files")
            yield found
