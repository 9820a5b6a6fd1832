"""Every request we send and every answer the fake gives, held against GitHub's own descriptions."""

from __future__ import annotations

import json

import pytest

from bot.forge import queries
from bot.intake.event import Event, request_of
from bot.model.request import Kind
from tests.official.described import answer_faults, described, request_faults
from tests.wire.stage import BASE, BLOCKED, QUIET, Stage, opened

EVERYTHING = "review:\n  annotations: true\n  inline_comments: 5\n"


@pytest.fixture
def played(staged: Stage) -> Stage:
    """A life with everything that is ever asked or written."""
    described("openapi.json")
    staged.push("main", {".github/compose-review.yaml": EVERYTHING})
    opened(staged, {"compose.yaml": BASE.replace("LOG_LEVEL: info", "LOG_LEVEL: 0777")})
    staged.run("pull_request", staged.event(7, "opened"))
    staged.push("change-7", {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "synchronize"))
    payload, _ = staged.comment(7, "/compose-review", "kim")
    staged.run("issue_comment", payload)
    payload, _ = staged.comment(7, "/compose-review", "nobody")
    staged.run("issue_comment", payload)
    pull = opened(staged, {"compose.yaml": BLOCKED}, 8, head_repository="mallory/deployments")
    staged.push("main", {"compose.yaml": BASE.replace("info", "warning")})
    run = {
        "event": "pull_request",
        "head_sha": staged.hub.head_of(pull),
        "head_branch": pull.head,
        "head_repository": {"full_name": "mallory/deployments"},
    }
    staged.run("workflow_run", {"action": "completed", "workflow_run": run})
    return staged


def test_every_call_is_one_that_github_describes(played: Stage) -> None:
    faults = []
    routes = set()
    for call in played.hub.log:
        if call.route != "/graphql":
            routes.add((call.method, call.route))
            faults += request_faults(call.method, call.route, call.query, call.body)
            faults += answer_faults(call.method, call.route, call.status, call.answer)
    assert len(routes) >= 12, sorted(routes)
    assert not faults, "\n".join(dict.fromkeys(faults))


def test_every_query_is_valid_in_the_whole_schema() -> None:
    from graphql import build_schema, parse, validate

    schema = build_schema(described("schema.graphql").read_text(), assume_valid=True, assume_valid_sdl=True)
    documents = [queries.PULL, queries.COMMENTS, queries.NEIGHBOURS, queries.RESOLVE, queries.REMOVE_REACTION]
    documents += [queries.AROUND, queries.HOLDING, queries.SWEEP]
    for document in (*documents, queries.blobs(3)):
        assert validate(schema, parse(document)) == []


EVENTS = ("pull_request", "issue_comment", "merge_group", "workflow_dispatch", "workflow_run", "push", "schedule")


def test_every_published_example_is_taken_without_a_crash() -> None:
    taken = 0
    for each in json.loads(described("events.json").read_text()):
        for name in (each["name"], "pull_request_target") if each["name"] == "pull_request" else (each["name"],):
            for payload in each["examples"]:
                taken += 1
                request = request_of(Event(name, payload))
                assert request.why
                assert (request.kind is Kind.IGNORE) or name in (*EVENTS, "pull_request_target")
    assert taken > 300


def test_our_own_events_are_events_of_github() -> None:
    import jsonschema_rs

    described("webhooks.json")
    schema = json.loads(described("webhooks.json").read_text())
    examples = {each["name"]: each["examples"] for each in json.loads(described("events.json").read_text())}
    opened_ = next(each for each in examples["pull_request"] if each["action"] == "opened")
    edited = {**opened_, "action": "edited", "changes": {"base": {"ref": {"from": "x"}, "sha": {"from": "0" * 40}}}}

    def faults(action: str, payload: object) -> set[str]:
        wanted = {**schema, "$ref": f"#/definitions/pull_request${action}", "oneOf": [{}]}
        return {error.message for error in jsonschema_rs.validator_for(wanted).iter_errors(payload)}

    # The published example is older than the schema: what counts is that our changes add no fault.
    assert faults("edited", edited) <= faults("opened", opened_)
    assert faults("edited", {**edited, "changes": 3}) - faults("opened", opened_)
    request = request_of(Event("pull_request", edited))
    assert (request.kind, request.why) == (Kind.REVIEW, "the base branch was changed")
