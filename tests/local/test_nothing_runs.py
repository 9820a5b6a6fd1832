"""Nothing the repository names is run, nothing is fetched, nothing is written into it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.local.source import read_local
from tests.support.repo import Repo, clone

TRAPS = {
    "core.fsmonitor": "{}",
    "core.sshCommand": "{}",
    "core.pager": "{}",
    "core.editor": "{}",
    "core.alternateRefsCommand": "{}",
    "diff.external": "{}",
    "diff.trap.command": "{}",
    "diff.trap.textconv": "{}",
    "filter.trap.clean": "{}",
    "filter.trap.smudge": "{}",
    "filter.trap.process": "{}",
    "filter.trap.required": "true",
    "merge.trap.driver": "{} %A",
    "gpg.program": "{}",
    "log.showSignature": "true",
    "uploadpack.packObjectsHook": "{}",
}
HOOKS = ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-commit", "post-checkout")


@pytest.fixture
def trapped(repo: Repo) -> Repo:
    """A repository in which whatever is run leaves a file, with two branches to merge and edits on disk."""
    repo.commit(
        {".gitattributes": "* filter=trap diff=trap merge=trap\n", "a.yaml": "".join(f"k{n}: 1\n" for n in range(9))}
    )
    repo.branch("topic")
    repo.commit({"a.yaml": "k0: 2\n" + "".join(f"k{n}: 1\n" for n in range(1, 9))})
    repo.branch("main", "main")
    repo.commit({"a.yaml": "".join(f"k{n}: 1\n" for n in range(8)) + "k8: 3\n"})
    repo.git("checkout", "-q", "topic")
    repo.write({"a.yaml": "k0: 4\n" + "".join(f"k{n}: 1\n" for n in range(1, 9)), "new.yaml": "n: 1\n"})
    trap = repo.folder.parent / "trap"
    trap.write_text(f"#!/bin/sh\necho $0 >> {repo.folder.parent}/sprung\ncat\n")
    trap.chmod(0o755)
    for key, value in TRAPS.items():
        repo.git("config", key, value.format(trap))
    for hook in HOOKS:
        (repo.folder / ".git/hooks" / hook).write_bytes(trap.read_bytes())
        (repo.folder / ".git/hooks" / hook).chmod(0o755)
    return repo


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.mark.parametrize(("base", "head"), [("main", "topic"), ("main", None), (None, None)])
def test_no_program_of_the_repository_runs_and_nothing_in_it_changes(
    trapped: Repo, base: str | None, head: str | None
) -> None:
    before = state(trapped.folder)
    reading = read_local(base, head, repo=trapped.folder)
    assert "a.yaml" in {file.path for file in changed_files(reading.base, reading.head)}
    assert not (trapped.folder.parent / "sprung").exists()
    assert state(trapped.folder) == before


def test_the_trap_would_spring(trapped: Repo) -> None:
    subprocess.run(["git", "add", "-A"], cwd=trapped.folder, capture_output=True, check=False)
    assert (trapped.folder.parent / "sprung").exists()


def test_variables_that_point_git_elsewhere_are_not_heeded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a": "1"})
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    assert set(read_local("main", "main", repo=repo.folder).head.entries) == {"a"}


def test_a_partial_clone_stays_as_partial_as_it_was(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.yaml": "x: 1\n", "b.yaml": "".join(f"k{n}: 1\n" for n in range(9))})
    repo.branch("topic")
    repo.commit({"b.yaml": "k0: 2\n" + "".join(f"k{n}: 1\n" for n in range(1, 9))})
    repo.branch("main", "main")
    repo.commit({"b.yaml": "".join(f"k{n}: 1\n" for n in range(8)) + "k8: 3\n"})
    partial = clone(repo, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    before = state(partial.folder)
    reading = read_local("origin/main", "origin/topic", repo=partial.folder)
    assert [gap.what for gap in reading.gaps] == ["what would land"]
    (file,) = changed_files(reading.base, reading.head)
    assert file.path == "b.yaml"
    assert file.unread is not None
    assert "partial clone" in file.unread
    assert state(partial.folder) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to someone else")
def test_a_repository_of_another_owner_is_read(repo: Repo) -> None:
    repo.commit({"a": "1", "prod/b": "2"})
    for path in (repo.folder, *repo.folder.rglob("*")):
        os.lchown(path, 4242, 4242)
    assert set(read_local("main", repo=repo.folder).head.entries) == {"a", "prod/b"}
    assert set(read_local("main", repo=repo.folder / "prod").head.entries) == {"a", "prod/b"}
