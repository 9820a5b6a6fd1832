"""What `--base` and `--head` may name, and what is read for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.local.failure import WrongRequest
from bot.local.source import read_local
from bot.ports import Reading
from tests.support.repo import Repo, clone


def changed(reading: Reading) -> list[str]:
    return [file.path for file in changed_files(reading.base, reading.head)]


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """`topic` is checked out and one commit ahead of `main`, which moved on too."""
    repo.commit({"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"}, "begin")
    repo.branch("topic")
    repo.commit({"a.yaml": "a: 2\n"}, "Raise a\n\nIt was too low.\n")
    repo.branch("main", "main")
    repo.commit({"b.yaml": "b: 2\n"}, "main goes on")
    repo.git("checkout", "-q", "topic")
    return repo


def test_by_default_the_working_tree_against_where_it_left_the_default_branch(forked: Repo) -> None:
    forked.write({"new.yaml": "n: 1\n"})
    reading = read_local(repo=forked.folder)
    assert changed(reading) == ["a.yaml", "new.yaml"]
    start = forked.git("merge-base", "main", "topic")
    assert reading.base_name == f"main (merge base {start[:12]})"
    assert reading.head_name == "working tree"
    assert (reading.pull.base_sha, reading.pull.head_sha) == (start, "")
    assert (reading.pull.base_ref, reading.pull.head_ref) == ("main", "topic")


def test_a_folder_inside_the_repository_means_all_of_it(forked: Repo) -> None:
    (forked.folder / "prod").mkdir()
    assert changed(read_local(repo=forked.folder / "prod")) == ["a.yaml"]


def test_two_revisions_are_merged(forked: Repo) -> None:
    reading = read_local("main", "topic", repo=forked.folder)
    assert changed(reading) == ["a.yaml"]
    assert reading.head.read("b.yaml") == b"b: 2\n"
    assert (reading.pull.base_sha, reading.pull.head_sha) == (
        forked.git("rev-parse", "main"),
        forked.git("rev-parse", "topic"),
    )
    assert (reading.base_name, reading.head_name) == ("main", "topic")


def test_a_head_without_a_base_is_judged_from_where_it_left(forked: Repo) -> None:
    forked.git("checkout", "-q", "main")
    assert changed(read_local(head="topic", repo=forked.folder)) == ["a.yaml"]


def test_the_working_tree_is_merged_into_a_base_that_is_named(forked: Repo) -> None:
    forked.write({"new.yaml": "n: 1\n"})
    reading = read_local("main", repo=forked.folder)
    assert changed(reading) == ["a.yaml", "new.yaml"]
    assert reading.head.read("b.yaml") == b"b: 2\n"


def test_a_working_tree_that_conflicts_with_the_base_says_so(forked: Repo) -> None:
    forked.write({"b.yaml": "b: 3\n"})
    reading = read_local("main", repo=forked.folder)
    assert reading.conflicts == ("b.yaml",)
    assert reading.head.read("b.yaml") == b"b: 3\n"


def test_the_only_commit_gives_title_and_text(forked: Repo) -> None:
    pull = read_local("main", "topic", repo=forked.folder).pull
    assert (pull.title, pull.body) == ("Raise a", "It was too low.")


def test_several_commits_give_the_branch_s_name_and_no_text(forked: Repo) -> None:
    forked.commit({"c.yaml": "c: 1\n"}, "comments only")
    pull = read_local("main", "topic", repo=forked.folder).pull
    assert (pull.title, pull.body) == ("topic", "")


def test_facts_of_a_file_win_but_the_commits_are_those_compared(forked: Repo, tmp_path: Path) -> None:
    (tmp_path / "pr.json").write_text('{"title": "T", "head": {"ref": "other", "sha": "1234"}, "base": {"sha": "99"}}')
    pull = read_local("main", "topic", pr_file=tmp_path / "pr.json", repo=forked.folder).pull
    assert (pull.title, pull.head_ref, pull.base_ref) == ("T", "other", "main")
    assert (pull.base_sha, pull.head_sha) == (forked.git("rev-parse", "main"), forked.git("rev-parse", "topic"))


def test_a_clone_judges_by_the_branch_of_its_origin(forked: Repo, tmp_path: Path) -> None:
    forked.git("checkout", "-q", "main")
    mine = clone(forked, tmp_path / "mine")
    mine.branch("work", "origin/topic")
    reading = read_local(repo=mine.folder)
    assert changed(reading) == ["a.yaml"]
    assert reading.pull.repository.default_branch == "main"


def test_two_folders_need_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("old", "a: 1\n"), ("new", "a: 2\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    reading = read_local("old", "./new", repo=tmp_path)
    assert changed(reading) == ["a.yaml"]
    assert (reading.base_name, reading.head_name) == ("old", "./new")


def test_a_revision_and_a_folder_compare_by_content(forked: Repo, tmp_path: Path) -> None:
    (tmp_path / "deployed").mkdir()
    (tmp_path / "deployed/a.yaml").write_text("a: 1\n")
    (tmp_path / "deployed/b.yaml").write_text("b: 2\n")
    assert changed(read_local("main", str(tmp_path / "deployed"), repo=forked.folder)) == []
    assert changed(read_local(str(tmp_path / "deployed"), "main", repo=forked.folder)) == []
    assert changed(read_local(head=str(tmp_path / "deployed"), repo=forked.folder)) == ["b.yaml"]


def test_a_revision_of_sha256_and_a_folder_compare_by_content(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"a": "1"})
    (tmp_path / "same").mkdir()
    (tmp_path / "same/a").write_text("1")
    assert changed(read_local("HEAD", str(tmp_path / "same"), repo=repo.folder)) == []


def test_the_folder_of_a_working_tree_means_what_git_would_take_of_it(
    forked: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked.write({".gitignore": "junk\n", "junk": "x", "a.yaml": "a: 3\n"})
    monkeypatch.chdir(forked.folder)
    assert changed(read_local("main", ".")) == [".gitignore", "a.yaml"]


def test_a_name_that_is_both_is_asked_about(forked: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    (forked.folder / "topic").mkdir()
    (forked.folder / "topic/x").write_text("1")
    monkeypatch.chdir(forked.folder)
    with pytest.raises(WrongRequest, match=r"`topic` is a revision and a folder; write \./topic or heads/topic"):
        read_local("main", "topic")
    assert changed(read_local("main", "heads/topic")) == ["a.yaml"]
    assert set(read_local("main", "./topic").head.entries) == {"x"}


@pytest.mark.parametrize("name", ["./nowhere", "/nowhere", "../nowhere", "nowhere/"])
def test_a_folder_that_is_not_there_is_said(forked: Repo, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(forked.folder)
    with pytest.raises(WrongRequest, match="there is no folder"):
        read_local("main", name)


def test_the_previous_comment_comes_along(forked: Repo) -> None:
    assert read_local(repo=forked.folder, previous="text").pull.previous == "text"
