"""What people do with printed commands: other shells, dirty trees, old branches, strange names, and no way back."""

from __future__ import annotations

import shutil

import pytest
from msgspec.structs import replace

from bot.model.review import Needs
from bot.stack.read import stack_of
from tests.stack.lab import Lab, run
from tests.stack.shapes import clean, stacked

HOSTILE = ["-rf", "$(touch${IFS}owned)", "a;touch owned", "`touch owned`", "a|b", "a&b", "b'x", "--force", "a..b"]


def squashed(lab: Lab, branches: tuple[str, ...] = ("a", "b")) -> tuple[str, ...]:
    stacked(lab)
    lab.clone(branches=branches)
    lab.merge(1, "squash")
    told = lab.stack(2).parent
    assert told is not None
    return told.commands


@pytest.mark.parametrize("shell", ["bash", "zsh", "sh"])
def test_the_block_is_one_chain_in_every_shell(lab: Lab, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    commands = squashed(lab)
    assert not any("#" in line for line in commands)
    assert all(line.endswith(" \\") for line in commands[:-1])
    assert lab.paste(commands, shell).returncode == 0
    assert clean(lab)


def test_the_base_is_changed_before_anything_is_pushed(lab: Lab) -> None:
    commands = squashed(lab)
    assert commands[0].startswith("gh pr edit 2 --base main")
    assert "push" in commands[-1]


def test_the_lease_names_the_head_in_full_and_the_cut_not_the_parents_head(lab: Lab) -> None:
    stacked(lab)
    old = lab.sha("a")
    lab.commit("a", {"a3.yaml": "a: 3\n"}, "a3")
    head = lab.sha("b")
    lab.merge(1, "squash")
    told = lab.stack(2).parent
    assert told is not None
    text = "\n".join(told.commands)
    assert f"--force-with-lease=b:{head}" in text
    assert f"--onto origin/main {old} b" in text
    assert lab.ref(1).head_sha not in text


def test_a_local_branch_that_went_its_own_way_stops_it(lab: Lab) -> None:
    commands = squashed(lab)
    author = lab.author
    run(author, "git", "switch", "-q", "b")
    run(author, "git", "reset", "-q", "--hard", "HEAD~1")
    run(author, "git", "commit", "-q", "--allow-empty", "-m", "mine")
    mine, theirs = run(author, "git", "rev-parse", "b"), lab.sha("b")
    assert lab.paste(commands).returncode != 0
    assert (run(author, "git", "rev-parse", "b"), lab.sha("b")) == (mine, theirs)
    assert not (author / ".git" / "rebase-merge").exists()


def test_a_commit_that_was_not_pushed_yet_is_kept(lab: Lab) -> None:
    commands = squashed(lab)
    run(lab.author, "git", "switch", "-q", "b")
    (lab.author / "b3.yaml").write_text("b: 3\n")
    run(lab.author, "git", "add", "-A")
    run(lab.author, "git", "commit", "-q", "-m", "b3")
    assert lab.paste(commands).returncode == 0
    assert lab.listed(2) == ["b1", "b2", "b3"]


def test_what_a_colleague_pushed_meanwhile_is_not_overwritten(lab: Lab) -> None:
    commands = squashed(lab)
    theirs = lab.commit("b", {"b9.yaml": "b: 9\n"}, "a colleague's")
    assert lab.paste(commands).returncode != 0
    assert lab.sha("b") == theirs


def test_a_dirty_tree_stops_it_before_anything_is_rewritten(lab: Lab) -> None:
    commands = squashed(lab)
    run(lab.author, "git", "switch", "-q", "b")
    (lab.author / "b1.yaml").write_text("half done\n")
    before = run(lab.author, "git", "rev-parse", "b")
    assert lab.paste(commands).returncode != 0
    assert run(lab.author, "git", "rev-parse", "b") == before
    assert (lab.author / "b1.yaml").read_text() == "half done\n"
    assert lab.pulls[2].base_ref == "main"  # the retarget has happened already


def test_a_clone_of_one_branch_stops_it_as_well(lab: Lab) -> None:
    commands = squashed(lab)
    lab.clone("--single-branch", "--branch", "b")
    before = lab.sha("b")
    assert lab.paste(commands).returncode != 0
    assert lab.sha("b") == before


def test_picking_leaves_the_upstream_alone_and_can_be_undone(lab: Lab) -> None:
    """Otherwise the next plain push would go to the trunk."""
    stacked(lab)
    lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
    lab.merged_in("b", "main")
    lab.clone(branches=("b",))
    lab.merge(1, "squash")
    told = lab.stack(2).parent
    assert told is not None
    assert "git rev-parse b" in told.say
    assert "git reset --hard` to what you noted" in told.say
    assert lab.ref(2).head_sha not in told.say
    assert lab.paste(told.commands).returncode == 0
    assert run(lab.author, "git", "rev-parse", "--abbrev-ref", "b@{upstream}") == "origin/b"


def test_after_a_rebase_that_stopped_the_way_out_works(lab: Lab) -> None:
    stacked(lab)
    lab.commit("b", {"shared.yaml": "x: b\n"}, "b3")
    lab.clone(branches=("b",))
    lab.merge(1, "squash")
    lab.commit("main", {"shared.yaml": "x: m\n"}, "m1")
    told = lab.stack(2).parent
    assert told is not None
    assert "git rebase --abort" in told.say
    before = lab.sha("b")
    assert lab.paste(told.commands).returncode != 0
    run(lab.author, "git", "rebase", "--abort")
    assert (run(lab.author, "git", "rev-parse", "b"), lab.sha("b")) == (before, before)


@pytest.mark.parametrize("whose", ["parent", "child", "base"])
def test_a_name_that_a_shell_would_run_is_in_no_command(lab: Lab, whose: str) -> None:
    """The sentence still comes; the name stands in it as text."""
    stacked(lab)
    lab.clone()
    lab.merge(1, "squash")
    facts, (parent,), tip = lab.pull(2), lab.pull(2).parents, lab.sha("main")
    for name in HOSTILE:
        if whose == "child":
            pull = replace(facts, head_ref=name)
        elif whose == "parent":
            pull = replace(facts, base_ref=name, parents=(replace(parent, head_ref=name),))
        else:
            home = replace(facts.repository, default_branch=name)
            pull = replace(facts, repository=home, parents=(replace(parent, base_ref=name),))
        ancestry = lab.ancestry
        ancestry.tips[name] = tip if whose == "base" else ""
        stack = stack_of(pull, ancestry)
        assert stack.blocks
        assert stack.parent is not None
        assert stack.parent.needs is Needs.REBASE_AND_RETARGET
        words = " ".join(stack.parent.commands).split()
        assert name not in words
        if whose != "parent":
            assert "git" not in words
            assert "not safe to paste" in stack.parent.say
            assert f"git rebase origin/{name}" not in stack.parent.say
        lab.paste(stack.parent.commands)
        assert not (lab.author / "owned").exists()


def test_the_head_of_a_fork_gets_the_step_and_no_push(lab: Lab) -> None:
    stacked(lab)
    lab.merge(1, "squash")
    lab.pulls[2] = replace(lab.ref(2), head_repository="mallory/deployments")
    told = lab.stack(2).parent
    assert told is not None
    assert told.commands == ("gh pr edit 2 --base main",)
    assert "git rebase --onto main" in told.say


@pytest.mark.parametrize(("count", "says"), [(2, "dismiss the 2 approvals"), (1, "dismiss the approval"), (0, "")])
def test_how_many_approvals_a_change_of_the_base_can_cost(lab: Lab, count: int, says: str) -> None:
    stacked(lab)
    lab.merge(1, "merge")
    lab.pulls[2] = replace(lab.pulls[2], approvals=count)
    told = lab.stack(2).parent
    assert told is not None
    assert says in told.say
    assert ("dismiss" in told.say) is bool(says)
