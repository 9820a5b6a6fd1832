"""Runs a program of an unpacked image as the strictest container does: read-only root, no capability, no new rights.

Called in a mount namespace of its own (`unshare --mount`), as `confined.py ROOT FOLDER=TARGET… -- PROGRAM…`; a
folder is seen at its target, and `TARGET:ro` cannot be written there.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterable

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
CAPABILITIES = 64  # more than any kernel knows; the unknown ones are refused


def main(arguments: list[str]) -> None:
    end = arguments.index("--")
    root, folders, program = arguments[0], arguments[1:end], arguments[end + 1 :]
    _mount("--bind", root, root)
    for folder in folders:
        source, _, target = folder.partition("=")
        where, _, readonly = target.partition(":")
        _mount("--bind", source, root + where)
        if readonly:
            _mount("-o", "remount,bind,ro", root + where)
    _mount("--bind", "/dev", f"{root}/dev")
    _mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", f"{root}/tmp")
    _mount("-o", "remount,bind,ro", root)
    os.chroot(root)
    os.chdir("/github/workspace")
    _give_up(range(CAPABILITIES))
    os.execve(program[0], program, dict(os.environ))


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def _give_up(capabilities: Iterable[int]) -> None:
    """What root has after the next program starts is what is left in the bounding set: nothing."""
    kernel = ctypes.CDLL(None, use_errno=True)
    for each in capabilities:
        kernel.prctl(PR_CAPBSET_DROP, each, 0, 0, 0)
    if kernel.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs is refused")


if __name__ == "__main__":
    main(sys.argv[1:])
