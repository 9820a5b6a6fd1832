"""The client alone, answers scripted one by one: what is repeated, what is not, and for how long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import responses

from bot.forge.client import Client
from bot.forge.errors import Missing, Refused, Rejected, Unreachable
from bot.forge.waiting import Patience

ROOT = "https://api.github.com:443"
PATH = "/repos/o/r/issues/1/comments"
REFUSED = {"message": "Resource not accessible by integration"}
SECONDARY = {"message": "You have exceeded a secondary rate limit"}


@pytest.fixture
def wire() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock(assert_all_requests_are_fired=True) as mock:
        yield mock


def client(budget: float = 300) -> Client:
    return Client("t", "https://api.github.com", Patience(budget, pace=0))


def answer(wire: responses.RequestsMock, method: str, *answers: Any) -> None:
    """One answer a try: a status with its JSON, or an exception."""
    for each in answers:
        if isinstance(each, Exception):
            wire.add(method, ROOT + PATH, body=each)
        else:
            status, body, *headers = each
            wire.add(method, ROOT + PATH, status=status, json=body, headers=headers[0] if headers else None)


@pytest.mark.parametrize(
    "first",
    [
        (500, {"message": "x"}),
        (502, {"message": "x"}),
        (429, {"message": "slow down"}, {"Retry-After": "1"}),
        (429, {"message": "slow down"}),
        (403, SECONDARY, {"Retry-After": "1"}),
        requests.ConnectionError("reset"),
        requests.Timeout("15 s"),
    ],
)
def test_a_request_that_changes_nothing_is_repeated(wire: responses.RequestsMock, first: Any) -> None:
    answer(wire, "GET", first, (200, {"id": 1}))
    assert client().get(PATH)["id"] == 1
    assert len(wire.calls) == 2


def test_half_an_answer_is_none(wire: responses.RequestsMock) -> None:
    wire.add("GET", ROOT + PATH, body='{"id": 1', content_type="application/json")
    answer(wire, "GET", (200, {"id": 1}))
    assert client().get(PATH)["id"] == 1


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, {"message": "Bad credentials"}, Refused),
        (403, REFUSED, Refused),
        (404, {"message": "Not Found"}, Missing),
        (410, {"message": "Gone"}, Missing),
        (422, {"message": "Validation Failed", "errors": [{"message": "Body is too long"}]}, Rejected),
    ],
)
def test_what_cannot_get_better_is_asked_once(
    wire: responses.RequestsMock, status: int, body: Any, error: type[Exception]
) -> None:
    answer(wire, "GET", (status, body))
    with pytest.raises(error, match=re.escape(body.get("errors", [body])[0]["message"])):
        client().get(PATH)
    assert len(wire.calls) == 1


def test_a_lost_answer_to_a_new_comment_is_looked_up_before_it_is_sent_again(wire: responses.RequestsMock) -> None:
    answer(wire, "POST", (502, {"message": "x"}))
    assert client().create(PATH, {"body": "hello"}, lambda: "found") == "found"
    assert len(wire.calls) == 1


def test_a_comment_that_was_not_stored_is_sent_again(wire: responses.RequestsMock) -> None:
    answer(wire, "POST", requests.ConnectionError("reset"), (201, {"id": 5}))
    assert client().create(PATH, {"body": "hello"}, lambda: None) == {"id": 5}


def test_without_a_way_to_look_nothing_is_sent_twice(wire: responses.RequestsMock) -> None:
    answer(wire, "POST", (502, {"message": "x"}))
    with pytest.raises(Unreachable):
        client().create(PATH, {"body": "hello"})
    assert len(wire.calls) == 1


def test_a_limit_is_no_lost_answer(wire: responses.RequestsMock) -> None:
    answer(wire, "POST", (403, SECONDARY), (201, {"id": 5}))
    assert client().create(PATH, {"body": "hello"}) == {"id": 5}


def test_no_wait_is_longer_than_what_is_left_of_the_budget(wire: responses.RequestsMock) -> None:
    answer(wire, "GET", (429, {"message": "x"}, {"Retry-After": "900"}))
    with pytest.raises(Unreachable, match="429"):
        client(300).get(PATH)
    assert len(wire.calls) == 1


def test_a_graphql_error_beside_data_is_an_error(wire: responses.RequestsMock) -> None:
    body = {"data": {"viewer": None}, "errors": [{"type": "FORBIDDEN", "message": "no"}]}
    wire.add("POST", f"{ROOT}/graphql", json=body)
    with pytest.raises(Refused, match="no"):
        client().graphql("query { viewer { login } }", {})


def test_variables_travel_beside_the_query(wire: responses.RequestsMock) -> None:
    wire.add("POST", f"{ROOT}/graphql", json={"data": {"x": 1}})
    client().graphql("query($a: String!) { x }", {"a": '") { evil }'})
    sent = json.loads(wire.calls[0].request.body or "")
    assert sent["query"] == "query($a: String!) { x }"


def test_the_token_is_in_no_error(wire: responses.RequestsMock) -> None:
    answer(wire, "GET", (403, REFUSED))
    with pytest.raises(Refused) as caught:
        Client("secret", "https://api.github.com", Patience(1, pace=0)).get(PATH)
    assert "secret" not in str(caught.value)
