"""Chains of three, two children of one parent, merges from the top down, and branches that ended too early."""

from __future__ import annotations

from itertools import product

import pytest

from bot.model.pull import PullState
from bot.model.review import Needs
from tests.stack.lab import METHODS, Lab
from tests.stack.shapes import clean, stacked


def chain(lab: Lab) -> None:
    """#1 on main, #2 on #1, #3 on #2."""
    stacked(lab)
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="b")
    lab.open(3, "c", "b")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("local", [True, False], ids=["local branches", "fresh clone"])
def test_a_straight_line_moves_in_one_go(lab: Lab, method: str, local: bool) -> None:
    chain(lab)
    lab.commit("d", {"d1.yaml": "d: 1\n"}, "d1", on="c")
    lab.open(4, "d", "c")
    lab.clone(branches=("b", "c", "d") if local else ())
    lab.merge(1, method)
    stack = lab.stack(2)
    assert stack.parent is not None
    commands = stack.parent.commands
    assert ("--update-refs" in "\n".join(commands)) is (method != "merge")
    ran = lab.paste(commands)
    assert ran.returncode == 0, ran.stderr
    assert clean(lab)
    assert clean(lab, 3, ["c1"], ["c1.yaml"])
    assert clean(lab, 4, ["d1"], ["d1.yaml"])
    assert [lab.pulls[number].base_ref for number in (2, 3, 4)] == ["main", "b", "c"]
    assert not any(lab.stack(number).blocks for number in (2, 3, 4))


def test_after_a_rebase_of_the_child_alone_its_own_child_is_told(lab: Lab) -> None:
    """Left alone it lists three people's commits."""
    chain(lab)
    lab.clone(branches=("b", "c"))
    lab.merge(1, "squash")
    fetched = lab.stack(2, line=(), children=()).parent
    assert fetched is not None
    assert lab.paste(fetched.commands).returncode == 0
    assert lab.listed(3) == ["a1", "a2", "b1", "b2", "c1"]
    told = lab.stack(3).parent
    assert told is not None
    assert (told.number, told.needs) == (2, Needs.REBASE)
    assert "the base stays" in told.say.lower()
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab, 3, ["c1"], ["c1.yaml"])
    assert lab.pulls[3].base_ref == "b"


@pytest.mark.parametrize("method", METHODS)
def test_a_chain_merged_from_the_bottom_up(lab: Lab, method: str) -> None:
    chain(lab)
    lab.clone(branches=("b", "c"))
    for number, own, files in ((2, ["b1", "b2"], ["b1.yaml", "b2.yaml"]), (3, ["c1"], ["c1.yaml"])):
        lab.merge(number - 1, method)
        told = lab.stack(number).parent
        assert told is not None
        assert lab.paste(told.commands).returncode == 0
        assert clean(lab, number, own, files), (lab.listed(number), lab.files(number))


def test_a_child_of_two_squashed_parents_that_nobody_moved(lab: Lab) -> None:
    chain(lab)
    lab.clone(branches=("c",))
    lab.merge(1, "squash")
    told = lab.stack(2, line=(), children=()).parent
    assert told is not None
    lab.clone(branches=("b", "c"))
    assert lab.paste(told.commands).returncode == 0
    lab.merge(2, "squash")
    assert lab.listed(3) == ["a1", "a2", "b1", "b2", "c1"] or lab.pulls[3].base_ref == "b"
    stack = lab.stack(3)
    assert stack.parent is not None
    assert stack.parent.needs is Needs.REBASE_AND_RETARGET
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab, 3, ["c1"], ["c1.yaml"])


