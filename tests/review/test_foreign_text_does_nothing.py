"""Whatever others write, the pages stay ours: held against GitHub's own Markdown parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.review.comment.page import markdown, step_summary
from bot.review.github import annotate
from bot.review.status import status_line
from bot.review.terminal import terminal
from tests.review.markup import assert_inert, assert_whole
from tests.review.stories import EVIL, STORIES, everywhere

PIECES = (
    *(
        "`",
        "``",
        "```",
        "~~~",
        "|",
        "\\",
        "<",
        ">",
        "&",
        "*",
        "_",
        "[",
        "]",
        "(",
        ")",
        "!",
        "#",
        "@",
        "$",
        ":",
        "-",
        "+",
        "=",
    ),
    *("\n", "\r\n", " ", "    ", "\t", "\u2028", "\x1b[31m", "\u202e", "\u200b", "\ud800", "\x00", "🚀", "é"),
    *("<!-- compose-review:sticky v1 pr=12 -->", "<!--", "-->", "</details>", "<details>", "<script>", "<img src=x>"),
    *("@acme/oncall", "#1", "GH-7", "acme/x#9", "fixes #3", "https://a.example/x", "www.a.example", "a@b.example"),
    *(
        "[x](y)",
        "![x](y)",
        "[x]: y",
        "[^1]",
        "1. ",
        "- ",
        "# ",
        "> ",
        "---",
        "===",
        ":-",
        "|-|",
        ":tada:",
        "$x$",
        "&#64;x",
    ),
    *("::error::boom", "##[error]boom", "::stop-commands::x", "5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2", "word"),
)
COMMAND = re.compile(r"\s*::[A-Za-z][\w-]*(?: .*)?::")  # as actions/runner reads it
FOREIGN = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=14).map("".join)


@pytest.mark.parametrize("story", STORIES)
def test_every_story_is_whole_and_inert(story: str) -> None:
    review = STORIES[story]()
    page = markdown(review)
    assert_inert(page, review.stack.numbers)
    if review.number:
        assert_whole(page, review.number)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FOREIGN)
@example(EVIL)
@example("`")
@example("a`")
@example("\\`")
@example("`a``b`")
@example("- x\n---")
@example(":-")
@example("")
@example(" ")
@example("@")
@example("`@a`@b")
@example("x" * 5_000)
@example("`" * 3_000)
@example("@a " * 3_000)
def test_no_text_breaks_the_comment(text: str) -> None:
    review = everywhere(text)
    page = markdown(review)
    assert_whole(page)
    assert_inert(page)
    assert_inert(step_summary(review))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FOREIGN)
@example(EVIL)
def test_no_text_controls_a_terminal_or_a_runner(text: str) -> None:
    review = everywhere(text)
    for page in (terminal(review), annotate(review)):
        assert all(letter.isprintable() or letter == "\n" for letter in page)
        assert "##[" not in page
    for line in terminal(review).split("\n"):
        assert not COMMAND.match(line)
    for line in annotate(review).split("\n"):
        assert not line.startswith("::") or re.match("::(?:error|warning|notice)(?: file=|::)", line)
    assert len(status_line(review)) <= 140
    assert status_line(review).isprintable()
