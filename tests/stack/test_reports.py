"""What bit other people with stacked pull requests, as reported in public; and the pull request we are modelled on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.intake.event import Event, request_of
from bot.intake.pull_facts import read_pull
from bot.model.request import Kind
from bot.model.review import Needs
from bot.stack.ancestry import NoAncestry
from bot.stack.read import stack_of
from tests.stack.github import Site
from tests.stack.lab import METHODS, Lab
from tests.support.cases import case_folder
from tests.support.repo import Repo
from tests.support.run import compose_review


def read(report: str, name: str) -> Any:
    return json.loads((case_folder(f"reports/{report}") / name).read_text())


def test_only_what_targets_the_branch_is_a_child(tmp_path: Path) -> None:
    report = "stack-01-child-will-be-closed"
    event, listed = read(report, "event.json"), read(report, "open-prs.json")
    event["pull_request"]["base"]["repo"] = {"full_name": "acme/deploy"}
    event["pull_request"]["stack"] = {"children": listed}
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event))
    stack = stack_of(read_pull(path), NoAncestry())
    assert ([each.number for each in stack.children], stack.blocks) == ([42], False)
    assert "--delete-branch" in stack.say
    (child,) = (each for each in listed if each["number"] == 42)
    child["stack"] = {"parents": [each for each in listed if each["number"] == 41]}
    path.write_text(json.dumps(child))
    told = stack_of(read_pull(path), NoAncestry())
    assert told.parent is not None
    assert (told.parent.number, told.blocks) == (41, False)
    assert "#41, which is open: merge that one first" in told.parent.say


@pytest.mark.parametrize(
    ("name", "kind"),
    [("event.json", Kind.REVIEW), ("event-title.json", Kind.RERENDER), ("event-body.json", Kind.RERENDER)],
)
def test_a_new_base_is_a_review_and_a_new_title_is_none(name: str, kind: Kind) -> None:
    event = read("stack-02-edited-event-retarget", name)
    assert request_of(Event("pull_request", event)).kind is kind


def test_merged_and_not_on_the_trunk(hosted: Site) -> None:
    event = read("stack-05-merged-but-not-on-main", "event.json")["pull_request"]
    (first,) = read("stack-05-merged-but-not-on-main", "closed-prs.json")
    lab = hosted.lab
    lab.commit(first["head"]["ref"], {"a.yaml": "a: 1\n"}, "a1", on="main")
    lab.open(first["number"], first["head"]["ref"])
    lab.commit(event["head"]["ref"], {"b.yaml": "b: 1\n"}, "b1", on=first["head"]["ref"])
    lab.open(event["number"], event["head"]["ref"], event["base"]["ref"])
    lab.merge(first["number"], "squash")
    lab.merge(event["number"], "squash")
    ran = hosted.told(event["number"], "closed")
    assert ran.code == 1
    assert "1 commit is not on `main`" in hosted.sticky(event["number"])
    assert "deployed" not in hosted.sticky(event["number"])


def test_a_base_that_a_tool_made_is_known_by_its_commit(hosted: Site) -> None:
    event = read("stack-07-tool-made-base-branches", "event.json")["pull_request"]
    listed = {each["number"]: each for each in read("stack-07-tool-made-base-branches", "open-prs.json")}
    lab, below = hosted.lab, listed[51]
    lab.commit(below["base"]["ref"], {"m.yaml": "m: 1\n"}, "m", on="main")
    lab.commit(below["head"]["ref"], {"o.yaml": "o: 1\n"}, "old", on="main")
    lab.open(30, below["head"]["ref"], below["base"]["ref"])
    lab.merge(30, "merge")
    lab.commit(below["head"]["ref"], {"a.yaml": "a: 1\n"}, "a1", on=below["base"]["ref"])
    lab.open(51, below["head"]["ref"], below["base"]["ref"])
    lab.git("update-ref", f"refs/heads/{event['base']['ref']}", lab.sha(below["head"]["ref"]))
    lab.commit(event["head"]["ref"], {"compose.yaml": "services: {a: {image: x}}\n"}, "b1", on=event["base"]["ref"])
    lab.open(52, event["head"]["ref"], event["base"]["ref"])
    assert hosted.told(52, "synchronize").code in (0, 1)
    told = hosted.sticky(52)
    assert "made by a stacking tool and stand on #51" in told
    assert "#30" not in told
    assert "gh pr edit" not in told


def test_the_base_of_the_event_is_not_where_the_base_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The payload's commit is old: only what the branch itself changes is in scope."""
    event = read("stack-09-stale-base-sha-in-payload", "event.json")
    names = re.findall(
        r"for f in ([a-z ]+);", (case_folder("reports/stack-09-stale-base-sha-in-payload") / "setup.sh").read_text()
    )
    repo = Repo(tmp_path / "r")
    image = "services:\n  eng:\n    image: reg.example/eng:{}\n"
    old = repo.commit({f"prod/{name}.yaml": image.format(1) for name in names[0].split()}, "base")
    repo.branch("topic")
    repo.commit({"prod/c.yaml": image.format(2)}, "t")
    repo.git("checkout", "-q", "main")
    repo.commit({"prod/a.yaml": image.format(3)}, "m1")
    repo.git("checkout", "-q", "topic")
    repo.git("rebase", "-q", "main")
    event["pull_request"]["base"]["sha"] = old
    (tmp_path / "event.json").write_text(json.dumps(event))
    monkeypatch.chdir(repo.folder)
    facts = tmp_path / "event.json"
    ran = compose_review("review", "--base", "main", "--head", "topic", "--pr", facts, "--format", "json")
    assert [each["path"] for each in ran.json["summary"]["files"]] == ["prod/c.yaml"]
    assert ran.json["base"] != old


