"""Change detection on real input: awkward paths, a real pull request, and every recorded one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.change.files import changed_files
from bot.change.pins import content_pins
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.local.source import read_local
from bot.model.change import FileChange, FileKind
from tests.support.cases import case_folder
from tests.support.repo import Repo

Expected = dict[str, Any]


def put(repo: Repo, path: str, kind: str, number: int, added: list[int], *, after: bool) -> None:
    """A file of a kind, before or after a change of some of its lines."""
    full = repo.folder / path
    full.parent.mkdir(parents=True, exist_ok=True)
    if kind == "symlink":
        full.symlink_to("moved.yaml" if after else "a.yaml")
    elif kind == "submodule":
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{path}")
    elif kind == "binary":
        full.write_bytes(b"\0after" if after else b"\0before")
    elif kind != "empty":
        lines = [f"{number} line {line}{' changed' * (after and line in added)}\n" for line in range(1, 6)]
        full.write_text("".join(lines))
        if kind == "mode":
            full.chmod(0o755 if after else 0o644)
    else:
        full.write_text("")


def described(file: FileChange) -> Expected:
    kind = "mode" if file.mode_only else str(file.kind)
    found: Expected = {"path": file.path, "kind": kind, "status": str(file.status)}
    if file.old_path != file.path:
        found["old"] = file.old_path
    if kind in (FileKind.TEXT, FileKind.EMPTY):
        found["added"] = [line for line in range(1, 10) if file.touches(line)]
    return found


def test_awkward_paths_come_out_as_listed(tmp_path: Path) -> None:
    listed = json.loads((case_folder("reports/bot-07-awkward-paths-in-diff") / "paths.json").read_text())
    assert len(listed) == 12
    repo = Repo(tmp_path / "repo")
    for number, each in enumerate(listed):
        if each["status"] != "added":
            put(repo, each.get("old", each["path"]), each["kind"], number, [], after=False)
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "base")
    for path in repo.folder.rglob("*"):
        if path.is_symlink() or (path.is_file() and ".git" not in path.relative_to(repo.folder).parts):
            path.unlink()
    repo.git("add", "-A")
    for number, each in enumerate(listed):
        if each["kind"] != "submodule":
            put(repo, each["path"], each["kind"], number, each.get("added", []), after=True)
    repo.git("add", "-A")
    for number, each in enumerate(listed):
        if each["kind"] == "submodule":
            put(repo, each["path"], each["kind"], number, [], after=True)
    repo.git("commit", "-q", "-m", "head")
    reading = read_local("HEAD~1", "HEAD", repo=repo.folder)
    found = [described(file) for file in changed_files(reading.base, reading.head)]
    assert found == [{key: value for key, value in each.items() if key not in ("target", "mode")} for each in listed]


@pytest.mark.parametrize("number", [1, 2])
def test_a_real_pull_request(number: int) -> None:
    reading = read_local(case=case_folder("seed-pr"), round_=number)
    files = changed_files(reading.base, reading.head)
    assert len(files) == 6
    assert [file.path for file in files if file.comments_only] == [
        next(file.path for file in files if file.path.endswith("-Canary.yaml"))
    ]
    (pin,) = content_pins(reading.base, reading.head, files)
    assert (pin.at.file, pin.now, pin.renewed == pin.at) == ("scripts/pins.py", None, True)
    assert (reading.pull.number, len(reading.pull.children)) == (293, 2)


def test_every_recorded_pull_request_changes_what_git_says(tmp_path: Path) -> None:
    folder = case_folder("history")
    mirror = tmp_path / "history.git"
    subprocess.run(
        ["git", "clone", "-q", "--mirror", str(folder / "history.bundle"), str(mirror)], check=True, capture_output=True
    )
    store = Repository(mirror).store
    pulls = json.loads((folder / "pull_requests.json").read_text())
    assert len(pulls) > 100
    for pull in pulls:
        files = changed_files(tree_of(store, pull["merge_base"]), tree_of(store, pull["head"]))
        found = {(file.path, file.old_path, *counts(file)) for file in files}
        assert found == git_says(mirror, pull["merge_base"], pull["head"]), pull["number"]
        assert not [file for file in files if file.unread]


def counts(file: FileChange) -> tuple[str, str]:
    return (
        str(sum(len(hunk.added) for hunk in file.hunks)),
        str(sum(len(hunk.removed) for hunk in file.hunks)),
    )


def git_says(repo: Path, base: str, head: str) -> set[tuple[str, str, str, str]]:
    """Path, old path, and the numbers of lines added and removed."""
    out = subprocess.run(
        ["git", "diff", "--numstat", "-z", "-M", base, head], cwd=repo, check=True, capture_output=True
    ).stdout.decode()
    fields = iter(out.split("\0")[:-1])
    found = set()
    for field in fields:
        added, removed, path = field.split("\t")
        old = path or next(fields)
        found.add((path or next(fields), old, added, removed))
    return found
