"""What GitHub keeps, as plain objects. Times are counted, not measured: a run's picture is the same every time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.fake_github.faults import Faults
from tests.fake_github.git import Bare

BOT = "github-actions[bot]"


@dataclass
class Reaction:
    id: int
    content: str
    user: str


@dataclass
class Comment:
    id: int
    user: str
    body: str
    editor: str = ""
    reactions: list[Reaction] = field(default_factory=list)


@dataclass
class ThreadComment:
    id: int
    user: str
    body: str


@dataclass
class Thread:
    id: str
    path: str
    line: int
    comments: list[ThreadComment]
    resolved: bool = False
    outdated: bool = False


@dataclass
class Pull:
    number: int
    title: str
    body: str
    user: str
    base: str
    head: str
    head_repository: str
    state: str = "open"
    merged: bool = False
    draft: bool = False
    labels: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    head_sha: str = ""  # of a fork, or of a closed pull request; else the branch's tip
    base_sha: str = ""  # where a base that is gone stood
    merge_sha: str = ""
    auto_merge: bool = False
    queued: bool = False
    native: bool = False  # in a stack that GitHub keeps
    approvals: int = 0
    closed_at: str | None = None
    events: list[dict[str, object]] = field(default_factory=list)  # of the timeline, as GraphQL gives them
    held: tuple[str, ...] = ()  # its commits, when it was merged


@dataclass
class Status:
    context: str
    state: str
    description: str
    url: str
    user: str


@dataclass
class CheckRun:
    id: int
    name: str
    sha: str
    status: str
    conclusion: str | None
    annotations: list[dict[str, object]] = field(default_factory=list)


@dataclass
class Call:
    """One request, as the log keeps it. `stored` tells whether it changed anything."""

    method: str
    route: str
    status: int
    stored: bool = False
    query: dict[str, str] = field(default_factory=dict, repr=False)
    body: Any = field(default=None, repr=False)
    answer: Any = field(default=None, repr=False)


@dataclass
class GitHub:
    """One repository and its token. Every access goes through `lock`."""

    git: Bare
    full_name: str = "example/deployments"
    login: str = BOT
    read_only: bool = False
    delete_branch_on_merge: bool = False
    protected: set[str] = field(default_factory=set)  # branches
    permissions: dict[str, str] = field(default_factory=dict)  # login -> admin, write, read, none
    pulls: dict[int, Pull] = field(default_factory=dict)
    statuses: dict[str, list[Status]] = field(default_factory=dict)
    check_runs: list[CheckRun] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    log: list[Call] = field(default_factory=list)
    max_body: int = 65_536
    lock: threading.RLock = field(default_factory=threading.RLock)
    ids: Iterator[int] = field(default_factory=lambda: count(101))

    def open(self, number: int, head: str, base: str = "main", **more: object) -> Pull:
        pull = Pull(number, f"Change {number}", "", "dana", base, head, self.full_name)
        for name, value in more.items():
            setattr(pull, name, value)
        self.pulls[number] = pull
        return pull

    def head_of(self, pull: Pull) -> str:
        return pull.head_sha or self.git.tip(pull.head)

    def commits_of(self, pull: Pull) -> tuple[str, ...]:
        """The newest first."""
        if pull.held:
            return pull.held
        base = self.git.tip(pull.base) if self.git.has(f"refs/heads/{pull.base}") else pull.base_sha
        return tuple(self.git.fixed("rev-list", "--topo-order", self.head_of(pull), f"^{base}").split())

    def status_of(self, sha: str, context: str = "compose-review") -> Status | None:
        return next((each for each in reversed(self.statuses.get(sha, [])) if each.context == context), None)

    def sticky(self, number: int) -> list[Comment]:
        return [each for each in self.pulls[number].comments if each.body.startswith("<!-- compose-review:sticky")]
