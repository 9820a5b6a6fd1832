"""A pull request's whole life on GitHub, step by step, as pictures that people can read.

Write the pictures anew with `COMPOSE_REVIEW_UPDATE=1`, and read the difference before you keep it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.commands.demo import EXAMPLE
from tests.fake_github.picture import picture
from tests.fake_github.server import served
from tests.support.cases import case_folder
from tests.wire.stage import Run, Stage, stage

KEPT = Path(__file__).parents[1] / "cases" / "github-story"


def files(folder: Path) -> dict[str, str | bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Story:
    """The rounds of a case, each pushed and told to the action as GitHub would tell it."""

    def __init__(self, made: Stage, case: Path) -> None:
        self.made, self.case = made, case
        facts = self.facts(1)
        self.number = int(facts["number"])
        made.push("prestage", files(case / "round-1" / "head"))
        made.hub.open(self.number, "prestage", title=facts["title"], body=facts["body"], user=facts["author"])
        for child in facts["stack"]["children"]:
            made.work.git("branch", child["head"]["ref"], "prestage")
            made.push(child["head"]["ref"], files(case / "round-1" / "head") | {"next.txt": str(child["number"])})
            made.hub.open(child["number"], child["head"]["ref"], "prestage", title=child["title"])

    def facts(self, round_: int) -> Any:
        return json.loads((self.case / f"round-{round_}" / "pr.json").read_text())

    def opened(self) -> Run:
        return self.made.run("pull_request", self.made.event(self.number, "opened"))

    def pushed_and_asked_again(self) -> Run:
        self.made.push("prestage", files(self.case / "round-2" / "head"))
        self.made.hub.pulls[self.number].body = self.facts(2)["body"]
        self.made.run("pull_request", self.made.event(self.number, "synchronize"))
        asked = self.made.event(self.number, "review_requested", requested_reviewer={"login": "kim"})
        asked["pull_request"]["updated_at"] = "2026-03-02T11:40:00Z"
        return self.made.run("pull_request", asked)

    def picture(self) -> str:
        return picture(self.made.hub, self.number)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Story]:
    made = stage(tmp_path, files(EXAMPLE / "base"))
    with served(made.hub) as url:
        made.url = url
        yield Story(made, EXAMPLE)


def kept(name: str, text: str) -> None:
    path = KEPT / f"{name}.txt"
    if os.environ.get("COMPOSE_REVIEW_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()


def test_the_example_is_opened_repaired_and_asked_about_again(demo: Story) -> None:
    assert demo.opened().code == 0
    kept("1-opened", demo.picture())
    assert demo.pushed_and_asked_again().code == 0
    kept("2-pushed-and-asked-again", demo.picture())
    assert len(demo.made.hub.sticky(demo.number)) == 1


def test_the_real_pull_request_keeps_one_comment_over_two_rounds(tmp_path: Path) -> None:
    case = case_folder("seed-pr")
    made = stage(tmp_path, files(case / "base"))
    with served(made.hub) as url:
        made.url = url
        story = Story(made, case)
        first = story.opened()
        (comment,) = made.hub.sticky(story.number)
        assert first.code == 0
        assert "2 optional follow-ups" in comment.body
        assert "prod/small-models.yaml" in comment.body
        story.pushed_and_asked_again()
        (again,) = made.hub.sticky(story.number)
        assert again.id == comment.id
        assert "1 optional follow-up" in again.body
        assert "Resolved since the last round" in again.body
        assert "review requested of `kim` by `dana`" in again.body
        assert [each.state for each in made.hub.statuses[made.hub.git.tip("prestage")]][-1] == "success"
