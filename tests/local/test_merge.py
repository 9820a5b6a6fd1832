"""What would land: the simulated merge."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.merge import Landing, landing
from bot.local.repository import Repository
from bot.local.source import read_local
from tests.support.repo import Repo

LINES = [f"k{number}: 1\n" for number in range(9)]


def text(**lines: str) -> str:
    return "".join(lines.get(line.split(":")[0], line) for line in LINES)


def landed(repo: Repo, base: str = "main", head: str = "topic") -> Landing:
    repository = Repository(repo.folder)
    return landing(repository, repository.commit(base), repository.commit(head))


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """`topic` left `main` after its first commit; both go on from here. `main` is checked out."""
    repo.commit({"a.yaml": text(), "b.yaml": "b: 1\n"})
    repo.git("branch", "topic")
    return repo


def go_on(repo: Repo, branch: str, files: dict[str, str | bytes | None]) -> None:
    repo.git("checkout", "-q", branch)
    repo.commit(files)


def test_a_head_that_holds_the_base_lands_as_it_is(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": text(k0="k0: 2\n")})
    done = landed(forked)
    assert done.tree.read("a.yaml").startswith(b"k0: 2\n")
    assert (done.conflicts, done.gap) == ((), None)


def test_a_head_that_the_base_already_holds_changes_nothing(forked: Repo) -> None:
    go_on(forked, "main", {"a.yaml": text(k0="k0: 2\n")})
    assert landed(forked).tree.read("a.yaml").startswith(b"k0: 2\n")


def test_both_sides_stand_in_what_lands(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": text(k0="k0: 2\n"), "new.yaml": "n: 1\n"})
    go_on(forked, "main", {"a.yaml": text(k8="k8: 3\n"), "b.yaml": "b: 2\n"})
    done = landed(forked)
    assert done.tree.read("a.yaml").decode() == text(k0="k0: 2\n", k8="k8: 3\n")
    assert set(done.tree.entries) == {"a.yaml", "b.yaml", "new.yaml"}
    assert done.tree.read("b.yaml") == b"b: 2\n"


def test_a_change_follows_a_file_that_the_base_renamed(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": text(k0="k0: 2\n")})
    go_on(forked, "main", {"a.yaml": None, "moved.yaml": text()})
    done = landed(forked)
    assert set(done.tree.entries) == {"b.yaml", "moved.yaml"}
    assert done.tree.read("moved.yaml").startswith(b"k0: 2\n")


def test_a_conflict_is_said_and_head_stands_for_it_without_markers(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": text(k0="k0: 2\n"), "b.yaml": "b: 2\n"})
    go_on(forked, "main", {"a.yaml": text(k0="k0: 3\n"), "c.yaml": "c: 1\n"})
    done = landed(forked)
    assert done.conflicts == ("a.yaml",)
    assert done.tree.read("a.yaml").decode() == text(k0="k0: 2\n")
    assert {path: done.tree.read(path) for path in ("b.yaml", "c.yaml")} == {"b.yaml": b"b: 2\n", "c.yaml": b"c: 1\n"}


def test_a_conflict_in_an_awkward_path_is_said_as_it_is(forked: Repo) -> None:
    path = 'dir b/new\nline "é".yaml'
    go_on(forked, "topic", {path: "x: 1\n"})
    go_on(forked, "main", {path: "x: 2\n"})
    assert landed(forked).conflicts == (path,)


def test_a_file_that_head_deleted_and_base_changed_stays_deleted(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": None})
    go_on(forked, "main", {"a.yaml": text(k0="k0: 3\n")})
    done = landed(forked)
    assert done.conflicts == ("a.yaml",)
    assert set(done.tree.entries) == {"b.yaml"}


def test_a_file_that_head_changed_and_base_deleted_stands_as_head_has_it(forked: Repo) -> None:
    go_on(forked, "topic", {"a.yaml": text(k0="k0: 2\n")})
    go_on(forked, "main", {"a.yaml": None})
    done = landed(forked)
    assert done.conflicts == ("a.yaml",)
    assert done.tree.read("a.yaml").startswith(b"k0: 2\n")


def test_a_file_against_a_folder_leaves_no_invented_name_behind(forked: Repo) -> None:
    go_on(forked, "topic", {"b.yaml": None, "b.yaml/inner": "x"})
    go_on(forked, "main", {"b.yaml": "b: 2\n"})
    done = landed(forked)
    assert done.conflicts
    assert set(done.tree.entries) == {"a.yaml", "b.yaml/inner"}


def test_unrelated_histories_are_a_gap_and_head_is_read_as_it_is(repo: Repo) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--orphan", "topic")
    repo.commit({"a": None, "b": "1"})
    done = landed(repo)
    assert done.gap is not None
    assert done.gap.what == "what would land"
    assert "no commit in common" in done.gap.why
    assert set(done.tree.entries) == {"b"}


def test_the_base_is_where_the_branch_stands_now(tmp_path: Path) -> None:
    """A base that moved on after the pull request was opened adds nothing to its change."""
    from bot.change.files import changed_files

    repo = Repo(tmp_path / "repo")
    old = repo.commit({"prod/a.yaml": "a: 1\n", "prod/c.yaml": "c: 1\n"})
    repo.git("branch", "topic")
    go_on(repo, "main", {"prod/a.yaml": "a: 3\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("rebase", "-q", "main")
    repo.commit({"prod/c.yaml": "c: 2\n"})

    def changed(base: str) -> list[str]:
        reading = read_local(base, "topic", repo=repo.folder)
        return [file.path for file in changed_files(reading.base, reading.head)]

    assert changed("main") == ["prod/c.yaml"]
    assert changed(old) == ["prod/a.yaml", "prod/c.yaml"]
