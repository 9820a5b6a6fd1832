"""The first line of a comment: prose starts nothing, a command says exactly what it says."""

from __future__ import annotations

import pytest

from bot.intake.commands import MAX_LINE, command_of
from bot.model.request import Command, Verb


@pytest.mark.parametrize(
    "body",
    [
        "",
        "\n/compose-review",
        " /compose-review",
        "> /compose-review",
        "`/compose-review`",
        "/compose-reviews",
        "/compose-review-bot",
        "/Compose-Review",
        "Please run /compose-review",
        "@bot /compose-review",
        "/compose-review" + " x" * MAX_LINE,
    ],
)
def test_prose_is_no_command(body: str) -> None:
    assert command_of(body) is None


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("/compose-review", Command(Verb.REVIEW)),
        ("/compose-review  \t", Command(Verb.REVIEW)),
        ("/compose-review\r\nthanks!", Command(Verb.REVIEW)),
        ("/compose-review help", Command(Verb.HELP)),
        ("/compose-review explain port-clash", Command(Verb.EXPLAIN, rule="port-clash")),
        (
            "/compose-review ignore port-clash because both are never up",
            Command(Verb.IGNORE, rule="port-clash", because="both are never up"),
        ),
        (
            "/compose-review ignore docs-drift `docs/a file.md` because it is archived",
            Command(Verb.IGNORE, rule="docs-drift", path="docs/a file.md", because="it is archived"),
        ),
    ],
)
def test_commands(body: str, command: Command) -> None:
    assert command_of(body) == command


@pytest.mark.parametrize(
    "rest",
    [
        "please",
        "explain",
        "explain ../x",
        "ignore port-clash",
        "ignore because x",
        "ignore port-clash because ",
        "help me",
    ],
)
def test_what_is_addressed_to_us_and_not_understood_is_answered(rest: str) -> None:
    assert command_of(f"/compose-review {rest}") == Command(Verb.UNKNOWN)
