"""What a stack must know of Git: asked through a port, answered by a clone or by GitHub, or not at all.

None always means "could not tell": a shallow clone answers such questions wrongly, and a wrong answer here
costs somebody their commits.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Commit(Struct, frozen=True):
    """`author` is e-mail and time, in seconds: what an amended or rebased commit keeps."""

    sha: str
    subject: str
    author: tuple[str, int]
    parents: tuple[str, ...] = ()

    @property
    def merge(self) -> bool:
        return len(self.parents) > 1


class Ancestry(Protocol):
    def tip(self, branch: str) -> str | None:
        """The live tip of a branch, empty when the branch is gone, None when that is not known."""
        ...

    def has(self, commit: str) -> bool:
        """Whether questions about this commit can be answered."""
        ...

    def commit(self, sha: str) -> Commit | None: ...

    def paths(self, commit: str) -> frozenset[str]:
        """The files that a commit touches; none where that is not known."""
        ...

    def is_ancestor(self, old: str, new: str) -> bool | None: ...

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None: ...

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:
        """The commits that head has and none of the others, newest first."""
        ...

    def merges_cleanly(self, one: str, other: str) -> bool | None: ...


class NoAncestry:
    """Nothing is known of Git: folders, or a review without a clone."""

    def tip(self, branch: str) -> str | None:  # noqa: ARG002
        return None

    def has(self, commit: str) -> bool:  # noqa: ARG002
        return False

    def commit(self, sha: str) -> Commit | None:  # noqa: ARG002
        return None

    def paths(self, commit: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset()

    def is_ancestor(self, old: str, new: str) -> bool | None:  # noqa: ARG002
        return None

    def merge_bases(self, one: str, other: str) -> tuple[str, ...] | None:  # noqa: ARG002
        return None

    def commits(self, head: str, without: tuple[str, ...]) -> tuple[Commit, ...] | None:  # noqa: ARG002
        return None

    def merges_cleanly(self, one: str, other: str) -> bool | None:  # noqa: ARG002
        return None
