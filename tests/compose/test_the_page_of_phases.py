"""docs/loader.md and the modules of the loader name the same phases with the same numbers."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def in_code() -> dict[int, str]:
    """From first lines such as `Phase 4, include: …`; one module may do two in one walk."""
    found: dict[int, str] = {}
    for path in sorted((ROOT / "bot/compose").rglob("*.py")):
        words = (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")[0]
        if match := re.match(r"Phase (\d+), (\w+):", words):
            number, name = int(match[1]), match[2]
            assert found.setdefault(number, name) == name, path
    return found


def on_the_page() -> dict[int, str]:
    text = (ROOT / "docs/loader.md").read_text()
    return {int(number): name.lower() for number, name in re.findall(r"^## (\d+)\. (\w+)$", text, re.MULTILINE)}


def test_page_and_code_have_the_same_phases() -> None:
    page = on_the_page()
    assert in_code() == {number: name for number, name in page.items() if number != 2}
    assert page[2] == "parse"  # bot/document, and the walk of bot/compose/raw.py
    assert (ROOT / "bot/compose/raw.py").read_text().startswith('"""Phases 2 and 3')


def test_they_are_numbered_without_a_gap_and_in_their_order() -> None:
    assert list(on_the_page()) == list(range(1, len(on_the_page()) + 1))
    assert len(on_the_page()) >= 9
