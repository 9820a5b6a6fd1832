"""`compose-review stack`, as a user runs it in a clone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.exit import Exit
from tests.stack.lab import Lab, run
from tests.stack.shapes import clean, reshape, stacked
from tests.support.run import compose_review


def facts(lab: Lab, number: int, folder: Path) -> Path:
    """What `gh` and the API say, written to a file."""

    def one(each: int) -> dict[str, object]:
        ref = lab.ref(each)
        return {
            "number": each,
            "state": ref.state.value,
            "merged": bool(ref.merge_sha),
            "merge_commit_sha": ref.merge_sha or None,
            "base": {"ref": ref.base_ref},
            "head": {"ref": ref.head_ref, "sha": ref.head_sha},
        }

    pull = lab.pull(number)
    around = {
        "parents": [one(each.number) for each in pull.parents],
        "children": [one(each.number) for each in pull.children],
    }
    path = folder / "pr.json"
    path.write_text(json.dumps({**one(number), "title": "x", "stack": around}))
    return path


def test_from_facts_and_a_clone_comes_the_block_that_works(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked(lab)
    lab.merge(1, "squash")
    monkeypatch.chdir(lab.clone(branches=("b",)))
    ran = compose_review("stack", "--pr", facts(lab, 2, tmp_path))
    assert ran.code == Exit.FINDINGS
    assert "Retarget and rebase: #1 is merged." in ran.out
    told = compose_review("stack", "--pr", facts(lab, 2, tmp_path), "--format", "json").json
    assert lab.paste(told["parent"]["commands"]).returncode == 0
    assert clean(lab)
    run(lab.author, "git", "fetch", "-q")
    done = compose_review("stack", "--pr", facts(lab, 2, tmp_path))
    assert (done.code, done.out.strip()) == (Exit.REVIEWED, "Not stacked: nothing to do.")


def test_a_branch_alone_is_enough_while_its_parent_is_open(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(lab)
    author = lab.clone(branches=("a", "b"))
    monkeypatch.chdir(author)
    run(author, "git", "switch", "-q", "b")
    here, named = compose_review("stack"), compose_review("stack", "--branch", "b")
    assert here.out == named.out
    assert (here.code, "contains 2 commits of" in here.out) == (Exit.REVIEWED, True)
    below = compose_review("stack", "--branch", "a")
    assert "builds on this" in below.out


def test_a_branch_whose_parent_was_pushed_by_force(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(lab)
    reshape(lab, "amended")
    monkeypatch.chdir(lab.clone(branches=("a", "b")))
    assert compose_review("stack", "--branch", "b").code == Exit.REVIEWED


def test_wrong_words_are_usage(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(lab)
    monkeypatch.chdir(lab.clone())
    path = facts(lab, 2, tmp_path)
    assert compose_review("stack", "--pr", path, "--branch", "b").code == Exit.USAGE
    assert "there is no revision" in compose_review("stack", "--branch", "bb").err
    monkeypatch.chdir(tmp_path)
    assert compose_review("stack").code == Exit.USAGE


def test_a_shallow_clone_says_what_to_fetch(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(lab)
    lab.merge(1, "squash")
    monkeypatch.chdir(lab.clone("--depth", "1", "--no-single-branch"))
    ran = compose_review("stack", "--pr", facts(lab, 2, tmp_path))
    assert "could not be told" in ran.out
    assert "git fetch --unshallow origin" in ran.out.replace("\n", " ")
