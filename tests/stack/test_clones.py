"""What a clone can tell: all of it, a part of it, or that it cannot; and never a wrong answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.ancestry import CloneAncestry
from bot.local.repository import Repository
from bot.model.review import Needs, Stack
from bot.stack.read import stack_of
from tests.stack.lab import Lab, run
from tests.stack.shapes import stacked


def told(lab: Lab, clone: Path) -> Stack:
    return stack_of(lab.pull(2), CloneAncestry(Repository(clone)))


def squashed(lab: Lab) -> Stack:
    stacked(lab)
    lab.merge(1, "squash")
    return lab.stack(2)


def test_a_whole_clone_and_one_without_contents_say_the_same(lab: Lab) -> None:
    right = squashed(lab)
    lab.git("config", "uploadpack.allowFilter", "true")
    assert told(lab, lab.clone()) == right
    partial = told(lab, lab.clone("--filter=blob:none", "--no-checkout", name="partial"))
    assert partial == right


def test_a_clone_without_contents_does_not_guess_whether_two_merge(lab: Lab) -> None:
    squashed(lab)
    lab.git("config", "uploadpack.allowFilter", "true")
    ancestry = CloneAncestry(Repository(lab.clone("--filter=blob:none", "--no-checkout")))
    lab.commit("main", {"b1.yaml": "b: other\n"}, "m1")
    assert ancestry.merges_cleanly(lab.ref(1).head_sha, lab.sha("b")) in (None, True)
    run(lab.author, "git", "fetch", "-q")
    assert ancestry.merges_cleanly(lab.sha("main"), lab.sha("b")) is not True


def test_a_shallow_clone_answers_nothing(lab: Lab) -> None:
    squashed(lab)
    shallow = lab.clone("--depth", "1", "--no-single-branch")
    stack = told(lab, shallow)
    assert stack.parent is not None
    assert (stack.parent.needs, stack.blocks) == (Needs.RETARGET, True)
    assert "could not be told" in stack.parent.say
    assert "git fetch --unshallow origin" in stack.parent.say
    assert "git rebase" not in "\n".join(stack.parent.commands)
    run(shallow, "git", "fetch", "-q", "--unshallow")
    run(shallow, "git", "fetch", "-q", "origin", "refs/pull/1/head")
    assert told(lab, shallow) == lab.stack(2)


def test_a_clone_without_the_parents_last_commits_answers_nothing(lab: Lab) -> None:
    """Its branch is gone, so a fresh clone lacks what was added after the child was made."""
    stacked(lab)
    lab.commit("a", {"a3.yaml": "a: 3\n"}, "a3")
    lab.merge(1, "squash")
    lab.delete("a")
    clone = lab.clone()
    stack = told(lab, clone)
    assert stack.parent is not None
    assert "could not be told" in stack.parent.say
    run(clone, "git", "fetch", "-q", "origin", "refs/pull/1/head")
    found = told(lab, clone).parent
    assert found is not None
    assert found.needs is Needs.REBASE_AND_RETARGET


@pytest.mark.parametrize("subjects", [("a1", "b1", "a2"), ("change",) * 3])
def test_commits_of_one_second_are_not_taken_for_copies(lab: Lab, subjects: tuple[str, str, str]) -> None:
    """A script commits twice a second: the time alone is no proof that one is the other amended."""
    lab.commit("a", {"a1.yaml": "a: 1\n"}, subjects[0], on="main", at=1_700_000_000)
    lab.open(1, "a")
    own = lab.commit("b", {"b1.yaml": "b: 1\n"}, subjects[1], on="a", at=1_700_000_000)
    lab.open(2, "b", "a")
    lab.commit("a", {"a2.yaml": "a: 2\n"}, subjects[2], at=1_700_000_000)
    lab.merge(1, "squash")
    stack = lab.stack(2)
    assert stack.parent is not None
    assert own[:7] in stack.parent.say
    assert stack.parent.needs is Needs.REBASE_AND_RETARGET


def test_an_amended_commit_is_known_also_where_all_is_of_one_second(lab: Lab) -> None:
    lab.knows_pushes = False
    at = lab.date("main")
    lab.commit("a", {"a1.yaml": "a: 1\n"}, "change", on="main", at=at)
    lab.open(1, "a")
    own = lab.commit("b", {"b1.yaml": "b: 1\n"}, "change", on="a", at=at)
    lab.open(2, "b", "a")
    lab.commit("a", {"a1.yaml": "a: 2\n"}, "change", on="main", at=at)
    lab.merge(1, "squash")
    stack = lab.stack(2)
    assert stack.parent is not None
    assert f"Its own commit is `{own[:7]}" in stack.parent.say


def test_an_amended_commit_with_another_subject_is_known_by_its_time(lab: Lab) -> None:
    lab.knows_pushes = False
    one = lab.commit("a", {"a1.yaml": "a: 1\n"}, "a1", on="main")
    lab.open(1, "a")
    lab.commit("b", {"b1.yaml": "b: 1\n"}, "b1", on="a")
    lab.open(2, "b", "a")
    lab.commit("a", {"a1.yaml": "a: 2\n"}, "a1, in better words", on="main", at=lab.date(one))
    found = lab.stack(2).parent
    assert found is not None
    assert one in "\n".join(found.commands)
