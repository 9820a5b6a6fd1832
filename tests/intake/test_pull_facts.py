"""Facts about a pull request, in each of the shapes people have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.intake.json_fields import FactsError
from bot.intake.pull_facts import read_pull
from bot.model.pull import Pull, PullRef, PullState, Repository, Trigger
from tests.support.cases import case_folder


def pull(folder: Path, data: object) -> Pull:
    path = folder / "facts.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return read_pull(path)


def test_what_is_not_said_keeps_its_default(tmp_path: Path) -> None:
    assert pull(tmp_path, {"title": "T"}) == Pull(title="T")
    assert pull(tmp_path, {"title": None, "body": None, "base": None, "labels": None}) == Pull()
    assert pull(tmp_path, {"pull_request": {"title": "T"}}) == Pull(title="T", trigger=Trigger(event="pull_request"))


def test_the_facts_of_a_case(tmp_path: Path) -> None:
    child = {
        "number": 8,
        "title": "next",
        "state": "open",
        "author": "ann",
        "base": {"ref": "topic"},
        "head": {"ref": "next", "sha": "77"},
    }
    data = {
        "number": 7,
        "title": "T",
        "author": "ann",
        "draft": True,
        "labels": ["infra"],
        "body": "B",
        "base": {"ref": "main"},
        "head": {"ref": "topic", "sha": "66", "fork": True},
        "repository": {"full_name": "acme/deploy", "default_branch": "trunk", "delete_branch_on_merge": False},
        "trigger": {
            "event": "pull_request",
            "action": "review_requested",
            "actor": "bob",
            "requested_reviewer": "bot",
            "at": "2026-01-02T03:04:05Z",
        },
        "stack": {"parents": [], "children": [child]},
    }
    assert pull(tmp_path, data) == Pull(
        number=7,
        title="T",
        body="B",
        author="ann",
        draft=True,
        labels=("infra",),
        base_ref="main",
        head_ref="topic",
        head_sha="66",
        from_fork=True,
        repository=Repository("acme/deploy", "trunk", delete_branch_on_merge=False),
        trigger=Trigger("pull_request", "review_requested", "bob", "bot", "2026-01-02T03:04:05Z"),
        children=(PullRef(8, "next", PullState.OPEN, "ann", "topic", "next", "77"),),
    )


def event(**pull_request: Any) -> dict[str, Any]:
    repository = {"full_name": "acme/deploy", "default_branch": "main", "allow_squash_merge": True}
    side = {"ref": "main", "sha": "b" * 40, "repo": repository}
    return {
        "action": "opened",
        "number": 7,
        "pull_request": {
            "title": "T",
            "user": {"login": "ann"},
            "state": "open",
            "base": side,
            "head": {**side, "ref": "topic", "sha": "a" * 40},
            "labels": [{"name": "infra", "color": "red"}],
            "updated_at": "2026-01-02T03:04:05Z",
            **pull_request,
        },
        "repository": repository,
        "sender": {"login": "bob"},
    }


def test_an_event_of_github(tmp_path: Path) -> None:
    found = pull(tmp_path, event())
    assert (found.number, found.title, found.author, found.labels) == (7, "T", "ann", ("infra",))
    assert (found.base_ref, found.head_ref, found.head_sha) == ("main", "topic", "a" * 40)
    assert found.trigger == Trigger("pull_request", "opened", "bob", "", "2026-01-02T03:04:05Z")
    assert found.repository.allow_squash_merge is True
    assert found.repository.delete_branch_on_merge is None
    assert not found.from_fork


def test_the_base_of_an_event_is_never_taken_for_the_live_one(tmp_path: Path) -> None:
    assert pull(tmp_path, event()).base_sha == ""


@pytest.mark.parametrize(
    ("more", "requested"),
    [
        ({"requested_reviewer": {"login": "bot"}}, "bot"),
        ({"requested_team": {"slug": "ops", "name": "Ops"}}, "ops"),
        ({}, ""),
    ],
)
def test_who_was_asked_for_a_review(tmp_path: Path, more: dict[str, Any], requested: str) -> None:
    assert pull(tmp_path, {**event(), **more}).trigger.requested == requested


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({"state": "open"}, PullState.OPEN),
        ({"state": "closed", "merged": False}, PullState.CLOSED),
        ({"state": "closed", "merged": True}, PullState.MERGED),
        ({"state": "closed", "merged_at": "2026-01-02T03:04:05Z"}, PullState.MERGED),
        ({"state": "MERGED"}, PullState.MERGED),
    ],
)
def test_states(tmp_path: Path, more: dict[str, Any], state: PullState) -> None:
    assert pull(tmp_path, event(**more)).state is state


@pytest.mark.parametrize(
    ("head", "fork"),
    [
        ({"ref": "x", "repo": {"full_name": "acme/deploy", "fork": True}}, False),
        ({"ref": "x", "repo": {"full_name": "ann/deploy", "fork": True}}, True),
        ({"ref": "x", "repo": None}, True),  # the fork was deleted
        ({"ref": "x"}, False),
    ],
)
def test_a_fork_is_another_repository_than_the_base(tmp_path: Path, head: dict[str, Any], fork: bool) -> None:
    assert pull(tmp_path, event(head=head)).from_fork is fork


def test_a_stack_that_github_keeps_is_native(tmp_path: Path) -> None:
    assert pull(tmp_path, event(stack={"id": 1, "position": 2, "base": {"ref": "main"}})).native_stack
    assert not pull(tmp_path, event(stack=None)).native_stack
    assert not pull(tmp_path, {"title": "T", "stack": {"parents": [], "children": []}}).native_stack


def test_what_the_api_and_gh_print_are_facts_too(tmp_path: Path) -> None:
    assert pull(tmp_path, event()["pull_request"]).head_ref == "topic"
    found = pull(
        tmp_path,
        {
            "number": 7,
            "title": "T",
            "author": {"login": "ann"},
            "isDraft": True,
            "baseRefName": "main",
            "headRefName": "topic",
            "headRefOid": "66",
            "isCrossRepository": True,
            "labels": [{"name": "infra"}],
            "state": "OPEN",
        },
    )
    assert (found.author, found.draft, found.base_ref, found.head_ref, found.head_sha) == (
        "ann",
        True,
        "main",
        "topic",
        "66",
    )
    assert (found.from_fork, found.labels, found.state) == (True, ("infra",), PullState.OPEN)


def test_every_wrong_type_is_said_with_its_path(tmp_path: Path) -> None:
    data = event(title=5, draft="yes", labels=["ok", {"name": 3}, 4], base="main", head={"ref": ["x"], "sha": True})
    data["number"] = "7"
    data["sender"] = "bob"
    with pytest.raises(FactsError) as caught:
        pull(tmp_path, data)
    said = [line.removeprefix(f"{tmp_path}/facts.json: ") for line in str(caught.value).splitlines()]
    assert set(said) == {
        "number must be a whole number, not a text",
        "sender must be an object, not a text",
        "pull_request.title must be a text, not the number 5",
        "pull_request.draft must be true or false, not a text",
        "pull_request.labels[1].name must be a text, not the number 3",
        "pull_request.labels[2] must be a text, not the number 4",
        "pull_request.base must be an object, not a text",
        "pull_request.head.ref must be a text, not a list",
        "pull_request.head.sha must be a text, not true",
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", r"facts\.json:1:1: not JSON"),
        ('{"title": "T",\n  "body": }', r"facts\.json:2:11: not JSON: Expecting value"),
        ("[]", r"facts\.json must hold an object, not a list"),
        ("{}", r"holds no pull request: neither `pull_request` nor"),
        ('{"stack": {"children": 1}, "number": 1}', r"facts\.json: stack\.children must be a list, not the number 1"),
        ("[" * 100_000, r"facts\.json is nested too deeply"),
    ],
)
def test_what_is_no_file_of_facts_is_said(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FactsError, match=says):
        pull(tmp_path, text)


def test_a_file_that_is_not_there_or_not_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="cannot be read: No such file"):
        read_pull(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes(b'{"title": "caf\xe9"}')
    with pytest.raises(FactsError, match=r"is not UTF-8 \(byte 14\)"):
        read_pull(tmp_path / "latin.json")


def test_half_of_a_character_cannot_break_what_is_written_later(tmp_path: Path) -> None:
    assert pull(tmp_path, '{"title": "a\\ud83db"}').title == "a\ufffdb"
    assert pull(tmp_path, '{"title": "\\ud83d\\ude80"}').title == "🚀"


def test_every_event_of_the_cases_is_read() -> None:
    events = sorted(case_folder("reports").glob("*/event*.json"))
    assert len(events) > 20
    for path in events:
        assert read_pull(path).number, path
