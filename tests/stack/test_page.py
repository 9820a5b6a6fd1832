"""The page about stacks and the table in code say the same."""

from __future__ import annotations

import re
from pathlib import Path

from bot.action.remind import MAX_REVIEWS, MAX_SWEPT
from bot.forge.ancestry import MAX_CALLS
from bot.stack.names import TRUNKS
from bot.stack.table import ROWS, Severity

PAGE = (Path(__file__).parents[2] / "docs" / "stacks.md").read_text()
LISTED = re.findall(r"^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$", PAGE, re.MULTILINE)


def test_every_row_is_on_the_page_in_order() -> None:
    assert [name for name, _ in LISTED] == [row.name for row in ROWS]
    assert len(ROWS) == len({row.name for row in ROWS})


def test_severities_are_those_of_the_code() -> None:
    for (name, told), row in zip(LISTED, ROWS, strict=True):
        words = {Severity[word.upper()] for word in told.split(" or ")}
        assert (len(words) > 1) == callable(row.severity), name
        assert callable(row.severity) or words == {row.severity}, name


def test_numbers_and_names_are_those_of_the_code() -> None:
    assert f"at most {MAX_CALLS} times" in PAGE.replace("\n", " ")
    assert f"looks at {MAX_SWEPT} pull requests and reviews {MAX_REVIEWS}" in PAGE.replace("\n  ", " ")
    (part,) = re.findall(r"^## Trunks\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`([^`]+)`", part)) == {*TRUNKS, "trunks"}
