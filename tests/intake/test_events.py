"""Events as requests: nothing for what changes nothing, one kind for each of the others."""

from __future__ import annotations

from typing import Any

import pytest

from bot.intake.event import Event, EventError, request_of
from bot.model.request import Head, Kind, Request, Span

SHA, OTHER = "a1" * 20, "b2" * 20
REPOSITORY = {"full_name": "example/deployments", "default_branch": "main"}
PULL = {
    "number": 7,
    "state": "open",
    "draft": False,
    "user": {"login": "dana"},
    "updated_at": "2026-03-02T09:15:00Z",
    "head": {"ref": "topic", "sha": SHA, "repo": {"full_name": "example/deployments"}},
    "base": {"ref": "main", "sha": OTHER, "repo": {"full_name": "example/deployments"}},
}


def pull_request(
    action: str, *, name: str = "pull_request", pull: dict[str, Any] | None = None, **more: Any
) -> Request:
    payload = {
        "action": action,
        "number": 7,
        "pull_request": {**PULL, **(pull or {})},
        "repository": REPOSITORY,
        "sender": {"login": "robin"},
        **more,
    }
    return request_of(Event(name, payload))


def comment(body: str, **more: Any) -> Request:
    payload: dict[str, Any] = {
        "action": "created",
        "issue": {"number": 7, "state": "open", "pull_request": {"url": "x"}, "user": {"login": "dana"}},
        "comment": {
            "id": 5,
            "node_id": "n5",
            "body": body,
            "user": {"login": "robin", "type": "User"},
            "created_at": "t",
        },
        "repository": REPOSITORY,
    }
    for name, value in more.items():
        payload[name] = {**payload[name], **value} if isinstance(value, dict) else value
    return request_of(Event("issue_comment", payload))


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("assigned", {}),
        ("labeled", {"label": {"name": "bug"}}),
        ("labeled", {}),
        ("edited", {}),
        ("edited", {"changes": {}}),
        ("edited", {"changes": {"milestone": {"from": "x"}}}),
        ("review_requested", {}),
        ("no-such-action", {}),
        ("", {}),
        ("opened", {"pull": {"state": "closed"}}),
        ("opened", {"number": None, "pull": {"number": None}}),
        ("opened", {"number": -3, "pull": {"number": -3}}),
    ],
)
def test_what_changes_nothing_is_ignored_with_a_reason(action: str, more: dict[str, Any]) -> None:
    asked = pull_request(action, **more)
    assert asked.kind is Kind.IGNORE
    assert asked.why
    assert not asked.reviews


@pytest.mark.parametrize("name", ["deployment", "", "check_run", "pull_request_review", "`; rm -rf /"])
def test_other_events_are_ignored_and_named_harmlessly(name: str) -> None:
    asked = request_of(Event(name, {}))
    assert asked.kind is Kind.IGNORE
    assert asked.why.count("`") == 2


@pytest.mark.parametrize("payload", [{}, {"action": 3}, {"action": ["x"], "pull_request": "no"}, {"number": "7"}])
@pytest.mark.parametrize("name", ["pull_request", "issue_comment", "merge_group", "workflow_run", "push"])
def test_a_payload_that_lacks_everything_is_ignored(name: str, payload: dict[str, Any]) -> None:
    assert request_of(Event(name, payload)).kind is Kind.IGNORE


@pytest.mark.parametrize(
    ("action", "kind", "more"),
    [
        ("opened", Kind.REVIEW, {}),
        ("reopened", Kind.REVIEW, {}),
        ("synchronize", Kind.REVIEW, {}),
        ("ready_for_review", Kind.REVIEW, {}),
        ("converted_to_draft", Kind.RERENDER, {}),
        ("edited", Kind.REVIEW, {"changes": {"base": {"ref": {"from": "main"}}}}),
        ("edited", Kind.RERENDER, {"changes": {"title": {"from": "x"}}}),
        ("edited", Kind.RERENDER, {"changes": {"body": {"from": ""}}}),
        ("review_requested", Kind.REVIEW, {"requested_reviewer": {"login": "kim"}}),
        ("review_requested", Kind.REVIEW, {"requested_team": {"slug": "deployers"}}),
        ("labeled", Kind.REVIEW, {"label": {"name": "compose-review"}}),
        ("closed", Kind.REMIND, {"pull": {"state": "closed", "merged": True}}),
        ("closed", Kind.REMIND, {"pull": {"state": "closed", "merged": False}}),
    ],
)
@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_actions_of_pull_requests(name: str, action: str, kind: Kind, more: dict[str, Any]) -> None:
    asked = pull_request(action, name=name, **more)
    assert (asked.kind, asked.number, asked.repository) == (kind, 7, "example/deployments")
    assert (asked.head_sha, asked.base_ref, asked.head_ref, asked.author) == (SHA, "main", "topic", "dana")
    assert (asked.trigger.event, asked.trigger.action, asked.trigger.actor) == (name, action, "robin")


def test_of_whom_a_review_was_asked_is_kept() -> None:
    asked = pull_request("review_requested", requested_reviewer={"login": "kim"})
    assert (asked.reviewer, asked.team, asked.trigger.requested) == ("kim", "", "kim")
    asked = pull_request("review_requested", requested_team={"slug": "deployers"})
    assert (asked.reviewer, asked.team, asked.trigger.requested) == ("", "deployers", "deployers")


