"""How commits relate: as the checkout tells where it is complete, else as GitHub does."""

from __future__ import annotations

from pathlib import Path

from bot.forge.ancestry import ForgeAncestry
from bot.local.ancestry import CloneAncestry
from bot.local.failure import LocalError
from bot.local.repository import Repository
from bot.stack.ancestry import Commit


class EitherAncestry:
    """See `bot.stack.ancestry.Ancestry`. Where branches stand is GitHub's word alone: a checkout is of the past."""

    def __init__(self, folder: Path, forge: ForgeAncestry) -> None:
        self._clone, self._forge = _clone(folder), forge

    def _of(self, *commits: str) -> CloneAncestry | ForgeAncestry:
        if self._clone is not None and all(self._clone.has(each) for each in commits):
            return self._clone
        return self._forge

    def tip(self, branch: str) -> str | None:
        return self._forge.tip(branch)

    def has(self, commit: str) -> bool:
        return self._of(commit).has(commit)

    def commit(self, sha: str) -> Commit | None:
        return self._of(sha).commit(sha)

    def paths(self, commit: str) -> frozenset[str]:
        return self._of(commit).paths(commit)

    def is_ancestor(self, old: str, new: str) -> bool | None:
        return self._of(old, new).is_ancestor(old, new)

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None:
        return self._of(one, other).merge_bases(one, other)

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:
        return self._of(head, *without).commits(head, without)

    def merges_cleanly(self, one: str, other: str) -> bool | None:
        return self._of(one, other).merges_cleanly(one, other)


def _clone(folder: Path) -> CloneAncestry | None:
    if not (folder / ".git").exists():
        return None
    try:
        return CloneAncestry(Repository(folder))
    except LocalError:
        return None
