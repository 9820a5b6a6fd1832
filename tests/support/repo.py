"""A real Git repository for a test to fill: no configuration of the machine reaches it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "someone",
    "GIT_AUTHOR_EMAIL": "someone@example.com",
    "GIT_COMMITTER_NAME": "someone",
    "GIT_COMMITTER_EMAIL": "someone@example.com",
    "GIT_ALLOW_PROTOCOL": "file",
}


class Repo:
    """A repository with a working tree, on branch `main`."""

    def __init__(self, folder: Path, *init: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("-c", "init.defaultBranch=main", "init", "-q", *init)

    def git(self, *args: str, data: bytes = b"") -> str:
        """Standard output without the newline at its end. A failing command fails the test."""
        done = subprocess.run(
            ["git", *args],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **_ENVIRONMENT},
            input=data,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Contents by path; None deletes."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "change") -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, at: str = "HEAD") -> None:
        self.git("checkout", "-q", "-B", name, at)


def clone(source: Repo, folder: Path, *options: str) -> Repo:
    """A clone over Git's own protocol, so that depth and filters count."""
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("config", "uploadpack.allowAnySHA1InWant", "true")
    source.git("clone", "-q", *options, f"file://{source.folder}", str(folder))
    made = object.__new__(Repo)
    made.folder = folder
    return made
