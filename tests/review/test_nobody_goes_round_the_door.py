"""Templates print only what came through the door, and only the door says what did."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from jinja2 import Environment

import bot.review
from bot.review.engine import NotEscaped, _environment, rendered
from bot.review.escape import Safe, code

ROOM = Path(bot.review.__file__).parent
TEMPLATES = sorted(ROOM.glob("*.jinja"))


def test_the_sweep_finds_templates() -> None:
    assert len(TEMPLATES) > 15


@pytest.mark.parametrize("value", ["text", "", None, True, 1.5, ["a"], b"x"])
def test_a_bare_value_is_refused(value: object) -> None:
    template = _environment().from_string("{{ value }}")
    with pytest.raises(NotEscaped):
        template.render(value=value)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(NotEscaped):
        _environment().from_string("{{ value }}").render()


def test_numbers_and_safe_text_are_printed() -> None:
    assert _environment().from_string("{{ a }} {{ b }}").render(a=3, b=code("x")) == "3 `x`"


def test_jinjas_own_filters_lose_the_mark() -> None:
    with pytest.raises(NotEscaped):
        _environment().from_string("{{ value | upper }}").render(value=code("x"))


def test_a_rendered_part_is_safe() -> None:
    assert isinstance(rendered("fold_end"), Safe)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_marks_nothing_itself(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\|\s*safe|autoescape|import|macro|\braw\b", text)
    Environment().parse(text)
    assert len(text.split("\n")) < 25, "small enough to be read at a glance"


def test_only_the_door_and_the_templates_make_safe_text() -> None:
    makers = set()
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Safe":
                makers.add(path.name)
    assert makers == {"escape.py", "engine.py"}


def test_every_template_is_used() -> None:
    code_text = "\n".join(path.read_text() for path in ROOM.rglob("*.py"))
    for path in TEMPLATES:
        assert f'"{path.stem}"' in code_text, path.name
