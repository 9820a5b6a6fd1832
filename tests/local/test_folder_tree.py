"""A folder as a tree: Git's names for contents, nothing followed, nothing waited for."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.local import disk
from bot.local.disk import name_of
from bot.local.failure import LocalError
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import SEARCHED_BYTES
from bot.ports import EntryKind, Unreadable
from tests.support.repo import Repo

NOBODY = 65534


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_folder_and_a_commit_of_the_same_files_have_the_same_entries(repo: Repo) -> None:
    repo.write({"a/b.yaml": "x: 1\n", "a.yaml": "é\n", "a-b": "", "run.sh": "x"})
    (repo.folder / "run.sh").chmod(0o755)
    (repo.folder / "link").symlink_to("a.yaml")
    repo.commit({})
    from bot.local.git_tree import tree_of
    from bot.local.repository import Repository

    committed = tree_of(Repository(repo.folder).store, repo.git("rev-parse", "HEAD"))
    folder = FolderTree(repo.folder)
    assert list(folder.entries.items()) == list(committed.entries.items())
    assert folder.read("link") == b"a.yaml"


def test_names_may_be_those_of_a_sha256_repository() -> None:
    assert len(name_of(b"x", "sha256")) == 64


def test_git_folders_are_left_out_at_every_depth(tmp_path: Path) -> None:
    put(tmp_path, {".git/config": "x", "sub/.git/HEAD": "x", "sub/a": "1", ".github/b": "2"})
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere")
    assert set(FolderTree(tmp_path).entries) == {"sub/a", ".github/b"}


def test_a_link_out_of_the_folder_is_its_target_and_nothing_more(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside", {"secret": "password"})
    root = put(tmp_path / "root", {"a": "1"})
    (root / "file").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "dangling").symlink_to("nowhere")
    tree = FolderTree(root)
    assert set(tree.entries) == {"a", "file", "folder", "loop", "dangling"}
    assert tree.entries["folder"].kind is EntryKind.SYMLINK
    assert tree.read("file") == os.fsencode(outside / "secret")
    assert tree.find([b"password"]) == {}


def test_a_folder_reached_through_a_link_is_read(tmp_path: Path) -> None:
    put(tmp_path / "real", {"a": "1"})
    (tmp_path / "alias").symlink_to("real")
    assert FolderTree(tmp_path / "alias").read("a") == b"1"


def test_a_file_turned_into_a_link_after_the_listing_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "root", {"big": "." * (5 * 1024 * 1024)})
    put(tmp_path, {"secret": "password"})
    tree = FolderTree(tmp_path / "root")
    (tmp_path / "root/big").unlink()
    (tmp_path / "root/big").symlink_to(tmp_path / "secret")
    with pytest.raises(Unreadable, match="big cannot be read"):
        tree.read("big")


def test_pipes_sockets_and_devices_are_unreadable_and_nobody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path is limited to 108 bytes
        try:
            server.bind("plug")
        finally:
            os.chdir(here)
        tree = FolderTree(tmp_path)
        again = FolderTree(tmp_path)
    assert set(tree.entries) == {"pipe.yaml", "plug"}
    assert tree.read_many(["pipe.yaml", "plug"]) == {}
    with pytest.raises(Unreadable, match=r"pipe\.yaml is a named pipe, not a file"):
        tree.read("pipe.yaml")
    assert tree.entries["plug"].blob == again.entries["plug"].blob  # as they were: no change


@pytest.fixture
def without_rights() -> Iterator[Path]:
    """A folder of an ordinary user, and the rights of that user, also where the tests run as root."""
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        for path in folder.rglob("*"):
            path.chmod(0o755)
        shutil.rmtree(folder)


def test_what_we_may_not_read_is_unreadable_and_never_unchanged(without_rights: Path) -> None:
    for name in ("base", "head"):
        put(without_rights / name, {"locked": "1", "closed/a": "1", "open": "1"})
        (without_rights / name / "locked").chmod(0)
        (without_rights / name / "closed").chmod(0)
    base, head = FolderTree(without_rights / "base"), FolderTree(without_rights / "head")
    assert set(base.entries) == {"locked", "closed", "open"}
    with pytest.raises(Unreadable, match="locked cannot be read: Permission denied"):
        base.read("locked")
    changes = changed_files(base, head)
    assert [file.path for file in changes] == ["closed", "locked"]
    assert all(file.unread for file in changes)


def test_find_reads_regular_files_of_a_searchable_size(tmp_path: Path) -> None:
    put(tmp_path, {"a": "xx pin yy", "b": "nothing", "big": "pin" + "." * SEARCHED_BYTES})
    assert FolderTree(tmp_path).find([b"pin"]) == {"a": b"xx pin yy"}


def test_a_folder_that_is_no_deployment_repository_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_FILES", 3)
    put(tmp_path, {f"f{number}": "" for number in range(4)})
    with pytest.raises(LocalError, match="holds more than 3 files"):
        FolderTree(tmp_path)


def test_a_sixty_megabyte_file_is_named_and_read_without_being_kept(tmp_path: Path) -> None:
    content = b"x" * (60 * 1024 * 1024)
    (tmp_path / "big.yaml").write_bytes(content)
    tree = FolderTree(tmp_path)
    assert tree.entries["big.yaml"].size == len(content)
    assert tree.entries["big.yaml"].blob == name_of(content)
    assert tree.read("big.yaml") == content