def files(folder: Path) -> dict[str, str | bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def real(lab: Lab) -> tuple[Any, dict[int, str]]:
    """The real pull request with its two children; its facts, and the children's branches."""
    case = case_folder("seed-pr")
    facts = json.loads((case / "round-1" / "pr.json").read_text())
    before, after = files(case / "base"), files(case / "round-1" / "head")
    lab.commit("main", before, "base")
    changed = {path: text for path, text in after.items() if before.get(path) != text}
    lab.commit(facts["head"]["ref"], changed, "pre-stage", on="main")
    lab.open(facts["number"], facts["head"]["ref"])
    children = {each["number"]: each["head"]["ref"] for each in facts["stack"]["children"]}
    for child, branch in children.items():
        lab.commit(branch, {f"prod/new-{child}.txt": "x\n"}, f"child {child}", on=facts["head"]["ref"])
        lab.open(child, branch, facts["head"]["ref"])
    return facts, children


@pytest.mark.parametrize("method", METHODS)
def test_the_children_of_the_real_pull_request_after_each_way_to_merge(lab: Lab, method: str) -> None:
    facts, children = real(lab)
    lab.merge(facts["number"], method)
    lab.clone(branches=tuple(children.values()))
    for child in children:
        told = lab.stack(child).parent
        assert told is not None
        assert told.needs is (Needs.RETARGET if method == "merge" else Needs.REBASE_AND_RETARGET)
        assert lab.paste(told.commands).returncode == 0
        assert (lab.listed(child), lab.files(child)) == ([f"child {child}"], [f"prod/new-{child}.txt"])


def test_the_stack_of_the_real_pull_request_on_github(hosted: Site) -> None:
    lab = hosted.lab
    facts, children = real(lab)
    number = facts["number"]
    hosted.mirror()
    hosted.hub.pulls[number].body = facts["body"]
    hosted.told(number, "opened")
    said = hosted.sticky(number)
    assert "2 pull requests build on this one. This repository does not delete merged branches" in said
    assert "`gh pr merge --delete-branch`, through the API" in said
    ways = (
        "After a merge commit, retarget it to `main`; after a squash or a rebase, retarget it to `main` and rebase it."
    )
    for child, branch in children.items():
        assert f"#{child}: `{branch}` builds on this. {ways}" in said
    lab.merge(number, "squash")
    hosted.told(number, "closed")
    for child in children:
        (note,) = hosted.notes(child)
        assert "Retarget and rebase" in note.body
        assert f"- [ ] #{child} retarget and rebase" in hosted.sticky(number)
