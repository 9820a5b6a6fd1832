"""Which files differ between two trees, how, and on which lines."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.model.change import FileChange, FileKind, FileStatus, Hunk
from tests.support.memory_tree import MemoryTree
from tests.support.repo import Repo

Files = dict[str, str | bytes]


def changes(base: Files, head: Files) -> dict[str, FileChange]:
    return {file.path: file for file in changed_files(MemoryTree(base), MemoryTree(head))}


def only(base: Files, head: Files) -> FileChange:
    (file,) = changes(base, head).values()
    return file


def test_the_same_tree_has_no_changes() -> None:
    assert changes({"a": "1", "b": ""}, {"a": "1", "b": ""}) == {}


def test_an_added_file_is_all_new_lines() -> None:
    assert only({}, {"a": "x\ny\n"}) == FileChange(
        "a", "a", FileStatus.ADDED, FileKind.TEXT, hunks=(Hunk(1, (), 1, ("x", "y")),)
    )


def test_a_deleted_file_is_all_old_lines() -> None:
    file = only({"a": "x\n"}, {})
    assert (file.status, file.hunks) == (FileStatus.DELETED, (Hunk(1, ("x",), 1, ()),))


def test_a_modified_file_has_the_lines_that_differ() -> None:
    file = only({"a": "1\n2\n3\n4\n"}, {"a": "1\nx\n3\n4\n5\n"})
    assert file.status is FileStatus.MODIFIED
    assert file.hunks == (Hunk(2, ("2",), 2, ("x",)), Hunk(5, (), 5, ("5",)))
    assert [line for line in range(1, 7) if file.touches(line)] == [2, 5]


def test_an_empty_side_is_counted_by_the_line_after_it() -> None:
    assert only({"a": "1\n2\n"}, {"a": "0\n1\n2\n"}).hunks == (Hunk(1, (), 1, ("0",)),)
    assert only({"a": "1\n2\n3\n"}, {"a": "1\n3\n"}).hunks == (Hunk(2, ("2",), 2, ()),)


def test_a_line_of_base_is_found_in_head() -> None:
    file = only({"a": "1\n2\n3\n4\n"}, {"a": "0\n1\n3\n4\n"})
    assert [file.line_in_head(line) for line in (1, 2, 3, 4)] == [2, None, 3, 4]


def test_a_missing_newline_at_the_end_is_no_line() -> None:
    assert only({"a": "1\n2"}, {"a": "1\n3"}).hunks == (Hunk(2, ("2",), 2, ("3",)),)
    assert only({"a": "1\n2"}, {"a": "1\n2\n"}).hunks == (Hunk(2, ("2",), 2, ("2",)),)


def test_a_carriage_return_is_part_of_its_line() -> None:
    assert only({"a": "1\r\n2\r\n"}, {"a": "1\r\n3\r\n"}).hunks == (Hunk(2, ("2\r",), 2, ("3\r",)),)


@pytest.mark.parametrize("inside", ["\x0c", "\x85", "\u2028", "\r", "\x1c"])
def test_only_a_newline_ends_a_line(inside: str) -> None:
    assert only({"a": "1\n2\n"}, {"a": f"1\nx{inside}y\n"}).hunks == (Hunk(2, ("2",), 2, (f"x{inside}y",)),)


def test_text_that_looks_like_a_diff_is_text() -> None:
    old = "a: |\n  --- a/fake\n  +++ b/fake\n  @@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\ndiff --git a/x b/x\n"
    new = old.replace("fake", "other").replace("-x", "-- x").replace("+y", "++ y")
    file = only({"a": old}, {"a": new})
    assert [(hunk.base_line, hunk.removed, hunk.added) for hunk in file.hunks] == [
        (2, ("  --- a/fake", "  +++ b/fake"), ("  --- a/other", "  +++ b/other")),
        (5, ("-x", "+y"), ("-- x", "++ y")),
    ]


@pytest.mark.parametrize(
    "path",
    ["with space", "dir b/x.yaml", 'quo"te', "new\nline", "tab\tx", "é/文", "-rf", "--output=x", os.fsdecode(b"\xe9")],
)
def test_any_path_is_reported_as_it_is(path: str) -> None:
    assert only({path: "1\n"}, {path: "2\n"}).path == path


def test_latin_1_does_not_take_the_others_down() -> None:
    found = changes({"a": b"caf\xe9\n", "b": "1\n"}, {"a": b"caf\xe8\n", "b": "2\n"})
    assert found["a"].hunks == (Hunk(1, ("caf\ufffd",), 1, ("caf\ufffd",)),)
    assert found["b"].hunks == (Hunk(1, ("1",), 1, ("2",)),)


def test_a_byte_order_mark_that_comes_is_a_changed_line() -> None:
    assert only({"a": "a: 1\nb: 1\n"}, {"a": b"\xef\xbb\xbfa: 1\nb: 1\n"}).hunks[0].head_line == 1


def test_kinds_are_told_from_content_and_mode() -> None:
    found = changes({}, {"t": "x", "e.yaml": "", "b.yaml": b"a\0b", "l": "->elsewhere"})
    assert {path: file.kind for path, file in found.items()} == {
        "t": FileKind.TEXT,
        "e.yaml": FileKind.EMPTY,
        "b.yaml": FileKind.BINARY,
        "l": FileKind.SYMLINK,
    }
    assert [path for path, file in found.items() if file.hunks] == ["t"]


def test_a_file_that_is_emptied_loses_its_lines_and_one_that_is_filled_gains_them() -> None:
    emptied, filled = only({"a": "1\n"}, {"a": ""}), only({"a": ""}, {"a": "1\n"})
    assert (emptied.status, emptied.kind, emptied.hunks) == (
        FileStatus.MODIFIED,
        FileKind.EMPTY,
        (Hunk(1, ("1",), 1, ()),),
    )
    assert (filled.status, filled.kind, filled.hunks) == (
        FileStatus.MODIFIED,
        FileKind.TEXT,
        (Hunk(1, (), 1, ("1",)),),
    )


def test_a_file_that_becomes_a_link_is_modified_and_has_no_lines() -> None:
    file = only({"a": "1\n"}, {"a": "->b"})
    assert (file.status, file.kind, file.hunks) == (FileStatus.MODIFIED, FileKind.SYMLINK, ())


def test_text_that_becomes_binary_has_no_lines() -> None:
    file = only({"a": "1\n"}, {"a": b"\0"})
    assert (file.kind, file.hunks) == (FileKind.BINARY, ())


def test_a_mode_alone(tmp_path: Path) -> None:
    for side in ("base", "head"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "run.sh").write_text("x\n")
    (tmp_path / "head/run.sh").chmod(0o755)
    (file,) = changed_files(FolderTree(tmp_path / "base"), FolderTree(tmp_path / "head"))
    assert (file.status, file.mode_only, file.hunks) == (FileStatus.MODIFIED, True, ())


def test_a_submodule_is_no_file(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    base = repo.commit({"a": "1"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "-q", "-m", "x")
    head = repo.git("rev-parse", "HEAD")
    store = Repository(repo.folder).store
    (file,) = changed_files(tree_of(store, base), tree_of(store, head))
    assert (file.path, file.status, file.kind, file.hunks, file.unread) == (
        "sub",
        FileStatus.ADDED,
        FileKind.SUBMODULE,
        (),
        None,
    )


def test_a_sixty_megabyte_text_is_listed_and_says_that_it_was_not_compared() -> None:
    began = time.perf_counter()
    found = changes({"big.yaml": "x", "a": "1\n"}, {"big.yaml": "x\n" * (30 * 1024 * 1024), "a": "2\n"})
    assert found["big.yaml"].unread == "is 60.0 MiB; files over 8 MiB are not compared"
    assert found["big.yaml"].hunks == ()
    assert found["a"].hunks
    assert time.perf_counter() - began < 5.0


def test_a_sixty_megabyte_binary_is_compared_as_one() -> None:
    file = only({"big": b"\0"}, {"big": b"\0" * (60 * 1024 * 1024)})
    assert (file.kind, file.unread) == (FileKind.BINARY, None)


def test_files_come_in_the_order_of_git() -> None:
    head: Files = {"b": "1", "a/b": "1", "a-b": "1", "a.yaml": "1", "é": "1", "Z": "1"}
    assert list(changes({}, head)) == ["Z", "a-b", "a.yaml", "a/b", "b", "é"]


def test_no_git_is_said_where_lines_must_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert only({}, {"a": "1\n"}).hunks  # nothing to compare with
    with pytest.raises(Exception, match="git is not installed"):
        only({"a": "1\n"}, {"a": "2\n"})


def test_configuration_above_the_temporary_folder_has_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Repo(tmp_path).git("config", "diff.noprefix", "true")
    (tmp_path / ".gitattributes").write_text("* -diff\n")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert only({"a": "1\n"}, {"a": "2\n"}).hunks == (Hunk(1, ("1",), 1, ("2",)),)


def test_five_thousand_changed_files_are_compared_in_seconds(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    body = "services:\n" + "".join(f"  s{line}:\n    image: x:1\n" for line in range(10))
    base = repo.commit({f"h{n // 100}/{n}.yaml": f"# {n}\n{body}" for n in range(5_000)})
    head = repo.commit({f"h{n // 100}/{n}.yaml": f"# {n}\n{body}".replace("x:1", "x:2", 1) for n in range(5_000)})
    began = time.perf_counter()
    store = Repository(repo.folder).store
    found = changed_files(tree_of(store, base), tree_of(store, head))
    assert len(found) == 5_000
    assert all(file.hunks == (Hunk(4, ("    image: x:1",), 4, ("    image: x:2",)),) for file in found)
    assert time.perf_counter() - began < 15.0  # 2 s alone


def test_processes_do_not_grow_with_the_number_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    real = subprocess.Popen

    def counting(*args: object, **more: object) -> object:
        started.append(args)
        return real(*args, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", counting)
    base: Files = {f"{n}.yaml": f"{n}\n" for n in range(200)} | {f"old{n}": f"{n}\n" * 9 for n in range(20)}
    head: Files = {f"{n}.yaml": f"{n + 1}\n" for n in range(200)} | {f"new{n}": f"{n}\n" * 9 + "x\n" for n in range(20)}
    assert len(changes(base, head)) == 220
    assert len(started) == 2  # one for likeness, one for lines
