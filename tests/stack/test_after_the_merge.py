"""Three ways to merge a parent of six shapes: what is printed, pasted as it stands, leaves a clean child."""

from __future__ import annotations

import pytest

from bot.model.review import Needs
from tests.stack.lab import METHODS, Lab
from tests.stack.shapes import SHAPES, clean, reshape, stacked


def suffices(lab: Lab) -> bool:
    """Whether a change of the base alone would do: tried."""
    base = lab.pulls[2].base_ref
    lab.retarget(2, "main")
    found = clean(lab)
    lab.retarget(2, base)
    return found


# Amended and rebased commits keep author and date, which tells them also where no push by force is known.
KNOWN = [(shape, True) for shape in SHAPES] + [("amended", False), ("rebased", False)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("shape", "told"), KNOWN)
def test_the_child_is_clean_after_what_is_printed(lab: Lab, method: str, shape: str, told: bool) -> None:
    lab.knows_pushes = told
    stacked(lab)
    reshape(lab, shape)
    lab.clone(branches=("a", "b"))
    lab.merge(1, method)
    enough = suffices(lab)
    stack = lab.stack(2)
    assert stack.blocks
    assert stack.parent is not None
    assert (stack.parent.number, stack.parent.needs is Needs.RETARGET) == (1, enough)
    ran = lab.paste(stack.parent.commands)
    assert ran.returncode == 0, ran.stderr
    assert lab.pulls[2].base_ref == "main"
    assert clean(lab), (lab.listed(2), lab.files(2))
    after = lab.stack(2)
    assert (after.blocks, after.parent, after.say) == (False, None, "")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_child_that_was_retargeted_already_is_told_to_rebase_if_it_must(lab: Lab, method: str, shape: str) -> None:
    stacked(lab)
    reshape(lab, shape)
    lab.clone(branches=("a", "b"))
    lab.merge(1, method)
    lab.retarget(2, "main")
    fine = clean(lab)
    stack = lab.stack(2)
    if fine:
        assert (stack.parent, stack.blocks, stack.say) == (None, False, "")
        return
    assert stack.parent is not None
    assert stack.parent.needs is Needs.REBASE
    assert "gh pr edit" not in "\n".join(stack.parent.commands)
    assert stack.blocks == lab.mergeable(2)
    ran = lab.paste(stack.parent.commands)
    assert ran.returncode == 0, ran.stderr
    assert clean(lab), (lab.listed(2), lab.files(2))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("content", ["one commit", "cancelling commits", "context changed on the trunk"])
def test_the_content_of_the_parent_decides_nothing(lab: Lab, method: str, content: str) -> None:
    """Cancelling commits: a plain rebase would end well and add both to the pull request again."""
    lab.commit("main", {"file.yaml": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"}, "file")
    lab.commit("a", {"file.yaml": "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n"}, "a1", on="main")
    if content == "cancelling commits":
        lab.commit("a", {"file.yaml": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "a.yaml": "a: 1\n"}, "a2")
    lab.open(1, "a")
    lab.commit("b", {"b1.yaml": "b: 1\n"}, "b1", on="a")
    lab.commit("b", {"b2.yaml": "b: 2\n"}, "b2")
    lab.open(2, "b", "a")
    lab.clone(branches=("a", "b"))
    lab.merge(1, method)
    if content == "context changed on the trunk":
        lab.commit("main", {"file.yaml": "ONE\nTWO\nthree\nfour\nfive\nsix\nseven\n"}, "m1")
    stack = lab.stack(2)
    assert stack.parent is not None
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab), (lab.listed(2), lab.files(2))


def test_what_was_reverted_on_the_trunk_stays_reverted(lab: Lab) -> None:
    """A plain rebase would end well and bring the parent back."""
    stacked(lab)
    lab.clone(branches=("a", "b"))
    lab.merge(1, "squash")
    lab.commit("main", {"a1.yaml": None, "a2.yaml": None, "shared.yaml": None}, "Revert")
    stack = lab.stack(2)
    assert stack.parent is not None
    assert "bring back what was reverted" in stack.parent.say
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab)
    assert lab.text("b", "a1.yaml") == ""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pushed", [True, False], ids=["conflict", "no conflict"])
def test_a_child_with_the_parent_merged_in_keeps_only_its_own(lab: Lab, method: str, pushed: bool) -> None:
    stacked(lab)
    change = {"shared.yaml": "x: 5\n"} if pushed else {"a3.yaml": "a: 3\n"}
    lab.commit("a", change, "a3")
    lab.commit("b", {**change}, "Merge a", merging="a")
    lab.clone(branches=("a", "b"))
    lab.merge(1, method)
    stack = lab.stack(2)
    assert stack.parent is not None
    assert lab.paste(stack.parent.commands).returncode == 0
    assert clean(lab), (lab.listed(2), lab.files(2))


@pytest.mark.parametrize("method", METHODS)
def test_a_child_with_the_trunk_merged_in(lab: Lab, method: str) -> None:
    """After a merge commit there are two merge bases, and a retarget alone would show the parent's files."""
    stacked(lab)
    lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
    lab.merged_in("b", "main")
    lab.clone(branches=("a", "b"))
    lab.merge(1, method)
    assert not suffices(lab)
    stack = lab.stack(2)
    assert stack.parent is not None
    merge = method == "merge"
    assert stack.parent.needs is (Needs.RETARGET_AND_MERGE if merge else Needs.REBASE_AND_RETARGET)
    assert ("cherry-pick" in "\n".join(stack.parent.commands)) is not merge
    ran = lab.paste(stack.parent.commands)
    assert ran.returncode == 0, ran.stderr
    assert clean(lab), (lab.listed(2), lab.files(2))
    assert lab.stack(2).parent is None


@pytest.mark.parametrize("method", METHODS)
def test_a_child_without_commits_of_its_own_is_to_be_closed(lab: Lab, method: str) -> None:
    stacked(lab)
    lab.git("update-ref", "refs/heads/b", lab.sha("a"))
    while_open = lab.stack(2)
    assert while_open.parent is not None
    assert "no commits of its own" in while_open.parent.say
    lab.merge(1, method)
    stack = lab.stack(2)
    assert stack.parent is not None
    assert (stack.parent.needs, stack.parent.commands, stack.blocks) == (Needs.CLOSE, ("gh pr close 2",), False)


def test_a_merge_commit_without_a_retarget_lands_the_parent_twice(lab: Lab) -> None:
    """What the block is there for: merged as it is, the child takes the parent's old commits to the trunk again."""
    stacked(lab)
    lab.merge(1, "squash")
    lab.retarget(2, "main")
    assert lab.stack(2).blocks
    lab.merge(2, "merge")
    subjects = lab.git("log", "--format=%s", "main").splitlines()
    assert "a1" in subjects
    assert "Change 1 (#1)" in subjects
