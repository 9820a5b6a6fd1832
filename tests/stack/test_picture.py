"""The drawing of a stack of three or more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.pull import Pull, PullRef, PullState
from bot.review.comment.page import markdown
from bot.stack.ancestry import NoAncestry
from bot.stack.read import stack_of
from tests.review.factory import review
from tests.stack.lab import Lab
from tests.stack.shapes import stacked


def test_two_are_no_picture_and_three_are(lab: Lab) -> None:
    stacked(lab)
    assert lab.stack(1).picture == ""
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="b")
    lab.open(3, "c", "b")
    for number in (1, 2, 3):
        rows = lab.stack(number).picture.split("\n")
        assert rows[0] == "graph BT"
        assert {"  p1 --> t", "  p2 --> p1", "  p3 --> p2"} <= set(rows)
        assert f"  class p{number} here" in rows


def test_what_is_merged_looks_so(lab: Lab) -> None:
    stacked(lab)
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="b")
    lab.open(3, "c", "b")
    lab.merge(1, "squash")
    assert '  p1(["#1 merged"])' in lab.stack(2).picture


def test_foreign_names_are_never_in_it() -> None:
    evil = 'x"]; click p1 "javascript:alert(1)"\n```\n<script>'
    refs = [PullRef(number, evil, PullState.OPEN, evil, "evil-a", f"{evil}{number}") for number in (2, 3)]
    pull = Pull(number=1, title=evil, base_ref="main", head_ref="evil-a", children=tuple(refs))
    drawn = stack_of(pull, NoAncestry()).picture
    assert drawn.count("-->") == 3
    assert not set("`<;") & set(drawn)
    assert "click" not in drawn


@pytest.mark.parametrize("count", [0, 1, 21])
def test_too_few_too_many_or_without_a_number(count: int) -> None:
    refs = tuple(PullRef(number + 2, "", PullState.OPEN, "", "a", f"b{number}") for number in range(count))
    pull = Pull(number=1, base_ref="main", head_ref="a", children=refs)
    assert stack_of(pull, NoAncestry()).picture == ""
    local = replace(pull, number=None, children=tuple(replace(each, number=0) for each in refs))
    assert stack_of(local, NoAncestry()).picture == ""


def test_it_stands_in_the_comment_as_a_drawing(lab: Lab) -> None:
    stacked(lab)
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="a")
    lab.open(3, "c", "a")
    assert "```mermaid\ngraph BT\n" in markdown(review(stack=lab.stack(1)))