@pytest.mark.parametrize("method", METHODS)
def test_two_children_of_one_parent_get_a_block_each(lab: Lab, method: str) -> None:
    stacked(lab)
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="a")
    lab.open(3, "c", "a")
    lab.commit("d", {"d1.yaml": "d: 1\n"}, "d1", on="c")
    lab.open(4, "d", "c")
    lab.clone(branches=("b", "c", "d"))
    before = lab.stack(1)
    assert [each.number for each in before.children] == [2, 3]
    assert before.picture.count("-->") == 3
    lab.merge(1, method)
    merged = lab.stack(1)
    assert [each.number for each in merged.children] == [2, 3]
    for number, own, files in ((2, ["b1", "b2"], ["b1.yaml", "b2.yaml"]), (3, ["c1"], ["c1.yaml"])):
        told = lab.stack(number).parent
        assert told is not None
        assert merged.children[number - 2].needs is told.needs
        other = "c" if number == 2 else "b"
        still = lab.sha(other)
        assert lab.paste(told.commands).returncode == 0
        assert lab.sha(other) == still or number == 3
        assert clean(lab, number, own, files)
    assert clean(lab, 4, ["d1"], ["d1.yaml"])
    done = lab.stack(1)
    assert done.children == ()


@pytest.mark.parametrize(
    ("method", "child"),
    [("merge", "merge"), ("merge", "squash"), ("squash", "merge"), ("squash", "rebase"), ("rebase", "squash")],
)
def test_from_the_top_down_nothing_is_lost(lab: Lab, method: str, child: str) -> None:
    """#2 into the open #1, then #1: a third one on #2 goes to #1's branch first, and to main after that."""
    chain(lab)
    lab.clone(branches=("c",))
    lab.merge(2, child)
    into = lab.stack(2)
    assert into.parent is not None
    assert ("reaches `main` with #1" in into.parent.say, into.blocks) == (True, False)
    told = lab.stack(3).parent
    assert told is not None
    assert "--base a" in told.commands[0]
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab, 3, ["c1"], ["c1.yaml"])
    lab.merge(1, method)
    assert not lab.stack(2).blocks
    assert lab.stack(2).parent is not None
    told = lab.stack(3).parent
    assert told is not None
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab, 3, ["c1"], ["c1.yaml"]), lab.listed(3)


@pytest.mark.parametrize(("first", "second"), list(product(METHODS, METHODS)))
def test_a_merge_into_a_branch_that_had_ended_is_landed_again(lab: Lab, first: str, second: str) -> None:
    """It reads "merged", and nothing of it is on the trunk."""
    stacked(lab)
    lab.merge(1, first)
    lab.merge(2, second)
    stack = lab.stack(2)
    assert stack.blocks
    assert stack.parent is not None
    assert stack.parent.needs is Needs.RELAND
    assert "2 commits are not on `main`" in stack.parent.say
    assert [each.needs for each in lab.stack(1).children] == [Needs.RELAND]
    lab.delete("b")
    lab.clone(name="author")
    ran = lab.paste(stack.parent.commands)
    assert ran.returncode == 0, ran.stderr
    assert clean(lab, 3)


def test_a_merge_into_an_ended_branch_with_the_trunk_merged_in(lab: Lab) -> None:
    stacked(lab)
    lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
    lab.merged_in("b", "main")
    lab.clone()
    lab.merge(1, "squash")
    lab.merge(2, "merge")
    told = lab.stack(2).parent
    assert told is not None
    assert "cherry-pick" in "\n".join(told.commands)
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab, 3)


def test_a_child_that_was_closed_with_its_base_is_opened_before_it_is_pushed(lab: Lab) -> None:
    stacked(lab)
    lab.merge(1, "squash")
    lab.close(2)
    lab.delete("a")
    lab.clone(branches=("b",))
    stack = lab.stack(2)
    assert stack.parent is not None
    assert (stack.parent.needs, stack.blocks) == (Needs.REOPEN, False)
    assert "Reopen it before you push" in stack.parent.say
    ran = lab.paste(stack.parent.commands)
    assert ran.returncode == 0, ran.stderr
    assert lab.sha("a") == lab.ref(1).head_sha
    assert lab.ref(2).state is PullState.OPEN
    told = lab.stack(2).parent
    assert told is not None
    assert told.needs is Needs.REBASE
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab)
