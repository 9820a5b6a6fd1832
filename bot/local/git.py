"""One Git command by our rules: nothing of the repository runs, nothing is fetched, no prompt is shown."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from bot.local.failure import LocalError

# What a repository's own configuration may never decide here. Global and system configuration are not
# read at all, so that the same input gives the same review on every machine.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    f"core.excludesFile={os.devnull}",
    "core.quotePath=false",
    "core.useReplaceRefs=false",
    "gc.auto=0",
    "log.showSignature=false",
    "protocol.allow=never",
    "submodule.recurse=false",
)

# GIT_NO_LAZY_FETCH is `--no-lazy-fetch` for versions that do not know the option; the empty list of
# protocols stops those that know neither.
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")


class Answer(Struct, frozen=True):
    code: int
    out: bytes
    says: str  # the last line on standard error, without Git's `fatal:`

    @property
    def line(self) -> str:
        """Output that is one name: a path, a reference, an object."""
        return self.out.decode("utf-8", "surrogateescape").removesuffix("\n")


class GitFailed(LocalError):
    """Git ended with a code that the caller did not expect."""

    def __init__(self, answer: Answer, args: tuple[str, ...]) -> None:
        super().__init__(f"git {args[0]} failed: {answer.says or f'exit code {answer.code}'}")
        self.answer = answer


def call(
    *args: str,
    folder: Path,
    extra: Mapping[str, str] | None = None,
    data: bytes = b"",
    accept: Collection[int] = (0,),
) -> Answer:
    """Run `git args` in a folder, with `data` on standard input.

    Raises GitFailed for a code that is not accepted, LocalError when there is no Git.
    """
    with start(*args, folder=folder, extra=extra) as process:
        out, errors = process.communicate(data)
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    answer = Answer(process.returncode, out, lines[-1].removeprefix("fatal: ") if lines else "")
    if answer.code not in accept:
        raise GitFailed(answer, args)
    return answer


def start(
    *args: str, folder: Path, extra: Mapping[str, str] | None = None, quiet: bool = False
) -> subprocess.Popen[bytes]:
    """The same, still running; `quiet` drops standard error instead of piping it."""
    here = folder.resolve()
    # Git refuses a repository of another owner unless it, or the folder above that holds it, is named.
    safe = [f"safe.directory={path}" for path in (here, *here.parents)]
    settings = [part for setting in (*_SETTINGS, *safe) for part in ("-c", setting)]
    inherited = {name: os.environ[name] for name in _KEPT if name in os.environ}
    try:
        return subprocess.Popen(
            ["git", "--no-pager", *settings, *args],
            cwd=here,
            env={**inherited, **_ENVIRONMENT, **(extra or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else subprocess.PIPE,
        )
    except NotADirectoryError:
        raise LocalError(f"{folder} is not a folder") from None
    except FileNotFoundError:
        if not here.is_dir():
            raise LocalError(f"there is no folder {folder}") from None
        raise LocalError(
            "git is not installed, or not on PATH; it is needed to read revisions and to compare files"
        ) from None


def private_folder() -> Path:
    """A new folder that only we can enter. LocalError where none can be made."""
    try:
        return Path(tempfile.mkdtemp(prefix="compose-review-"))
    except OSError as error:
        raise LocalError(f"no temporary folder can be made ({error.strerror}); set TMPDIR to a writable one") from None
