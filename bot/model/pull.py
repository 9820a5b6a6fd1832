"""The pull request: what GitHub, a case folder or the command line says about it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field


class Repository(Struct, frozen=True):
    full_name: str = ""  # "owner/name", empty when reviewed locally
    default_branch: str = "main"
    server: str = "https://github.com"
    delete_branch_on_merge: bool | None = None  # None: not known, never "off"
    allow_merge_commit: bool | None = None
    allow_squash_merge: bool | None = None
    allow_rebase_merge: bool | None = None
    trunks: tuple[str, ...] = ()  # branches that live on besides the usual ones: protected here, or configured


class Trigger(Struct, frozen=True):
    """Why this review runs. `at` is ISO 8601 in UTC, as the event gives it; empty when not known."""

    event: str = "local"
    action: str = ""
    actor: str = ""
    requested: str = ""  # the reviewer or team a review was asked of
    at: str = ""


class PullState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class PullRef(Struct, frozen=True):
    """Another pull request that this one is stacked with."""

    number: int
    title: str
    state: PullState
    author: str
    base_ref: str
    head_ref: str
    head_sha: str = ""
    head_repository: str = ""  # empty: the same repository
    merge_sha: str = ""  # what merging it left on its base; empty when it is not merged or not known
    auto_merge: bool = False
    queued: bool = False  # in a merge queue: merged soon, and not yet
    old_heads: tuple[str, ...] = ()  # heads that were pushed away by force, as far as they are known
    approvals: int | None = None
    orphaned: bool | None = None  # closed because its base was deleted; None: not known


class Pull(Struct, frozen=True):
    """Facts about the pull request. Everything textual in here was written by others."""

    number: int | None = None
    title: str = ""
    body: str = ""
    author: str = ""
    draft: bool = False
    labels: tuple[str, ...] = ()
    base_ref: str = ""
    head_ref: str = ""
    base_sha: str = ""  # the live base this review judges against, never the event's `base.sha`
    head_sha: str = ""
    from_fork: bool = False
    state: PullState = PullState.OPEN
    repository: Repository = field(default_factory=Repository)
    trigger: Trigger = field(default_factory=Trigger)
    parents: tuple[PullRef, ...] = ()
    children: tuple[PullRef, ...] = ()
    native_stack: bool = False  # GitHub keeps this stack itself
    implicit: tuple[PullRef, ...] = ()  # other pull requests that hold this one's oldest commits
    line: tuple[PullRef, ...] = ()  # what builds on the only child, and on that one, and so on
    oldest: str = ""  # the first commit that GitHub lists for it
    merge_sha: str = ""
    auto_merge: bool = False
    approvals: int | None = None
    orphaned: bool | None = None
    old_heads: tuple[str, ...] = ()
    previous: str | None = None  # our own last comment, as markdown

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """What the author says, by where it is said."""
        return tuple((where, text) for where, text in (("title", self.title), ("body", self.body)) if text)
