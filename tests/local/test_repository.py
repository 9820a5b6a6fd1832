"""Names and histories of a repository, and how their errors read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from bot.local.failure import LocalError, WrongRequest
from bot.local.repository import Branch, Repository
from bot.local.source import read_local
from tests.support.repo import Repo, clone


@pytest.mark.parametrize("spelling", ["main", "HEAD", "refs/heads/main", "v1", "HEAD~1", ":/first"])
def test_a_revision_is_whatever_git_takes_for_one(repo: Repo, spelling: str) -> None:
    first = repo.commit({"a": "1"}, "first")
    repo.git("tag", "-a", "-m", "v1", "v1")
    second = repo.commit({"a": "2"}, "second")
    expected = first if spelling in ("v1", "HEAD~1", ":/first") else second
    assert Repository(repo.folder).commit(spelling) == expected


def test_an_unknown_revision_is_said_with_the_nearest_name(repo: Repo) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(WrongRequest, match=r"there is no revision `mian` in .*; did you mean `main`"):
        Repository(repo.folder).commit("mian")


@pytest.mark.parametrize("revision", ["--help", "--output=x", "", "0" * 40, "a\nb", "main:a", "a..b"])
def test_what_is_no_commit_is_an_unknown_revision(repo: Repo, revision: str) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(WrongRequest, match="there is no revision"):
        Repository(repo.folder).commit(revision)


def test_a_folder_outside_any_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(WrongRequest, match="is not in a Git repository"):
        read_local(repo=tmp_path)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="there is no folder"):
        read_local(repo=tmp_path / "nowhere")


def test_a_file_in_place_of_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LocalError, match="is not a folder"):
        read_local(repo=tmp_path / "file")


def test_no_git_is_said_in_plain_words(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(LocalError, match="git is not installed"):
        read_local(repo=repo.folder)


def test_a_shallow_clone_without_the_base_says_what_to_fetch(repo: Repo, tmp_path: Path) -> None:
    first = repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    shallow = clone(repo, tmp_path / "shallow", "--depth=1")
    with pytest.raises(WrongRequest, match=r"no revision `.*the clone is shallow: .*git fetch --unshallow"):
        read_local(first, "HEAD", repo=shallow.folder)


def test_a_shallow_clone_that_ends_before_the_histories_meet_says_so(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.branch("topic")
    repo.commit({"b": "1"})
    repo.branch("main", "main")
    repo.commit({"a": "2"})
    shallow = clone(repo, tmp_path / "shallow", "--depth=1", "--no-single-branch")
    with pytest.raises(LocalError, match=r"shallow and ends before .* meet: fetch the rest") as caught:
        read_local("origin/main", "origin/topic", repo=shallow.folder)
    assert not isinstance(caught.value, WrongRequest)


def test_a_shallow_clone_deep_enough_is_read(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "0"})
    repo.commit({"a": "1"})
    repo.branch("topic")
    repo.commit({"b": "1"})
    repo.branch("main", "main")
    repo.commit({"c": "2"})
    shallow = clone(repo, tmp_path / "shallow", "--depth=2", "--no-single-branch")
    reading = read_local("origin/main", "origin/topic", repo=shallow.folder)
    assert set(reading.head.entries) == {"a", "b", "c"}


def test_the_default_branch_is_what_origin_says(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.branch("release")
    cloned = clone(repo, tmp_path / "clone")
    assert Repository(cloned.folder).default_branch == Branch("refs/remotes/origin/release", "release")


@pytest.mark.parametrize("name", ["main", "master", "trunk", "develop"])
def test_without_origin_a_usual_name_is_the_default_branch(repo: Repo, name: str) -> None:
    repo.git("symbolic-ref", "HEAD", f"refs/heads/{name}")
    repo.commit({"a": "1"})
    assert Repository(repo.folder).default_branch == Branch(f"refs/heads/{name}", name)


def test_no_default_branch_is_said_with_the_way_out(repo: Repo) -> None:
    repo.git("symbolic-ref", "HEAD", "refs/heads/work")
    repo.commit({"a": "1"})
    with pytest.raises(WrongRequest, match=r"cannot tell the default branch .*name a --base"):
        read_local(repo=repo.folder)


def test_a_repository_without_a_commit_says_so(repo: Repo) -> None:
    with pytest.raises(WrongRequest, match="has no commit yet"):
        read_local(repo=repo.folder)


def test_a_bare_repository_has_no_working_tree_to_review(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    bare = clone(repo, tmp_path / "bare.git", "--bare")
    with pytest.raises(WrongRequest, match=r"bare repository.* name a --head"):
        read_local(repo=bare.folder)


def test_a_branch_keeps_its_name_and_a_commit_has_none(repo: Repo, tmp_path: Path) -> None:
    sha = repo.commit({"a": "1"})
    cloned = Repository(clone(repo, tmp_path / "clone").folder)
    names = [cloned.branch_of(each) for each in ("main", "origin/main", "HEAD", sha, "HEAD~0")]
    assert names == ["main", "main", "main", "", ""]


def test_no_temporary_folder_is_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with pytest.raises(LocalError, match=r"no temporary folder can be made .*; set TMPDIR"):
        read_local("main", repo=repo.folder)


def older_git(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, instead: str) -> None:
    """A Git that does something else for one of its commands."""
    real = shutil.which("git")
    folder.mkdir()
    (folder / "git").write_text(
        f'#!/bin/sh\nfor word; do [ "$word" = {command} ] && {{ {instead}; }}; done\nexec {real} "$@"\n'
    )
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_git_that_cannot_simulate_a_merge_is_a_gap(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": "1"})
    repo.branch("topic")
    repo.commit({"b": "1"})
    repo.branch("main", "main")
    repo.commit({"c": "1"})
    older_git(tmp_path / "bin", monkeypatch, "merge-tree", "echo usage: git merge-tree >&2; exit 129")
    reading = read_local("main", "topic", repo=repo.folder)
    assert set(reading.head.entries) == {"a", "b"}
    assert ["Git 2.38" in gap.why for gap in reading.gaps] == [True]


def test_a_git_too_old_to_read_a_repository_is_said(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a": "1"})
    old = "printf 'false\\ntrue\\nfalse\\nsha1\\n--path-format=absolute\\n.git\\n'; exit 0"
    older_git(tmp_path / "bin", monkeypatch, "--git-common-dir", old)
    with pytest.raises(LocalError, match=r"this Git is too old: it takes 2\.31"):
        read_local("main", repo=repo.folder)
