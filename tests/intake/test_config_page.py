"""The configuration's page and its reader say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.intake.config import CONFIG_PATHS, read_settings
from bot.intake.settings_reader import KEYS, LEVELS, MAX_INLINE_COMMENTS
from bot.model.facts import Role
from bot.model.settings import DEPLOY_COMMAND, FailOn, ReviewSettings

PAGE = (Path(__file__).parents[2] / "docs/configuration.md").read_text()
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)


def test_every_key_of_the_top_has_its_part_in_order() -> None:
    assert tuple(SECTIONS) == KEYS[""]


@pytest.mark.parametrize("section", [name for name in KEYS if name])
def test_every_key_of_a_part_has_its_row_in_order(section: str) -> None:
    assert tuple(row[0] for row in ROW.findall(SECTIONS[section])) == KEYS[section]


def test_the_example_is_read_and_shows_every_part_but_contracts() -> None:
    example = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(example) == 1
    rules = ("twin-left-behind", "mutable-image", "docs-drift")
    found = read_settings("page", example[0].encode(), rules, ("pinned-images",))
    assert found.generated
    assert found.exclusions
    assert set(re.findall(r"^(\w+):", example[0], re.MULTILINE)) == set(KEYS[""]) - {"contracts"}


def test_words_and_defaults_are_those_of_the_code() -> None:
    assert all(f"`{level}`" in SECTIONS["rules"] for level in LEVELS)
    assert set(re.findall(r"`([^`]+)`", SECTIONS["roles"])) == {str(role) for role in Role}
    assert all(path.rsplit(".", 1)[1] in PAGE for path in CONFIG_PATHS)
    compose, review = ({row[0]: row[2] for row in ROW.findall(SECTIONS[name])} for name in ("compose", "review"))
    assert compose["deploy"] == f"`{DEPLOY_COMMAND}`"
    default = ReviewSettings()
    for key in ("drafts", "comment", "annotations", "reactions"):
        assert review[key] == str(getattr(default, key)).lower()
    assert review["inline_comments"] == str(default.inline_comments)
    assert review["fail_on"] == f"`{default.fail_on}`"
    values = {row[0]: row[1] for row in ROW.findall(SECTIONS["review"])}
    assert values["inline_comments"] == f"0 to {MAX_INLINE_COMMENTS}"
    assert set(re.findall(r"`(\w+)`", values["fail_on"])) == set(FailOn)
