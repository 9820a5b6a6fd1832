"""The fake's Git data: a real bare repository, asked through git."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "GitHub",
    "GIT_AUTHOR_EMAIL": "noreply@example.com",
    "GIT_COMMITTER_NAME": "GitHub",
    "GIT_COMMITTER_EMAIL": "noreply@example.com",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


class Bare:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._told: dict[tuple[str, ...], str] = {}

    def fixed(self, *args: str) -> str:
        """An answer about commits by their full names: it never changes, and a process is dear."""
        if args not in self._told:
            self._told[args] = self.git(*args)
        return self._told[args]

    def git(self, *args: str, check: bool = True) -> str:
        done = subprocess.run(["git", *args], cwd=self.path, env=_ENVIRONMENT, capture_output=True, check=False)
        if check and done.returncode:
            raise KeyError(done.stderr.decode())
        return done.stdout.decode("utf-8", "surrogateescape").strip("\n")

    def tip(self, branch: str) -> str:
        loose = self.path / "refs" / "heads" / branch
        if loose.is_file():
            return loose.read_text().strip()
        return self.git("rev-parse", "--verify", f"refs/heads/{branch}")

    def has(self, name: str) -> bool:
        if (self.path / name).is_file() and name.startswith("refs/heads/"):
            return True
        asked = ("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        found = self._told.get(asked) or self.git(*asked, check=False)
        if found == name:  # a full name: what is there stays there
            self._told[asked] = found
        return bool(found)

    def tree(self, sha: str) -> list[dict[str, object]]:
        """As the API lists it, trees left out."""
        found: list[dict[str, object]] = []
        for line in self.git("ls-tree", "-r", "-l", "-z", sha).split("\0"):
            if line:
                meta, path = line.split("\t", 1)
                mode, kind, blob, size = meta.split()
                entry: dict[str, object] = {"path": path, "mode": mode, "type": kind, "sha": blob, "url": ""}
                found.append(entry | ({"size": int(size)} if size != "-" else {}))
        return found

    def blob(self, sha: str) -> bytes | None:
        done = subprocess.run(
            ["git", "cat-file", "blob", sha], cwd=self.path, env=_ENVIRONMENT, capture_output=True, check=False
        )
        return done.stdout if done.returncode == 0 else None

    def shown(self, base: str, head: str, path: str) -> set[int]:
        """The lines of head's file that the pull request's diff shows, three around each change."""
        found: set[int] = set()
        for line in self.git("diff", "-U3", f"{base}...{head}", "--", path).split("\n"):
            if hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
                first = int(hunk[1])
                found |= set(range(first, first + int(hunk[2] or 1)))
        return found

    def commit(self, sha: str, files: bool = False) -> dict[str, object]:
        """As the API tells it, as far as it is read."""
        email, date, parents, message = self.fixed("log", "-1", "--format=%ae%x00%aI%x00%P%x00%B", sha).split("\0", 3)
        author = {"name": "x", "email": email, "date": date}
        found: dict[str, object] = {
            "sha": sha,
            "commit": {"author": author, "message": message},
            "parents": [{"sha": each} for each in parents.split()],
        }
        if files:
            named = self.fixed("diff-tree", "--no-commit-id", "--name-only", "--root", "-r", sha).splitlines()
            found["files"] = [{"filename": each, "status": "modified"} for each in named]
        return found

    def compare(self, base: str, head: str) -> dict[str, object]:
        """A comparison of three dots: at most 250 commits, oldest first."""
        ahead = self.fixed("rev-list", "--reverse", "--topo-order", f"{base}..{head}").split()
        behind = self.fixed("rev-list", "--count", f"{head}..{base}")
        return {
            "merge_base_commit": {"sha": self.merge_base(base, head)},
            "ahead_by": len(ahead),
            "behind_by": int(behind),
            "total_commits": len(ahead),
            "commits": [self.commit(each) for each in ahead[-250:]],
        }

    def merge_base(self, one: str, other: str) -> str:
        return self.fixed("merge-base", one, other)

    def test_merge(self, base: str, head: str) -> str | None:
        """GitHub's own test merge: a commit of base and head, None where they conflict."""
        if ("merge", base, head) not in self._told:
            self._told["merge", base, head] = self._test_merge(base, head) or ""
        return self._told["merge", base, head] or None

    def _test_merge(self, base: str, head: str) -> str | None:
        done = subprocess.run(
            ["git", "merge-tree", "--write-tree", base, head],
            cwd=self.path,
            env=_ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            return None
        tree = done.stdout.decode().split("\n")[0]
        return self.git("commit-tree", tree, "-p", base, "-p", head, "-m", "test merge")
