"""While the parent is open, queued or closed, and where there is none: every other row of the table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.pull import PullState, Repository
from bot.model.review import Needs
from tests.stack.lab import Lab
from tests.stack.shapes import clean, reshape, stacked


@pytest.mark.parametrize("shape", ["amended", "rebased", "pushed-by-force"])
def test_a_parent_pushed_by_force(lab: Lab, shape: str) -> None:
    stacked(lab)
    reshape(lab, shape)
    lab.clone(branches=("b",))
    stack = lab.stack(2)
    assert stack.parent is not None
    assert (stack.parent.needs, stack.blocks) == (Needs.REBASE, False)
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab)
    after = lab.stack(2).parent
    assert after is not None
    assert (after.needs, after.commands) == (Needs.NOTHING_YET, ())


def test_a_rewritten_parent_and_a_child_with_the_trunk_merged_in(lab: Lab) -> None:
    """A rebase would replay the trunk's commits in silence."""
    stacked(lab)
    lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
    lab.merged_in("b", "main")
    reshape(lab, "amended")
    lab.clone(branches=("b",))
    told = lab.stack(2).parent
    assert told is not None
    assert lab.paste(told.commands).returncode == 0
    assert clean(lab)


def test_a_parent_that_only_grew(lab: Lab) -> None:
    stacked(lab)
    reshape(lab, "grown")
    lab.clone(branches=("b",))
    stack = lab.stack(2)
    assert stack.parent is not None
    assert "1 new commit" in stack.parent.say
    assert (stack.parent.needs, stack.blocks) == (Needs.NOTHING_YET, False)
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab)


def test_a_parent_that_grew_into_a_conflict(lab: Lab) -> None:
    stacked(lab)
    lab.commit("b", {"shared.yaml": "x: b\n"}, "b3")
    lab.commit("a", {"shared.yaml": "x: a\n"}, "a3")
    told = lab.stack(2).parent
    assert told is not None
    assert "do not merge as they are" in told.say


def test_a_parent_that_merged_the_trunk_in_has_nothing_new(lab: Lab) -> None:
    stacked(lab)
    lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
    lab.merged_in("a", "main")
    told = lab.stack(2).parent
    assert told is not None
    assert "merge that one first" in told.say


def test_a_parent_in_the_queue_is_waited_for(lab: Lab) -> None:
    stacked(lab)
    reshape(lab, "amended")
    lab.pulls[1] = replace(lab.pulls[1], queued=True)
    told = lab.stack(2).parent
    assert told is not None
    assert "merge queue" in told.say
    assert told.commands == ()


@pytest.mark.parametrize("shape", ["untouched", "grown", "amended"])
def test_armed_auto_merge_blocks_whatever_else_is_true(lab: Lab, shape: str) -> None:
    stacked(lab)
    reshape(lab, shape)
    lab.pulls[2] = replace(lab.pulls[2], auto_merge=True)
    stack = lab.stack(2)
    assert stack.blocks
    assert stack.parent is not None
    assert stack.parent.commands[0] == "gh pr merge 2 --disable-auto"
    assert "Auto-merge is armed" in stack.parent.say
    lab.pulls[2] = replace(lab.pulls[2], auto_merge=False)
    assert not lab.stack(2).blocks


def test_auto_merge_into_a_trunk_is_what_it_is_for(lab: Lab) -> None:
    stacked(lab)
    lab.pulls[1] = replace(lab.pulls[1], auto_merge=True)
    assert not lab.stack(1).blocks


def test_a_parent_closed_without_a_merge(lab: Lab) -> None:
    stacked(lab)
    lab.close(1)
    lab.clone(branches=("b",))
    stack = lab.stack(2)
    assert stack.parent is not None
    assert (stack.parent.needs, stack.blocks) == (Needs.REBASE_AND_RETARGET, False)
    assert "2 commits over" in stack.parent.say
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab)


def test_a_base_that_is_gone_and_one_without_a_pull_request(lab: Lab) -> None:
    stacked(lab)
    del lab.pulls[1]
    alive = lab.stack(2)
    assert ("has no open pull request" in alive.say, alive.blocks) == (True, False)
    lab.delete("a")
    gone = lab.stack(2)
    assert ("is gone" in gone.say, gone.blocks) == (True, True)
    assert "gh pr edit 2 --base main" in gone.say


def test_commits_of_an_open_one_are_told_apart(lab: Lab) -> None:
    """An implicit stack, from both sides, and from a fork."""
    stacked(lab)
    lab.retarget(2, "main")
    lab.former.clear()
    stack = lab.stack(2)
    assert stack.parent is not None
    assert (stack.parent.number, stack.parent.commands) == (1, ("gh pr edit 2 --base a",))
    assert "contains 2 commits of #1; the last 2 commits are its own" in stack.parent.say
    assert lab.stack(1).parent is None
    lab.pulls[1] = replace(lab.pulls[1], head_repository="mallory/deployments")
    stack = lab.stack(2)
    assert stack.parent is not None
    assert stack.parent.commands == ()
    assert "fork" in stack.parent.say


