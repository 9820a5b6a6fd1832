"""A tree of Git's object database: entries, contents, search, and what a clone may lack."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from bot.local.failure import LocalError
from bot.local.git_tree import SEARCHED_BYTES, GitTree, tree_of
from bot.local.repository import Repository
from bot.ports import EntryKind, Unreadable
from tests.support.repo import Repo, clone


def tree(repo: Repo, revision: str = "HEAD") -> GitTree:
    repository = Repository(repo.folder)
    return tree_of(repository.store, repository.commit(revision))


def test_files_come_with_kind_size_and_the_name_of_their_content(repo: Repo) -> None:
    repo.write({"run.sh": "echo\n", "a/b.yaml": "x: 1\n", "empty": ""})
    (repo.folder / "run.sh").chmod(0o755)
    (repo.folder / "link").symlink_to("/etc/passwd")
    repo.commit({})
    found = tree(repo).entries
    assert list(found) == ["a/b.yaml", "empty", "link", "run.sh"]
    assert [found[path].kind for path in found] == [EntryKind.FILE, EntryKind.FILE, EntryKind.SYMLINK, EntryKind.FILE]
    assert [found[path].executable for path in found] == [False, False, False, True]
    assert [found[path].size for path in found] == [5, 0, 11, 5]
    assert found["a/b.yaml"].blob == repo.git("rev-parse", "HEAD:a/b.yaml")


def test_a_symbolic_link_is_its_target_and_is_not_followed(repo: Repo) -> None:
    (repo.folder / "secrets.yaml").symlink_to("/etc/passwd")
    repo.commit({})
    assert tree(repo).read("secrets.yaml") == b"/etc/passwd"


def test_a_submodule_is_an_entry_that_is_not_entered(repo: Repo) -> None:
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},modules/sub")
    repo.git("commit", "-q", "-m", "sub")
    found = tree(repo)
    assert found.entries["modules/sub"].kind is EntryKind.SUBMODULE
    assert found.entries["modules/sub"].size is None
    assert found.read_many(["modules/sub"]) == {}
    with pytest.raises(Unreadable, match="is a submodule"):
        found.read("modules/sub")


@pytest.mark.parametrize(
    "path",
    [
        "with space.yaml",
        "dir b/x.yaml",
        'quo"te.yaml',
        "new\nline.yaml",
        "tab\t.yaml",
        "Größe/文.yaml",
        "-rf.yaml",
        ":(top)x.yaml",
        "*.yaml",
        "back\\slash",
    ],
)
def test_any_path_is_read_as_it_is(repo: Repo, path: str) -> None:
    repo.commit({path: "a: 1\n", "other.yaml": "b: 1\n"})
    found = tree(repo)
    assert set(found.entries) == {path, "other.yaml"}
    assert found.read(path) == b"a: 1\n"


def test_a_path_that_is_not_utf_8_survives(repo: Repo) -> None:
    name = os.fsdecode(b"caf\xe9.yaml")
    repo.commit({name: "a: 1\n"})
    assert tree(repo).read(name) == b"a: 1\n"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbfa: 1\n", b"a: 1\r\n", b"caf\xe9\n", b"\0\1\2", b"no newline"])
def test_bytes_come_as_they_are(repo: Repo, content: bytes) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write({"f": content})
    blob = repo.git("hash-object", "-w", "--no-filters", "f")
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},f")
    repo.git("commit", "-q", "-m", "f")
    assert tree(repo).read("f") == content


def test_an_unknown_path_is_a_key_error_and_left_out_of_many(repo: Repo) -> None:
    repo.commit({"a": "1"})
    found = tree(repo)
    with pytest.raises(KeyError):
        found.read("b")
    assert found.read_many(["a", "b"]) == {"a": b"1"}


def test_find_reads_regular_files_only(repo: Repo) -> None:
    repo.write({"a.md": "pin abc\n", "b.bin": b"\0abc", "c": "nothing"})
    (repo.folder / "link").symlink_to("abc")
    repo.commit({})
    assert tree(repo).find([b"abc", b"xyz"]) == {"a.md": b"pin abc\n", "b.bin": b"\0abc"}


def test_find_leaves_out_what_is_too_large_to_state_anything(repo: Repo) -> None:
    repo.commit({"big": b"abc" + b"." * SEARCHED_BYTES, "small": "abc"})
    assert set(tree(repo).find([b"abc"])) == {"small"}


def test_an_older_revision_is_read_without_a_checkout(repo: Repo) -> None:
    first = repo.commit({"a": "1"})
    repo.commit({"a": "2", "b": "3"})
    found = tree(repo, first)
    assert set(found.entries) == {"a"}
    assert found.read("a") == b"1"
    assert (repo.folder / "a").read_text() == "2"


def test_a_bare_repository_is_read_like_any_other(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    bare = clone(repo, tmp_path / "bare.git", "--bare")
    assert tree(bare, "main").read("a") == b"1"


def test_a_linked_worktree_shares_the_objects_of_its_repository(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = object.__new__(Repo)
    side.folder = tmp_path / "side"
    assert tree(side, "side").read("a") == b"1"


def test_a_repository_in_a_folder_with_an_awkward_name(tmp_path: Path) -> None:
    repo = Repo(tmp_path / 'a "b"\\ #c;é')
    repo.commit({"a": "1"})
    assert tree(repo).read("a") == b"1"


def test_a_repository_with_sha256_names(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", "--object-format=sha256")
    repo.commit({"a": "1"})
    found = tree(repo)
    assert len(found.entries["a"].blob) == 64
    assert found.read("a") == b"1"


def test_a_partial_clone_is_never_made_to_fetch(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.yaml": "x: 1\n", "b.yaml": "y: 1\n"})
    partial = clone(repo, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    found = tree(partial, "main")
    assert set(found.entries) == {"a.yaml", "b.yaml"}
    assert found.entries["a.yaml"].size is None
    assert found.read_many(["a.yaml", "b.yaml"]) == {}
    assert found.find([b"x"]) == {}
    with pytest.raises(Unreadable, match=r"a\.yaml .* is not in this clone"):
        found.read("a.yaml")


def test_a_clone_without_trees_says_what_is_missing(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.yaml": "x: 1\n"})
    partial = clone(repo, tmp_path / "partial", "--filter=tree:0", "--no-checkout")
    with pytest.raises(LocalError, match=r"cannot be listed .*`--filter=blob:none`"):
        tree(partial, "main")


def test_a_damaged_file_is_unreadable_and_the_others_are_not(repo: Repo) -> None:
    repo.commit({f"{number}.yaml": f"x: {number}\n" for number in range(100)})
    blob = repo.git("rev-parse", "HEAD:50.yaml")
    loose = repo.folder / ".git/objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"damaged")
    found = tree(repo)
    assert len(found.read_many(found.entries)) == 99
    assert found.read("99.yaml") == b"x: 99\n"
    with pytest.raises(Unreadable):
        found.read("50.yaml")


def test_two_thousand_files_cost_one_listing_and_one_process(repo: Repo) -> None:
    repo.commit(
        {f"hosts/h{number // 50}/c{number}.yaml": f"services: {{s{number}: {{}}}}\n" for number in range(2_000)}
    )
    began = time.perf_counter()
    found = tree(repo)
    assert len(found.read_many(found.entries)) == 2_000
    assert len([found.read(path) for path in found.entries]) == 2_000
    assert len(found.find([b"s1999:"])) == 1
    assert time.perf_counter() - began < 1.0  # 0.1 s alone; a process for each file would take 8 s


def test_the_private_folder_goes_with_the_tree(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repository = Repository(repo.folder)
    found = tree_of(repository.store, repository.commit("HEAD"))
    folder = repository.store.folder
    found.read("a")
    assert folder.is_dir()
    del repository, found
    assert not folder.exists()
