"""Questions about ancestry, answered by GitHub: a comparison costs one call, and each is asked once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from bot.forge.client import Client
from bot.forge.errors import ForgeError, Missing
from bot.intake.json_fields import Fields
from bot.stack.ancestry import Commit

MAX_CALLS = 40  # for the stack of one pull request; what would need more is not told
_MAX_COMMITS = 250  # of a comparison without paging; more are not counted, so nothing is said


class ForgeAncestry:
    """See `bot.stack.ancestry.Ancestry`. What a failed call would have told is not known."""

    def __init__(self, client: Client, repository: str, most: int = MAX_CALLS) -> None:
        self._client, self._root, self._left = client, f"/repos/{repository}", most
        self._tips: dict[str, str | None] = {}
        self._compared: dict[tuple[str, str], Fields | None] = {}
        self._commits: dict[str, Fields | None] = {}

    def known(self, tips: Mapping[str, str]) -> None:
        """Tips that another call has told."""
        self._tips.update(tips)

    def tip(self, branch: str) -> str | None:
        if branch not in self._tips:
            try:
                answer = self._get(f"{self._root}/git/ref/heads/{quote(branch, safe='/')}")
                # Asked for a name that is the beginning of others, old servers list those: none of them is meant.
                self._tips[branch] = Fields(answer, []).text("object.sha") if isinstance(answer, dict) else ""
            except Missing:
                self._tips[branch] = ""
            except ForgeError:
                self._tips[branch] = None
        return self._tips[branch]

    def has(self, commit: str) -> bool:
        return bool(commit)

    def commit(self, sha: str) -> Commit | None:
        found = self._whole(sha)
        return _commit(found) if found is not None else None

    def paths(self, commit: str) -> frozenset[str]:
        found = self._whole(commit)
        return (
            frozenset(each.text("filename") for each in found.inner_list("files")) if found is not None else frozenset()
        )

    def _whole(self, sha: str) -> Fields | None:
        if sha not in self._commits:
            try:
                self._commits[sha] = Fields(self._get(f"{self._root}/commits/{sha}"), [])
            except ForgeError:
                self._commits[sha] = None
        return self._commits[sha]

    def is_ancestor(self, old: str, new: str) -> bool | None:
        if old == new:
            return True
        other = self._compared.get((old, new))  # the same question, asked from the other side before
        if other is not None:
            behind = other.number("behind_by")
            return None if behind is None else behind == 0
        found = self._compare(new, old)
        ahead = found.number("ahead_by") if found is not None else None
        return None if ahead is None else ahead == 0

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None:
        """A comparison names one only; each is where the commits that it lists leave what both have."""
        if one == other:
            return (one,)
        found = self._compare(one, other)
        base = found.text("merge_base_commit.sha") if found is not None else ""
        ahead = self._between(one, other)
        if not base or ahead is None:
            return None
        new = {each.sha for each in ahead}
        shared = {up for each in ahead for up in each.parents if up not in new} - {base}
        bases = [base]
        for each in sorted(shared):
            inside = [self.is_ancestor(each, known) for known in bases]
            if any(told is None for told in inside):
                return None
            if not any(inside):
                bases = [known for known in bases if not self.is_ancestor(known, each)] + [each]
        return tuple(bases)

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:
        listed: list[tuple[Commit, ...]] = []
        for each in without:
            found = self._between(each, head)
            if found is None:
                return None
            if not found:
                return ()
            listed.append(found)
        first, *others = listed
        kept = set.intersection(*({commit.sha for commit in each} for each in others)) if others else None
        return tuple(each for each in first if kept is None or each.sha in kept)

    def merges_cleanly(self, one: str, other: str) -> bool | None:  # noqa: ARG002 - only a clone can try
        return None

    def _between(self, base: str, head: str) -> tuple[Commit, ...] | None:
        if base == head:
            return ()
        found = self._compare(base, head)
        ahead = found.number("ahead_by") if found is not None else None
        if found is None or ahead is None or ahead > _MAX_COMMITS:
            return None
        listed = tuple(_commit(each) for each in reversed(found.inner_list("commits")))
        return listed if len(listed) == ahead else None

    def _compare(self, base: str, head: str) -> Fields | None:
        if (base, head) not in self._compared:
            try:
                self._compared[base, head] = Fields(self._get(f"{self._root}/compare/{base}...{head}"), [])
            except ForgeError:
                self._compared[base, head] = None
        return self._compared[base, head]

    def _get(self, path: str) -> Any:
        if self._left <= 0:
            raise ForgeError("enough has been asked about this stack")
        self._left -= 1
        return self._client.get(path)


def _commit(each: Fields) -> Commit:
    return Commit(
        sha=each.text("sha"),
        subject=each.text("commit.message").split("\n", 1)[0],
        author=(each.text("commit.author.email"), _seconds(each.text("commit.author.date"))),
        parents=tuple(up.text("sha") for up in each.inner_list("parents")),
    )


def _seconds(date: str) -> int:
    try:
        return int(datetime.fromisoformat(date).timestamp())
    except ValueError:
        return 0
