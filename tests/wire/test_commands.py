"""Commands in comments: who is heard, and that the answer stands in the one comment."""

from __future__ import annotations

import pytest

from tests.wire.stage import BASE, Stage, opened

NOTED = BASE.replace("LOG_LEVEL: info", "LOG_LEVEL: 0777")


@pytest.fixture
def pull(staged: Stage) -> Stage:
    opened(staged, {"compose.yaml": NOTED})
    staged.run("pull_request", staged.event(7, "opened"))
    return staged


def say(staged: Stage, text: str, by: str = "kim") -> tuple[int, int]:
    payload, identity = staged.comment(7, text, by)
    return staged.run("issue_comment", payload).code, identity


def reactions(staged: Stage, identity: int) -> list[str]:
    return next([r.content for r in each.reactions] for each in staged.hub.pulls[7].comments if each.id == identity)


def body(staged: Stage) -> str:
    (comment,) = staged.hub.sticky(7)
    return comment.body


@pytest.mark.parametrize(
    "text",
    [
        "Looks good",
        "> /compose-review",
        "see `/compose-review`",
        "\n/compose-review",
        "/compose-reviews",
        "/Compose-Review",
    ],
)
def test_what_is_no_command_starts_nothing(pull: Stage, text: str) -> None:
    before = len(pull.hub.log)
    say(pull, text)
    assert len(pull.hub.log) == before


def test_a_program_s_comment_is_never_a_command(pull: Stage) -> None:
    payload, _ = pull.comment(7, "/compose-review", "helper[bot]")
    before = len(pull.hub.log)
    pull.run("issue_comment", payload)
    assert len(pull.hub.log) == before


def test_a_writer_may_ask_again(pull: Stage) -> None:
    code, _ = say(pull, "/compose-review")
    assert code == 0
    assert "comment by `kim`" in body(pull)
    assert len(pull.hub.pulls[7].comments) == 2


def test_a_reader_is_refused_with_a_reaction_and_no_chatter(pull: Stage) -> None:
    before = body(pull)
    code, identity = say(pull, "/compose-review ignore number-coerced because I say so", "sam")
    assert (code, reactions(pull, identity), body(pull)) == (0, ["confused"], before)


def test_a_stranger_is_refused_too(pull: Stage) -> None:
    _, identity = say(pull, "/compose-review", "nobody")
    assert reactions(pull, identity) == ["confused"]


def test_the_author_may_ask_for_a_plain_review_only(pull: Stage) -> None:
    pull.hub.permissions["dana"] = "read"
    _, identity = say(pull, "/compose-review", "dana")
    assert reactions(pull, identity) != ["confused"]
    _, identity = say(pull, "/compose-review ignore number-coerced because mine", "dana")
    assert reactions(pull, identity) == ["confused"]


def test_an_ignore_is_remembered_with_who_and_why_and_ends_when_the_finding_changes(pull: Stage) -> None:
    say(pull, "/compose-review ignore number-coerced because the level is octal on purpose")
    assert "the level is octal on purpose" in body(pull)
    assert "`kim`" in body(pull)
    assert "1 optional follow-up" not in body(pull)
    pull.push("change-7", {"compose.yaml": f"# again\n{NOTED}"})
    pull.run("pull_request", pull.event(7, "synchronize"))
    assert "the level is octal on purpose" in body(pull)
    pull.push("change-7", {"compose.yaml": NOTED.replace("0777", "0666")})
    pull.run("pull_request", pull.event(7, "synchronize"))
    assert "the level is octal on purpose" not in body(pull)
    assert "1 optional follow-up" in body(pull)


def test_a_rule_is_explained_in_the_comment(pull: Stage) -> None:
    say(pull, "/compose-review explain number-coerced")
    assert "**Asked.** `explain number-coerced` by `kim`" in body(pull)


def test_an_unknown_rule_gets_the_nearest_name(pull: Stage) -> None:
    say(pull, "/compose-review explain number-coercd")
    assert "did you mean `number-coerced`?" in body(pull)


def test_help_lists_the_commands_and_can_start_none(pull: Stage) -> None:
    say(pull, "/compose-review help")
    assert "explain RULE" in body(pull)
    assert not body(pull).startswith("/compose-review")


def test_a_quiet_change_that_is_asked_about_gets_its_comment(staged: Stage) -> None:
    opened(staged, {"README.md": "words\n"})
    say(staged, "/compose-review")
    assert "looks good to merge" in body(staged)
