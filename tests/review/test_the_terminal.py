"""The page for a terminal: 80 columns, and not one control code unless colour is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from bot.review.terminal import terminal
from tests.review.stories import (
    STORIES,
    a_stack_that_must_be_put_right_fails,
    twins_are_one_item,
    what_blocks_comes_first,
)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("width", [80, 50])
def test_lines_fit_and_hold_text_only(story: str, width: int) -> None:
    page = terminal(STORIES[story](), width)
    assert "\x1b" not in page
    commands = {
        line
        for entry in [STORIES[story]().stack]
        for each in (entry.parent, *entry.children)
        if each
        for line in each.commands
    }
    for line in page.split("\n"):
        assert line == line.rstrip()
        assert (
            cell_len(line) <= width
            or line.strip() in {command.strip() for command in commands}
            or story.startswith("foreign")
        )


def test_colour_is_there_when_asked_for() -> None:
    page = terminal(what_blocks_comes_first(), colour=True)
    assert "\x1b[1;31m" in page
    assert "`engine-r1`" not in page, "colour takes the place of backticks"


def test_commands_are_not_wrapped() -> None:
    page = terminal(a_stack_that_must_be_put_right_fails(), 60)
    assert "\n        && git rebase --onto origin/main 5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2 prefetch-int4\n" in page


def test_every_finding_has_its_place_and_step() -> None:
    page = terminal(twins_are_one_item())
    assert "\n    at `prod/meadow-2-mini-sgl-tp4.yaml:171`\n" in page
    assert "→ Narrow the wording, or add the download there." in page


def test_only_the_page_that_is_made_costs_its_library() -> None:
    code = (
        "import sys\n"
        "import bot.review.build, bot.rounds.advance, bot.review.as_json, bot.review.sarif, bot.review.github, bot.review.status\n"
        "import bot.review.comment.page\n"
        "print(sorted({'rich', 'jinja2'} & set(sys.modules)))\n"
        "import bot.review.terminal\n"
        "print(sorted({'rich', 'jinja2'} & set(sys.modules)))\n"
    )
    root = Path(__file__).parents[2]
    out = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
    assert out.split("\n")[:2] == ["[]", "['rich']"]
