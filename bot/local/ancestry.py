"""Questions about ancestry, answered by a clone, or not at all where its history is cut short."""

from __future__ import annotations

from bot.local.git import GitFailed
from bot.local.repository import Repository
from bot.stack.ancestry import Commit

_MAX_COMMITS = 2_000
_FORM = "--format=%H%x1f%P%x1f%ae%x1f%at%x1f%s%x1e"


class CloneAncestry:
    """See `bot.stack.ancestry.Ancestry`. How commits relate never changes: each question is asked once."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._there: dict[str, str | None] = {}
        self._bases: dict[tuple[str, str], tuple[str, ...]] = {}
        self._told: dict[tuple[str, ...], str | None] = {}

    def tip(self, branch: str) -> str | None:
        """Of the remote's branch as it was last fetched, else of the local one."""
        for name in (f"refs/remotes/origin/{branch}", f"refs/heads/{branch}"):
            if self._repository.has(name):
                return self._repository.commit(name)
        return None  # a clone may simply not have fetched it: nothing says that it is gone

    def has(self, commit: str) -> bool:
        """A clone whose history ends early calls ancestors strangers: it answers nothing."""
        return self._full(commit) is not None

    def _full(self, commit: str) -> str | None:
        if commit not in self._there:
            known = bool(commit) and not self._repository.shallow
            self._there[commit] = self._repository.find(commit) if known else None
        return self._there[commit]

    def commit(self, sha: str) -> Commit | None:
        found = self._ask("log", "--max-count=1", _FORM, sha) if self.has(sha) else None
        return _commit(found.strip("\x1e")) if found else None

    def paths(self, commit: str) -> frozenset[str]:
        if not self.has(commit):
            return frozenset()
        arguments = ("diff-tree", "--no-commit-id", "--name-only", "--no-renames", "--root", "-r", "-z", commit)
        return frozenset(filter(None, (self._ask(*arguments) or "").split("\0")))

    def is_ancestor(self, old: str, new: str) -> bool | None:
        bases = self.merge_bases(old, new)
        return None if bases is None else bases == (self._full(old),)

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None:
        if not self.has(one) or not self.has(other):
            return None
        pair = (min(one, other), max(one, other))
        if pair not in self._bases:
            self._bases[pair] = self._repository.merge_bases(*pair)
        return self._bases[pair]

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:
        if not self.has(head) or not all(self.has(each) for each in without):
            return None
        excluded = [f"^{each}" for each in without]
        arguments = ("log", "--topo-order", f"--max-count={_MAX_COMMITS + 1}", _FORM, head, *excluded)
        found = self._ask(*arguments)
        if found is None:
            return None
        rows = [row for row in found.split("\x1e") if row.strip()]
        return tuple(map(_commit, rows)) if len(rows) <= _MAX_COMMITS else None

    def merges_cleanly(self, one: str, other: str) -> bool | None:
        if not self.has(one) or not self.has(other):
            return None
        try:
            told = self._repository.store.run("merge-tree", "--write-tree", "--no-messages", one, other, accept=(0, 1))
        except GitFailed:
            return None
        return told.code == 0

    def _ask(self, *arguments: str) -> str | None:
        if arguments not in self._told:
            try:
                told = self._repository.store.run(*arguments)
                self._told[arguments] = told.out.decode("utf-8", "replace").strip("\n")
            except GitFailed:
                self._told[arguments] = None
        return self._told[arguments]


def _commit(row: str) -> Commit:
    sha, parents, email, date, subject = row.strip("\n").split("\x1f")
    return Commit(sha, subject, (email, int(date or 0)), tuple(parents.split()))
