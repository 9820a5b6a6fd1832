"""The working tree of a repository: what a commit of it would hold."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from bot.local.git_tree import GitTree, tree_of
from bot.local.repository import Repository
from bot.local.source import read_local
from bot.local.work_tree import Snapshot, snapshot
from tests.support.repo import Repo, clone


def taken(repo: Repo) -> tuple[Snapshot, GitTree]:
    repository = Repository(repo.folder)
    shot = snapshot(repository)
    return shot, tree_of(repository.store, shot.commit)


def contents(tree: GitTree) -> dict[str, str]:
    return {path: tree.read(path).decode() for path in tree.entries}


def test_a_clean_working_tree_is_head_itself(repo: Repo) -> None:
    head = repo.commit({"a": "1", "b/c": "2"})
    (repo.folder / "a").touch()
    shot, tree = taken(repo)
    assert (shot.commit, shot.tip) == (head, head)
    assert contents(tree) == {"a": "1", "b/c": "2"}


def test_edits_new_files_and_deletions_count_and_ignored_files_do_not(repo: Repo) -> None:
    repo.commit({".gitignore": "*.log\n", "a": "1", "gone": "1", "staged": "1"})
    repo.write({"a": "2", "gone": None, "new/b": "3", "debug.log": "x", "staged": "2"})
    repo.git("add", "staged")
    repo.write({"staged": "3"})
    shot, tree = taken(repo)
    assert shot.commit != shot.tip
    assert contents(tree) == {".gitignore": "*.log\n", "a": "2", "new/b": "3", "staged": "3"}
    assert repo.git("status", "--porcelain").splitlines() == [" M a", " D gone", "MM staged", "?? new/"]


def test_an_ignored_file_that_is_tracked_counts(repo: Repo) -> None:
    repo.commit({"a.log": "1"})
    repo.commit({".gitignore": "*.log\n"})
    repo.write({"a.log": "2"})
    assert contents(taken(repo)[1])["a.log"] == "2"


def test_a_file_added_without_its_content_has_its_content(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.write({"b": "2"})
    repo.git("add", "-N", "b")
    assert contents(taken(repo)[1]) == {"a": "1", "b": "2"}


def test_the_executable_bit_counts_unless_the_disk_has_none(repo: Repo) -> None:
    repo.commit({"run.sh": "x"})
    (repo.folder / "run.sh").chmod(0o755)
    assert taken(repo)[1].entries["run.sh"].executable
    repo.git("config", "core.fileMode", "false")
    assert not taken(repo)[1].entries["run.sh"].executable


def test_a_link_is_its_target_also_where_a_file_was(repo: Repo) -> None:
    repo.commit({"a": "1"})
    (repo.folder / "a").unlink()
    (repo.folder / "a").symlink_to("/etc/passwd")
    assert contents(taken(repo)[1]) == {"a": "/etc/passwd"}


def test_files_behind_a_folder_that_became_a_link_are_gone(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"d/secret": "1"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("password")
    (repo.folder / "d/secret").unlink()
    (repo.folder / "d").rmdir()
    (repo.folder / "d").symlink_to(tmp_path / "outside")
    assert contents(taken(repo)[1]) == {"d": str(tmp_path / "outside")}


def test_a_file_that_became_a_folder(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.write({"a": None})
    repo.write({"a/b": "2"})
    assert contents(taken(repo)[1]) == {"a/b": "2"}


@pytest.mark.parametrize("path", ["with space", "-rf", 'quo"te', "new\nline", "tab\tx", "é/文", ":(top)x", "dir b/x"])
def test_any_name_is_taken(repo: Repo, path: str) -> None:
    repo.commit({"a": "1"})
    repo.write({path: "2"})
    assert contents(taken(repo)[1]) == {"a": "1", path: "2"}


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(repo: Repo) -> None:
    head = repo.commit({"in/a": "1", "out/b": "2", "c": "3"})
    repo.git("sparse-checkout", "set", "in")
    assert not (repo.folder / "out").exists()
    assert taken(repo)[0].commit == head


def test_a_submodule_stays_as_the_index_has_it(repo: Repo, tmp_path: Path) -> None:
    module = Repo(tmp_path / "module")
    module.commit({"m": "1"})
    repo.commit({"a": "1"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module.folder), "sub")
    head = repo.commit({})
    repo.write({"sub/m": "2"})
    assert taken(repo)[0].commit == head


def test_a_repository_inside_that_is_no_submodule_is_not_entered(repo: Repo) -> None:
    head = repo.commit({"a": "1"})
    Repo(repo.folder / "inner").commit({"b": "1"})
    assert taken(repo)[0].commit == head


def test_line_ends_of_a_checkout_are_no_change(repo: Repo) -> None:
    head = repo.commit({"a.yaml": "a: 1\nb: 2\n", "crlf.yaml": "a: 1\r\n", "c.yaml": "c: 1\nd: 1\n"})
    repo.write({"a.yaml": "a: 1\r\nb: 2\r\n"})
    assert taken(repo)[0].commit == head
    repo.write({"c.yaml": "c: 1\r\nd: 2\r\n", "crlf.yaml": "a: 2\r\n"})
    tree = taken(repo)[1]
    assert tree.read("c.yaml") == b"c: 1\nd: 2\n"
    assert tree.read("crlf.yaml") == b"a: 2\r\n"


def test_one_windows_line_end_among_others_is_a_change(repo: Repo) -> None:
    repo.commit({"run.sh": "a\nb\n"})
    repo.write({"run.sh": "a\r\nb\n"})
    assert taken(repo)[1].read("run.sh") == b"a\r\nb\n"


def test_a_large_file_behind_its_pointer_is_no_change(repo: Repo) -> None:
    content = b"weights" * 1000
    pointer = (
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{hashlib.sha256(content).hexdigest()}\nsize {len(content)}\n"
    )
    head = repo.commit({"w.bin": pointer})
    repo.write({"w.bin": content})
    assert taken(repo)[0].commit == head
    repo.write({"w.bin": content + b"!"})
    assert taken(repo)[1].read("w.bin") == content + b"!"


def test_an_unfinished_merge_is_said_and_our_side_is_read(repo: Repo) -> None:
    repo.commit({"a": "1\n", "b": "1\n"})
    repo.branch("topic")
    repo.commit({"a": "2\n"})
    repo.branch("main", "main")
    repo.commit({"a": "3\n"})
    assert "CONFLICT" in _merge(repo, "topic")
    shot, tree = taken(repo)
    assert shot.conflicts == ("a",)
    assert contents(tree) == {"a": "3\n", "b": "1\n"}
    assert read_local(repo=repo.folder).conflicts == ("a",)


def _merge(repo: Repo, branch: str) -> str:
    import subprocess

    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "merge", branch],
        cwd=repo.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    return done.stdout


def test_a_file_that_cannot_be_read_is_a_gap_and_stands_as_it_was(repo: Repo) -> None:
    head = repo.commit({"a": "1"})
    (repo.folder / "a").unlink()
    os.mkfifo(repo.folder / "a")
    shot, _ = taken(repo)
    assert shot.commit == head
    (gap,) = shot.gaps
    assert (gap.what, str(gap.at)) == ("a", "a:1")
    assert "named pipe" in gap.why
    assert read_local("HEAD", repo=repo.folder).gaps == shot.gaps


def test_a_working_tree_before_the_first_commit(repo: Repo) -> None:
    repo.write({"a": "1"})
    shot, tree = taken(repo)
    assert shot.tip == ""
    assert contents(tree) == {"a": "1"}


def test_a_working_tree_of_a_partial_clone_needs_no_content_it_lacks(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1", "out/b": "2"})
    partial = clone(repo, tmp_path / "partial", "--filter=blob:none", "--sparse")
    partial.write({"a": "9"})
    shot, tree = taken(partial)
    assert set(tree.entries) == {"a", "out/b"}
    assert tree.read("a") == b"9"
    assert shot.gaps == ()


def test_a_working_tree_of_a_sha256_repository(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"a": "1"})
    repo.write({"a": "2"})
    assert contents(taken(repo)[1]) == {"a": "2"}


def test_the_same_working_tree_is_the_same_commit(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.write({"a": "2"})
    assert taken(repo)[0].commit == taken(repo)[0].commit


def test_more_new_bytes_than_anyone_commits_are_left_out_and_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.local.work_tree._NEW_BYTES", 10)
    repo.commit({"big": "x" * 100})
    repo.write({"a": "1234567890", "weights": "1"})
    shot, tree = taken(repo)
    assert set(tree.entries) == {"a", "big"}
    assert [gap.what for gap in shot.gaps] == ["weights"]


def test_a_file_too_large_to_read_is_still_known_to_be_the_same(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    head = repo.commit({"big": "x" * 100})
    monkeypatch.setattr("bot.local.disk.MAX_BYTES", 10)
    assert taken(repo)[0] == Snapshot(head, head, (), ())
    repo.write({"big": "y" * 100})
    (gap,) = taken(repo)[0].gaps
    assert "files over" in gap.why
