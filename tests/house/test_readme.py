"""The README is short and true: its links lead somewhere, its tables and its example are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli import COMMANDS
from bot.intake.commands import command_of
from bot.model.request import Verb
from tests.support.run import compose_review

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


def test_it_is_short() -> None:
    assert README.count("\n") < 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_its_table_of_commands_is_the_command_line() -> None:
    rows = re.findall(r"^\| `([a-z]+)[^|]*\|", README, re.MULTILINE)
    assert sorted(rows) == sorted(COMMANDS)


def test_its_table_of_comments_holds_commands() -> None:
    rows = re.findall(r"^\| `(/compose-review[^`]*)` \|", README, re.MULTILINE)
    assert len(rows) == 4
    for row in rows:
        said = command_of(row.replace("RULE", "port-clash").replace(" [path]", "").replace("…", "of this"))
        assert said is not None
        assert said.verb is not Verb.UNKNOWN, row


def test_its_example_is_what_the_demo_prints() -> None:
    block = README.split("```text\n")[1].split("```")[0]
    printed = compose_review("demo").out
    for line in (line.rstrip("…").strip() for line in block.split("\n")):
        assert line in printed


def test_the_commands_it_names_for_make_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for name in set(re.findall(r"make ([a-z-]+)", README)):
        assert re.search(rf"^{name}:", makefile, re.MULTILINE), name
