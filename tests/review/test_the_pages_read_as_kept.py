"""Each story's pages, compared with the text kept in `cases/`. `UPDATE=1` writes them anew.

In the kept Markdown `…/` stands for the address of the reviewed commit, and the state is shown decoded.
"""

from __future__ import annotations

import base64
import difflib
import os
import re
from pathlib import Path

import pytest

from bot.review.comment.page import markdown
from bot.review.terminal import terminal
from tests.review.stories import STORIES

CASES = Path(__file__).parent / "cases"
PAGES = {"comment.md": markdown, "terminal.txt": terminal}


def readable(page: str) -> str:
    page = re.sub(r"https://github\.com/example/deployments/(?:blob|commit)/[0-9a-f]{40}/?", "…/", page)
    return re.sub(r"(?<=:state v1 )(\S+)", lambda found: base64.b64decode(found[1]).decode(), page)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("story", STORIES)
def test_a_page_reads_as_kept(story: str, name: str) -> None:
    kept = CASES / story / name
    now = readable(PAGES[name](STORIES[story]()))
    if os.environ.get("UPDATE"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(now)
    before = kept.read_text() if kept.exists() else ""
    difference = difflib.unified_diff(before.splitlines(), now.splitlines(), "kept", "now", lineterm="")
    assert now == before, "\n".join(("UPDATE=1 keeps the new text, if it is right:", *difference))


def test_every_kept_case_has_its_story() -> None:
    assert {path.name for path in CASES.iterdir()} == set(STORIES)
    assert all({page.name for page in folder.iterdir()} == set(PAGES) for folder in CASES.iterdir())
