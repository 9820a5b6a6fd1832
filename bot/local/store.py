"""A private Git directory that borrows the objects of the reviewed repository.

Revisions are looked up in the repository itself; everything else is read here. Here is no configuration
but ours, so nothing can be run, fetched or verified by a program the repository names; and what a
simulated merge writes lands here, never in the repository.
"""

from __future__ import annotations

import shutil
import subprocess
import weakref
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from bot.local.git import Answer, call, private_folder, start

_CONFIG = """[core]
\trepositoryformatversion = 1
\tbare = true
\tlooseCompression = 0
[extensions]
\tobjectFormat = {algorithm}
"""
# Names asked for before any answer is read: they must fit the smallest pipe there is (4,096 bytes).
_AHEAD = 60
# Contents kept for the second reader: base and head share nearly all of them.
_KEEP_BYTES = 64 * 1024 * 1024
_KEEP_ONE = 4 * 1024 * 1024


class ObjectStore:
    """Objects by name. The folder behind it is removed with the store, at the latest at exit."""

    def __init__(self, objects: Path | None = None, shallow: Path | None = None, algorithm: str = "sha1"):
        self.algorithm = algorithm
        self.folder = private_folder()
        self._process: subprocess.Popen[bytes] | None = None
        self._kept: dict[str, bytes] = {}
        self._room = _KEEP_BYTES
        self._end = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("objects/info", "refs"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "HEAD").write_text("ref: refs/heads/none\n")
        (self.folder / "config").write_text(_CONFIG.format(algorithm=algorithm))
        if objects is not None:
            (self.folder / "objects/info/alternates").write_bytes(_quoted(objects) + b"\n")
        if shallow is not None and shallow.exists():
            shutil.copyfile(shallow, self.folder / "shallow")

    def run(self, *args: str, data: bytes = b"", accept: Collection[int] = (0,)) -> Answer:
        """A Git command on these objects."""
        extra = {"GIT_DIR": str(self.folder), "GIT_INDEX_FILE": str(self.folder / "index")}
        return call(*args, folder=self.folder, extra=extra, data=data, accept=accept)

    def blob(self, name: str) -> bytes | None:
        """The content of one object, None when it is not here."""
        return self.blobs((name,)).get(name)

    def blobs(self, names: Iterable[str]) -> Mapping[str, bytes]:
        """The contents of several objects; those that are not here, or damaged, are left out."""
        wanted = dict.fromkeys(names)
        found = {name: self._kept[name] for name in wanted if name in self._kept}
        missing = [name for name in wanted if name not in found]
        while missing:
            answered = self._ask(missing[:_AHEAD])
            for name, content in zip(missing, answered, strict=False):
                if content is not None:
                    found[name] = content
                    self._keep(name, content)
            missing = missing[len(answered) :]
        return found

    def _keep(self, name: str, content: bytes) -> None:
        if len(content) <= min(self._room, _KEEP_ONE):
            self._kept[name] = content
            self._room -= len(content)

    def _ask(self, names: list[str]) -> list[bytes | None]:
        """Answers to the first of these names, at least to one: Git ends at an object that is damaged."""
        process = self._batch()
        assert process.stdin is not None
        assert process.stdout is not None
        answers: list[bytes | None] = []
        with suppress(BrokenPipeError):
            process.stdin.write(b"".join(name.encode() + b"\n" for name in names))
            process.stdin.flush()
        while len(answers) < len(names):
            header = process.stdout.readline().split()
            if not header:
                _stop(process)
                self._process = None
                return [*answers, None]
            if len(header) != 3:  # `<name> missing`
                answers.append(None)
                continue
            content = process.stdout.read(int(header[2]) + 1)[:-1]
            answers.append(content if header[1] == b"blob" else None)
        return answers

    def _batch(self) -> subprocess.Popen[bytes]:
        """One `git cat-file --batch` for the life of the store."""
        if self._process is None:
            extra = {"GIT_DIR": str(self.folder)}
            self._process = start("cat-file", "--batch", folder=self.folder, extra=extra, quiet=True)
            weakref.finalize(self, _stop, self._process)
        return self._process


def _stop(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
    process.wait()


def _quoted(path: Path) -> bytes:
    """A path as Git reads it in `alternates`: in C's quotes, so that any byte may stand in it."""
    plain = bytes(path.absolute())
    return b'"' + b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\' else bytes([byte]) for byte in plain) + b'"'
