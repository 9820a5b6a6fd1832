"""A fake GitHub with a repository in it, and runs of the action against it under a runner's environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from tests.fake_github.git import Bare
from tests.fake_github.state import GitHub, Pull
from tests.support.repo import Repo

ROOT = Path(__file__).parents[2]
BASE = """\
services:
  web:
    image: registry.example/web@sha256:{digest}
    depends_on:
      api: {{condition: service_healthy}}
  api:
    image: registry.example/api@sha256:{digest}
    environment:
      LOG_LEVEL: info
    healthcheck:
      test: ["CMD", "true"]
""".format(digest="4a" * 32)
QUIET = BASE.replace("LOG_LEVEL: info", "LOG_LEVEL: debug")
BLOCKED = BASE.replace("api: {condition", "apo: {condition")


@dataclass
class Run:
    code: int
    out: str
    summary: str
    outputs: str


@dataclass
class Stage:
    """`work` is the clone of the people who push; the fake's own repository is bare."""

    folder: Path
    work: Repo
    hub: GitHub
    url: str = ""
    runs: Any = field(default_factory=lambda: count(1))

    def push(self, branch: str, files: Mapping[str, str | bytes | None], message: str = "change") -> str:
        """A commit on a branch, made from main when it is new."""
        known = self.work.git("branch", "--list", branch)
        self.work.git("checkout", "-q", *([branch] if known else ["-b", branch, "main"]))
        sha = self.work.commit(files, message)
        self.work.git("push", "-q", "-f", str(self.hub.git.path), branch)
        return sha

    def event(self, number: int, action: str, **more: Any) -> dict[str, Any]:
        """The payload of a `pull_request` event, as far as it is read."""
        pull = self.hub.pulls[number]
        repo = {"full_name": self.hub.full_name}
        return {
            "action": action,
            "number": number,
            "pull_request": {
                "id": number,
                "number": number,
                "state": pull.state,
                "merged": pull.merged,
                "draft": pull.draft,
                "user": {"login": pull.user},
                "updated_at": "2026-03-02T09:15:00Z",
                "head": {"ref": pull.head, "sha": self.hub.head_of(pull), "repo": {"full_name": pull.head_repository}},
                "base": {"ref": pull.base, "sha": "0" * 40, "repo": repo},
            },
            "repository": {**repo, "default_branch": "main"},
            "sender": {"login": "dana"},
            **more,
        }

    def comment(self, number: int, body: str, by: str = "dana") -> tuple[dict[str, Any], int]:
        """A new comment of a person: its event, and its id."""
        from tests.fake_github.state import Comment

        comment = Comment(next(self.hub.ids), by, body)
        self.hub.pulls[number].comments.append(comment)
        payload = {
            "action": "created",
            "issue": {
                "number": number,
                "state": "open",
                "pull_request": {},
                "user": {"login": self.hub.pulls[number].user},
            },
            "comment": {"id": comment.id, "node_id": "x", "body": body, "user": {"login": by, "type": "User"}},
            "repository": {"full_name": self.hub.full_name},
            "sender": {"login": by},
        }
        return payload, comment.id

    def environment(self, name: str, payload: Mapping[str, Any], **more: str) -> dict[str, str]:
        run = str(next(self.runs))
        place = self.folder / f"run-{run}"
        place.mkdir()
        (place / "event.json").write_text(json.dumps(payload))
        return {
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(place / "event.json"),
            "GITHUB_REPOSITORY": self.hub.full_name,
            "GITHUB_API_URL": self.url,
            "GITHUB_RUN_ID": run,
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
            "GITHUB_OUTPUT": str(place / "output.txt"),
            "GITHUB_WORKSPACE": str(place),
            "INPUT_TOKEN": "secret-token",
            "INPUT_WAIT-SECONDS": "20",
            "COMPOSE_REVIEW_PACE": "0.0001",
            **more,
        }

    def run(self, name: str, payload: Mapping[str, Any], **more: str) -> Run:
        """In this process."""
        from contextlib import redirect_stdout
        from io import StringIO

        from bot.action.run import act
        from bot.intake.environment import surroundings_of

        environment = self.environment(name, payload, **more)
        out = StringIO()
        with redirect_stdout(out):
            code = act(surroundings_of(environment))
        return self._ran(environment, code, out.getvalue())

    def process(self, name: str, payload: Mapping[str, Any], **more: str) -> subprocess.Popen[str]:
        """As the runner starts it. Its environment stands in `.args[-1]`'s folder; see `finished`."""
        environment = self.environment(name, payload, **more)
        return subprocess.Popen(
            [sys.executable, "-m", "bot", "action"],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _ran(self, environment: Mapping[str, str], code: int, out: str) -> Run:
        def text(name: str) -> str:
            path = Path(environment[name])
            return path.read_text() if path.exists() else ""

        return Run(code, out, text("GITHUB_STEP_SUMMARY"), text("GITHUB_OUTPUT"))


def stage(folder: Path, files: Mapping[str, str | bytes | None] | None = None) -> Stage:
    """A repository with one file on main, unless other files are given."""
    work = Repo(folder / "work")
    work.commit(files if files is not None else {"compose.yaml": BASE}, "begin")
    bare = folder / "hub.git"
    work.git("clone", "-q", "--bare", str(work.folder), str(bare))
    return Stage(folder, work, GitHub(Bare(bare), permissions={"dana": "admin", "kim": "write", "sam": "read"}))


def opened(made: Stage, files: Mapping[str, str | bytes | None], number: int = 7, **more: Any) -> Pull:
    """A pull request with these changes."""
    branch = more.pop("head", f"change-{number}")
    made.push(branch, files)
    return made.hub.open(number, branch, **more)
