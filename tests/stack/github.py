"""The lab's repository as a GitHub: its pull requests mirrored into the stateful fake, and runs of the action on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from bot.model.pull import PullState
from tests.fake_github.git import Bare
from tests.fake_github.server import served
from tests.fake_github.state import Comment, GitHub
from tests.stack.lab import Lab
from tests.support.repo import Repo
from tests.wire.stage import Run, Stage


@dataclass
class Site:
    """`lab` is changed by the test; `mirror` brings the fake up to date with it."""

    lab: Lab
    stage: Stage

    @property
    def hub(self) -> GitHub:
        return self.stage.hub

    def mirror(self) -> None:
        for number in self.lab.pulls:
            ref = self.lab.ref(number)
            pull = self.hub.pulls.get(number) or self.hub.open(number, ref.head_ref, ref.base_ref)
            if self.hub.git.has(f"refs/heads/{pull.base}"):
                pull.base_sha = self.hub.git.tip(pull.base)
            pull.base, pull.title = ref.base_ref, ref.title
            pull.state, pull.merged = ("open" if ref.state is PullState.OPEN else "closed"), bool(ref.merge_sha)
            pull.head_sha, pull.merge_sha = ref.head_sha, ref.merge_sha
            pull.head_repository = ref.head_repository or self.hub.full_name
            pull.held = self.lab.held.get(number, ())
            pull.auto_merge, pull.queued, pull.approvals = ref.auto_merge, ref.queued, ref.approvals or 0
            pushed = [{"__typename": "HeadRefForcePushedEvent", "beforeCommit": {"oid": old}} for old in ref.old_heads]
            based = [
                {"__typename": "BaseRefChangedEvent", "previousRefName": name}
                for name in self.lab.former.get(number, ())
            ]
            pull.events = cast(list[dict[str, object]], [*pushed, *based])

    def told(self, number: int, action: str, **more: Any) -> Run:
        """An event of a pull request, and the run that it starts."""
        self.mirror()
        return self.stage.run("pull_request", self.stage.event(number, action, **more))

    def swept(self, event: str = "schedule") -> Run:
        self.mirror()
        home = {"full_name": self.hub.full_name, "default_branch": "main"}
        return self.stage.run(event, {"ref": "refs/heads/main", "inputs": {}, "repository": home})

    def notes(self, number: int) -> list[Comment]:
        return [each for each in self.hub.pulls[number].comments if each.body.startswith("<!-- compose-review:stack")]

    def sticky(self, number: int) -> str:
        (comment,) = self.hub.sticky(number)
        return comment.body

    def said(self) -> str:
        """Every comment on every pull request."""
        return "\n".join(each.body for pull in self.hub.pulls.values() for each in pull.comments)

    def status(self, number: int) -> str:
        found = self.hub.status_of(self.hub.head_of(self.hub.pulls[number]))
        return found.state if found else ""

    def writes(self) -> list[str]:
        return [f"{call.method} {call.route}" for call in self.hub.log if call.stored]


@contextmanager
def site(lab: Lab) -> Iterator[Site]:
    work = object.__new__(Repo)  # nobody pushes from there: the lab writes history
    work.folder = lab.author
    stage = Stage(lab.folder, work, GitHub(Bare(lab.origin)))
    with served(stage.hub) as url:
        stage.url = url
        yield Site(lab, stage)
