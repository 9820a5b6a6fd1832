"""Questions about ancestry, answered by GitHub: a comparison costs one call, and each is asked once."""

from __future__ import annotations

from typing import Any

from bot.forge.client import Client
from bot.forge.errors import ForgeError, Missing
from bot.intake.json_fields import Fields
from bot.stack.ancestry import Commit

_MAX_COMMITS = 250  # of a comparison without paging; more are not counted, so nothing is said


class ForgeAncestry:
    """See `bot.stack.ancestry.Ancestry`. What a failed call would have told is not known."""

    def __init__(self, client: Client, repository: str) -> None:
        self._client, self._root = client, f"/repos/{repository}"
        self._tips: dict[str, str | None] = {}
        self._compared: dict[tuple[str, str], Fields | None] = {}

    def tip(self, branch: str) -> str | None:
        if branch not in self._tips:
            try:
                answer = Fields(self._client.get(f"{self._root}/git/ref/heads/{branch}"), [])
                self._tips[branch] = answer.text("object.sha")
            except Missing:
                self._tips[branch] = ""
            except ForgeError:
                self._tips[branch] = None
        return self._tips[branch]

    def has(self, commit: str) -> bool:
        return bool(commit)

    def is_ancestor(self, old: str, new: str) -> bool | None:
        if old == new:
            return True
        found = self._compare(new, old)
        ahead = found.number("ahead_by") if found is not None else None
        return None if ahead is None else ahead == 0

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None:
        """The best one only: a comparison tells of no second."""
        found = self._compare(one, other)
        base = found.text("merge_base_commit.sha") if found is not None else ""
        return (base,) if base else None

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:
        listed = [self._between(each, head) for each in without]
        if any(each is None for each in listed):
            return None
        first, *others = [each for each in listed if each is not None]
        kept = set.intersection(*({commit.sha for commit in each} for each in others)) if others else None
        return tuple(each for each in first if kept is None or each.sha in kept)

    def merges_cleanly(self, one: str, other: str) -> bool | None:  # noqa: ARG002 - only a clone can try
        return None

    def _between(self, base: str, head: str) -> tuple[Commit, ...] | None:
        if base == head:
            return ()
        found = self._compare(base, head)
        if found is None or (found.number("ahead_by") or 0) > _MAX_COMMITS:
            return None
        return tuple(_commit(each) for each in reversed(found.inner_list("commits")))

    def _compare(self, base: str, head: str) -> Fields | None:
        if (base, head) not in self._compared:
            try:
                answer: Any = self._client.get(f"{self._root}/compare/{base}...{head}")
                self._compared[base, head] = Fields(answer, [])
            except ForgeError:
                self._compared[base, head] = None
        return self._compared[base, head]


def _commit(each: Fields) -> Commit:
    author = (each.text("commit.author.email"), each.text("commit.author.date"))
    subject = each.text("commit.message").split("\n", 1)[0]
    return Commit(each.text("sha"), subject, author, merge=len(each.inner_list("parents")) > 1)
