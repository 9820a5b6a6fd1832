"""What the runner tells a job: everything that is wrong is said at once, and nothing of it is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.intake.environment import API_URL, SERVER_URL, surroundings_of
from bot.intake.inputs import InputError, Inputs, applied, inputs_of
from bot.model.settings import FailOn, Settings


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    (tmp_path / "event.json").write_text(json.dumps({"action": "opened"}))
    return {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_REPOSITORY": "example/deployments",
        **more,
    }


def faults(variables: dict[str, str]) -> str:
    with pytest.raises(InputError) as caught:
        surroundings_of(variables)
    return str(caught.value)


def test_a_bare_runner_is_enough(tmp_path: Path) -> None:
    around = surroundings_of(environment(tmp_path))
    assert (around.api_url, around.server_url, around.run_url) == (API_URL, SERVER_URL, "")
    assert (around.output, around.summary, around.inputs) == (None, None, Inputs())


def test_the_page_of_the_run_is_known(tmp_path: Path) -> None:
    around = surroundings_of(environment(tmp_path, GITHUB_RUN_ID="31", GITHUB_SERVER_URL="https://git.example.com/"))
    assert around.run_url == "https://git.example.com/example/deployments/actions/runs/31"


@pytest.mark.parametrize("text", ["", "x", "-1", "1" * 19, "1 2", "٣"])
def test_a_run_number_that_is_none_counts_as_none(tmp_path: Path, text: str) -> None:
    assert surroundings_of(environment(tmp_path, GITHUB_RUN_ID=text)).run == 0


def test_outside_of_a_workflow_all_that_is_missing_is_said_at_once() -> None:
    said = faults({})
    for name in ("GITHUB_EVENT_NAME", "GITHUB_REPOSITORY", "GITHUB_EVENT_PATH"):
        assert f"{name} is not set" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "a JSON object"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 200_000, "not JSON"),
    ],
)
def test_an_event_file_that_cannot_be_used(tmp_path: Path, content: bytes, said: str) -> None:
    variables = environment(tmp_path)
    (tmp_path / "event.json").write_bytes(content)
    assert said in faults(variables)


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf{}"])
def test_an_empty_event_file_is_an_event_without_facts(tmp_path: Path, content: bytes) -> None:
    variables = environment(tmp_path)
    (tmp_path / "event.json").write_bytes(content)
    assert surroundings_of(variables).payload == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_REPOSITORY", "example"),
        ("GITHUB_REPOSITORY", "example/a b"),
        ("GITHUB_REPOSITORY", "../x/y"),
        ("GITHUB_API_URL", "file:///etc/passwd"),
        ("GITHUB_API_URL", "https://"),
        ("GITHUB_SERVER_URL", "https://git.example.com/\nx"),
        ("GITHUB_EVENT_PATH", "/does/not/exist.json"),
    ],
)
def test_what_no_runner_would_say_is_refused(tmp_path: Path, name: str, value: str) -> None:
    assert faults(environment(tmp_path, **{name: value}))


def test_inputs_that_are_not_given_leave_the_configuration_as_it_is() -> None:
    empty = {f"INPUT_{name}": "" for name in ("CONFIG", "FAIL-ON", "COMMENT", "REVIEWERS", "INLINE-COMMENTS")}
    assert inputs_of(empty) == inputs_of({}) == Inputs()
    assert applied(Inputs(), Settings()) == Settings()


def test_every_input_is_read() -> None:
    found = inputs_of(
        {
            "INPUT_TOKEN": " t ",
            "INPUT_CONFIG": "./deploy/review.yaml",
            "INPUT_FAIL-ON": "Warning",
            "INPUT_COMMENT": "FALSE",
            "INPUT_ANNOTATIONS": "true",
            "INPUT_INLINE-COMMENTS": "10",
            "INPUT_REVIEWERS": "@kim, robin\nexample/deployers",
            "INPUT_DEPLOY": "docker compose up -d",
            "INPUT_PULL-REQUEST": "12",
        }
    )
    assert found == Inputs(
        token="t",
        config="deploy/review.yaml",
        fail_on=FailOn.WARNING,
        comment=False,
        annotations=True,
        inline_comments=10,
        reviewers=("kim", "robin"),
        teams=("deployers",),
        deploy="docker compose up -d",
        pull_request="12",
    )
    changed = applied(found, Settings())
    assert (changed.deploy, changed.review.fail_on) == ("docker compose up -d", FailOn.WARNING)
    assert (changed.review.comment, changed.review.inline_comments) == (False, 10)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONFIG", "/etc/passwd"),
        ("CONFIG", "../other.yaml"),
        ("CONFIG", "-c"),
        ("CONFIG", "a\nb"),
        ("FAIL-ON", "sometimes"),
        ("COMMENT", "yes"),
        ("ANNOTATIONS", "1"),
        ("INLINE-COMMENTS", "many"),
        ("INLINE-COMMENTS", "-1"),
        ("INLINE-COMMENTS", "51"),
        ("WAIT-SECONDS", "99999"),
        ("REVIEWERS", "kim;robin"),
        ("REVIEWERS", "$(id)"),
        ("DEPLOY", "docker compose up\nrm -rf /"),
        ("DEPLOY", "docker\u202ecompose"),
        ("TOKEN", "a\nb"),
    ],
)
def test_an_input_that_cannot_be_used_is_named_with_what_it_may_be(name: str, value: str) -> None:
    with pytest.raises(InputError, match=f"input `{name.lower()}` must") as caught:
        inputs_of({f"INPUT_{name}": value})
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)


def test_all_wrong_inputs_are_said_at_once() -> None:
    with pytest.raises(InputError) as caught:
        inputs_of({"INPUT_FAIL-ON": "x", "INPUT_COMMENT": "y", "INPUT_INLINE-COMMENTS": "z"})
    assert len(str(caught.value).split("\n")) == 3


def test_a_token_is_not_shown_when_it_is_wrong() -> None:
    with pytest.raises(InputError) as caught:
        inputs_of({"INPUT_TOKEN": "ghs_secret\nx"})
    assert "secret" not in str(caught.value)
