"""What a repository's index says of its files, and what stands beside them untracked."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from bot.local.disk import MAX_FILES
from bot.local.failure import LocalError
from bot.local.git import call

SUBMODULE, SYMLINK = "160000", "120000"
_OURS, _THEIRS = "2", "3"


class Tracked(Struct, frozen=True):
    """One file of the index.

    `kept` when it stands as the index has it, whatever the working tree holds: a submodule, a file that a
    sparse checkout leaves out, and a file in conflict, of which this is our side.
    """

    mode: str
    blob: str
    kept: bool


class Index(Struct, frozen=True):
    files: dict[str, Tracked]
    conflicts: tuple[str, ...]


def read_index(top: Path) -> Index:
    files: dict[str, Tracked] = {}
    conflicts: dict[str, None] = {}
    for line in call("ls-files", "-z", "-t", "--stage", folder=top).out.split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        tag, mode, blob, stage = facts.decode().split()
        path = name.decode("utf-8", "surrogateescape")
        if stage == "0":
            files[path] = Tracked(mode, blob, kept=tag == "S" or mode == SUBMODULE)
            continue
        conflicts[path] = None
        if stage == _OURS or (stage == _THEIRS and path not in files):
            files[path] = Tracked(mode, blob, kept=True)
    return Index(files, tuple(conflicts))


def untracked(top: Path) -> list[str]:
    """New files that nothing ignores. A repository inside comes as its folder, with a slash at its end."""
    names = call("ls-files", "-z", "--others", "--exclude-standard", folder=top).out.split(b"\0")[:-1]
    if len(names) > MAX_FILES:
        raise LocalError(f"{top} holds more than {MAX_FILES:,} new files; ignore what is not meant for a commit")
    return [name.decode("utf-8", "surrogateescape") for name in names]


def trusts_modes(top: Path) -> bool:
    """Whether the executable bit on this disk means something."""
    return call("config", "--type=bool", "core.fileMode", folder=top, accept=(0, 1)).line != "false"