def test_a_push_tells_both_heads() -> None:
    asked = pull_request("synchronize", before=OTHER, after=SHA)
    assert (asked.before, asked.head_sha) == (OTHER, SHA)
    assert pull_request("opened", before="0" * 40).before == ""
    assert pull_request("opened", pull={"head": {"sha": "main; rm -rf"}}).head_sha == ""


@pytest.mark.parametrize(
    ("name", "pull", "writes"),
    [
        ("pull_request", {}, True),
        ("pull_request_target", {"head": {"repo": {"full_name": "mallory/fork"}}}, True),
        ("pull_request", {"head": {"repo": {"full_name": "EXAMPLE/Deployments"}}}, True),
        ("pull_request", {"head": {"repo": {"full_name": "mallory/fork"}}}, False),
        ("pull_request", {"head": {"repo": None}}, False),
        ("pull_request_target", {"user": {"login": "dependabot[bot]"}}, False),
        ("pull_request", {"user": {"login": "dependabot[bot]"}}, True),
    ],
)
def test_tokens_that_cannot_write_are_known_without_asking(name: str, pull: dict[str, Any], writes: bool) -> None:
    assert (pull_request("opened", name=name, pull=pull).read_only == "") is writes


@pytest.mark.parametrize(
    "more",
    [
        {"action": "edited"},
        {"action": "deleted"},
        {"issue": {"pull_request": None}},
        {"issue": {"state": "closed"}},
        {"issue": {"number": None}},
        {"comment": {"id": None}},
        {"comment": {"user": {"login": "helper[bot]", "type": "Bot"}}},
        {"comment": {"user": {"login": "github-actions[bot]", "type": "User"}}},
        {"comment": {"body": "Please /compose-review"}},
        {"comment": {"body": ""}},
    ],
)
def test_comments_that_are_no_command_are_ignored(more: dict[str, Any]) -> None:
    assert comment("/compose-review", **more).kind is Kind.IGNORE


def test_a_command_keeps_who_said_it_and_where() -> None:
    asked = comment("/compose-review")
    assert asked.kind is Kind.REVIEW
    assert asked.said is not None
    assert (asked.said.id, asked.said.by, asked.number, asked.trigger.actor) == (5, "robin", 7, "robin")


def test_a_merge_group_is_a_span_of_two_commits() -> None:
    group = {"base_sha": OTHER, "base_ref": "refs/heads/main", "head_sha": SHA, "head_ref": "refs/heads/queue/x"}
    asked = request_of(Event("merge_group", {"action": "checks_requested", "merge_group": group}))
    assert (asked.kind, asked.span) == (Kind.REVIEW, Span(OTHER, "main", SHA, "queue/x"))
    for action, part in (
        ("destroyed", group),
        ("checks_requested", {**group, "head_sha": ""}),
        ("checks_requested", {}),
    ):
        assert request_of(Event("merge_group", {"action": action, "merge_group": part})).kind is Kind.IGNORE


def test_a_dispatch_reviews_the_number_it_is_given_and_else_sweeps() -> None:
    assert request_of(Event("workflow_dispatch", {})).kind is Kind.REMIND
    assert request_of(Event("workflow_dispatch", {}, number=" 12 ")).number == 12
    assert request_of(Event("workflow_dispatch", {"inputs": {"pull-request": "9"}})).number == 9


@pytest.mark.parametrize("text", ["0", "-1", "7.5", "x", "1e3", "$(id)", "7;8", "99999999999", "٧"])
def test_a_number_that_is_none_is_told_to_the_person(text: str) -> None:
    with pytest.raises(EventError, match="positive whole number"):
        request_of(Event("workflow_dispatch", {}, number=text))


def test_a_finished_run_is_looked_up_by_commit_branch_and_repository() -> None:
    run = {
        "event": "pull_request",
        "head_sha": SHA,
        "head_branch": "topic",
        "head_repository": {"full_name": "mallory/fork"},
        "pull_requests": [],
    }
    asked = request_of(Event("workflow_run", {"action": "completed", "workflow_run": run}))
    assert (asked.kind, asked.head) == (Kind.PUBLISH_ONLY, Head(SHA, "topic", "mallory/fork"))
    for action, part in (
        ("requested", run),
        ("completed", {**run, "event": "push"}),
        ("completed", {**run, "head_sha": "x"}),
        ("completed", {**run, "head_repository": None}),
    ):
        assert request_of(Event("workflow_run", {"action": action, "workflow_run": part})).kind is Kind.IGNORE


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"ref": "refs/heads/topic"}, Kind.IGNORE),
        ({"ref": "refs/tags/main"}, Kind.IGNORE),
        ({"ref": "refs/heads/main", "deleted": True}, Kind.IGNORE),
        ({"ref": "refs/heads/main"}, Kind.REMIND),
    ],
)
def test_only_a_push_to_the_default_branch_sweeps(payload: dict[str, Any], kind: Kind) -> None:
    assert request_of(Event("push", {**payload, "repository": REPOSITORY})).kind is kind


def test_the_schedule_sweeps() -> None:
    assert request_of(Event("schedule", {"schedule": "17 * * * *"})).kind is Kind.REMIND
