"""Which deleted file lives on under another name."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.model.change import FileChange, FileStatus, Hunk
from tests.support.memory_tree import MemoryTree
from tests.support.repo import Repo

TEXT = "".join(f"line {number}\n" for number in range(10))


def renamed(base: dict[str, str | bytes], head: dict[str, str | bytes]) -> dict[str, str]:
    found = changed_files(MemoryTree(base), MemoryTree(head))
    return {file.old_path: file.path for file in found if file.status is FileStatus.RENAMED}


def test_a_deleted_and_an_unlike_added_file_are_two_files() -> None:
    assert renamed({"a": TEXT}, {"b": "something\nelse\n"}) == {}


def test_a_copy_is_no_rename() -> None:
    assert renamed({"a": TEXT}, {"a": TEXT, "b": TEXT}) == {}


def test_a_modified_file_is_never_the_source_of_a_rename() -> None:
    assert renamed({"a": TEXT}, {"a": "other\n", "b": TEXT}) == {}


def test_the_same_content_under_another_name() -> None:
    assert renamed({"a": TEXT, "k": "x"}, {"b": TEXT, "k": "x"}) == {"a": "b"}


def test_a_rename_with_an_edit_has_the_lines_of_the_edit() -> None:
    (file,) = changed_files(MemoryTree({"a": TEXT}), MemoryTree({"b": TEXT.replace("line 3", "x")}))
    assert file == FileChange("b", "a", FileStatus.RENAMED, file.kind, hunks=(Hunk(4, ("line 3",), 4, ("x",)),))


def test_half_of_the_lines_is_enough_and_less_is_not() -> None:
    lines = TEXT.splitlines(keepends=True)
    assert renamed({"a": TEXT}, {"b": "".join(lines[:5]) + "ABCDEF\n" * 5}) == {"a": "b"}
    assert renamed({"a": TEXT}, {"b": "".join(lines[:4]) + "ABCDEF\n" * 6}) == {}


def test_of_two_sources_the_one_of_the_same_base_name() -> None:
    assert renamed({"a/x.yaml": TEXT, "b/y.yaml": TEXT}, {"c/y.yaml": TEXT}) == {"b/y.yaml": "c/y.yaml"}
    edited = TEXT.replace("line 3", "x")
    assert renamed({"a/x.yaml": TEXT, "b/y.yaml": TEXT}, {"c/y.yaml": edited}) == {"b/y.yaml": "c/y.yaml"}


def test_a_link_and_a_file_are_not_the_same_content() -> None:
    assert renamed({"a": "->x"}, {"b": "x"}) == {}
    assert renamed({"a": "->x"}, {"b": "->x"}) == {"a": "b"}


@pytest.mark.parametrize("path", ["with space", "dir b/x.yaml", 'quo"te', "new\nline", "é/文", "-rf", ":100644 R100"])
def test_any_name_can_be_moved_to(path: str) -> None:
    assert renamed({"a": TEXT, "z": "1"}, {path: TEXT + "x\n", "z": "1"}) == {"a": path}


def test_a_move_of_many_files_with_edits_is_cheap_and_as_git_sees_it(tmp_path: Path) -> None:
    """Every file moves to another folder: base names decide, whatever the number of files."""
    repo = Repo(tmp_path / "repo")
    base = repo.commit({f"old/{n}.yaml": TEXT + f"own {n}\n" for n in range(600)})
    head = repo.commit(
        {f"old/{n}.yaml": None for n in range(600)} | {f"new/{n}.yaml": TEXT + f"own {n}\nmore\n" for n in range(600)}
    )
    store = Repository(repo.folder).store
    began = time.perf_counter()
    found = changed_files(tree_of(store, base), tree_of(store, head))
    assert {file.old_path: file.path for file in found} == {f"old/{n}.yaml": f"new/{n}.yaml" for n in range(600)}
    assert time.perf_counter() - began < 5.0


def test_more_files_than_likeness_is_asked_of_are_deleted_and_added() -> None:
    base = {f"a{n}": f"{n}\n" * 4 for n in range(1_500)}
    head = {f"b{n}": f"{n}\n" * 4 + "x\n" for n in range(1_500)}
    began = time.perf_counter()
    assert renamed(dict(base), dict(head)) == {}
    assert time.perf_counter() - began < 5.0