def test_of_two_that_share_a_beginning_the_older_is_the_parent(lab: Lab) -> None:
    stacked(lab)
    lab.retarget(2, "main")
    lab.former.clear()
    reshape(lab, "grown")
    told = lab.stack(2).parent
    assert told is not None
    assert told.number == 1
    assert lab.stack(1).parent is None


def test_a_branch_name_that_is_used_again_is_no_merged_parent(lab: Lab) -> None:
    for method in ("squash", "merge"):
        lab.commit("a", {f"{method}.yaml": "a: 1\n"}, "old", on="main")
        lab.open(1, "a")
        lab.merge(1, method)
        lab.commit("a", {f"{method}-new.yaml": "a: 1\n"}, "new life", on="main")
        lab.commit("b", {"b1.yaml": "b: 1\n"}, "b1", on="a")
        lab.open(2, "b", "a")
        stack = lab.stack(2)
        assert (stack.parent, stack.blocks) == (None, False), method
        assert "has no open pull request" in stack.say
        lab.open(3, "a")
        told = lab.stack(2).parent
        assert told is not None
        assert told.number == 3
        lab.pulls.clear()


def test_a_dead_branch_that_took_a_sibling_in_is_still_dead(lab: Lab) -> None:
    stacked(lab)
    lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="a")
    lab.open(3, "c", "a")
    lab.merge(1, "squash")
    lab.merge(3, "merge")
    assert lab.stack(2).blocks


def test_the_same_branch_name_in_a_fork_is_neither_parent_nor_has_children(lab: Lab) -> None:
    stacked(lab)
    lab.pulls[1] = replace(lab.pulls[1], head_repository="mallory/deployments")
    assert lab.stack(2).parent is None
    assert lab.stack(1).children == ()


@pytest.mark.parametrize("home", [Repository(), Repository(trunks=("env-*",)), Repository(default_branch="a")])
def test_a_promotion_of_a_long_lived_branch_has_no_children(lab: Lab, home: Repository) -> None:
    name = {("env-*",): "env-two"}.get(home.trunks, "a" if home.default_branch == "a" else "staging")
    lab.settings = home
    lab.commit(name, {"s.yaml": "s: 1\n"}, "s1", on="main")
    lab.open(1, name, "main")
    lab.commit("b", {"b1.yaml": "b: 1\n"}, "b1", on=name)
    lab.open(2, "b", name)
    assert lab.stack(1).children == ()
    assert (lab.stack(2).parent, lab.stack(2).say) == (None, "")


def test_more_than_eight_children_are_one_line(lab: Lab) -> None:
    stacked(lab)
    for number in range(3, 12):
        lab.git("update-ref", f"refs/heads/c{number}", lab.sha("b"))
        lab.open(number, f"c{number}", "a")
    stack = lab.stack(1)
    assert stack.children == ()
    assert "10 pull requests target `a`" in stack.say


def test_a_stack_that_github_keeps_is_left_alone(lab: Lab) -> None:
    stacked(lab)
    lab.merge(1, "squash")
    stack = lab.stack(2, native_stack=True)
    assert (stack.blocks, stack.children) == (False, ())
    assert "gh pr edit" not in str(stack)


def test_github_may_list_what_git_knows_to_be_in_the_base(lab: Lab) -> None:
    stacked(lab)
    assert lab.stack(2, oldest=lab.sha("b~1")).parent == lab.stack(2).parent
    told = lab.stack(2, oldest=lab.sha("a~1")).parent
    assert told is not None
    assert told.commands == ("gh pr edit 2 --base main && gh pr edit 2 --base a",)
    lab.pulls[2] = replace(lab.pulls[2], auto_merge=True)
    armed = lab.stack(2, oldest=lab.sha("a~1")).parent
    assert armed is not None
    assert armed.commands == ("gh pr merge 2 --disable-auto",)


def test_a_lone_pull_request_says_nothing(lab: Lab) -> None:
    lab.commit("a", {"a1.yaml": "a: 1\n"}, "a1", on="main")
    lab.open(1, "a")
    stack = lab.stack(1)
    assert (stack.parent, stack.children, stack.say, stack.picture) == (None, (), "", "")


def test_an_order_that_only_the_text_knows(lab: Lab) -> None:
    stacked(lab)
    stack = lab.stack(1, body="Deploy this after #9. Merge after #2, please.")
    assert "comes after #9, #2" in stack.say
    lab.pulls[1] = replace(lab.pulls[1], state=PullState.CLOSED)
    assert "comes after" not in lab.stack(1, body="Merge after #9").say
