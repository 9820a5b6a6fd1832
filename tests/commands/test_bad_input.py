"""Bad input, end to end: every kind gets a clear word with file and line, the rest is reviewed, nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.repo import Repo, clone
from tests.support.run import Ran, compose_review, write_files

GOOD = "services:\n  web:\n    image: registry.example/web:1.0\n"
BETTER = GOOD + "    init: true\n"

# What stands in head's other.yaml, and how the review names it.
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(8)
)
BROKEN: dict[str, tuple[bytes, str, int]] = {
    "broken yaml": (b"services:\n  web: [a\n  image: b\n", "other.yaml", 3),
    "a duplicate key": (b"services:\n  web:\n    image: a\n    image: b\n", "already defined at line 3", 4),
    "a tab indent": (b"services:\n  web:\n\timage: a\n", "tab", 3),
    "latin-1": ("services:\n  web:\n    image: caf\u00e9\n".encode("latin-1"), "not UTF-8", 3),
    "a binary": (b"services:\n  web: \0\1\2\n", "NUL", 2),
    "an alias bomb": (b"services:\n  web:\n    image: a\n" + BOMB.encode(), "alias", 0),
    "a recursive anchor": (b"services:\n  web: &web\n    image: a\n    labels: *web\n", "other.yaml", 0),
}


def reviewed(folder: Path, head: dict[str, str | bytes], base: dict[str, str | bytes] | None = None) -> Ran:
    write_files(folder / "base", base if base is not None else {"compose.yaml": GOOD, "other.yaml": GOOD})
    write_files(folder / "head", {"compose.yaml": BETTER, **head})
    return compose_review("review", "--case", folder, "--format", "json")


def services(review: Any) -> set[tuple[str, str]]:
    return {(each["file"], each["service"]) for each in review["summary"]["services"]}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_named_with_its_line_and_the_rest_is_reviewed(name: str, tmp_path: Path) -> None:
    data, word, line = BROKEN[name]
    started = time.process_time()
    ran = reviewed(tmp_path, {"other.yaml": data})
    assert time.process_time() - started < 5
    (found,) = (each for each in ran.json["findings"] if each["rule"] == "invalid-compose")
    assert found["file"] == "other.yaml"
    assert found["line"] == line or line == 0
    assert word in found["message"] or word == found["file"]
    assert ("compose.yaml", "web") in services(ran.json)
    assert ran.code in (1, 2)


@pytest.mark.parametrize("name", ["broken yaml", "latin-1", "a binary", "an alias bomb"])
def test_what_cannot_be_parsed_is_a_gap_and_no_pass(name: str, tmp_path: Path) -> None:
    ran = reviewed(tmp_path, {"other.yaml": BROKEN[name][0]})
    assert (ran.code, ran.json["verdict"]) == (2, "incomplete")
    assert [each["what"] for each in ran.json["gaps"]] == ["other.yaml"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a byte order mark", b"\xef\xbb\xbf" + GOOD.encode()),
        ("windows line ends", GOOD.replace("\n", "\r\n").encode()),
    ],
)
def test_what_compose_reads_is_no_complaint(name: str, data: bytes, tmp_path: Path) -> None:
    ran = reviewed(tmp_path, {"other.yaml": data})
    assert (ran.code, ran.json["findings"]) == (0, []), name


@pytest.mark.parametrize("data", [b"", b"# nothing yet\n"])
def test_an_empty_file_is_no_compose_file_any_more(data: bytes, tmp_path: Path) -> None:
    ran = reviewed(tmp_path, {"other.yaml": data})
    assert ran.code in (0, 1)
    assert "other.yaml" in {each["path"] for each in ran.json["summary"]["files"]}


def test_a_file_of_sixty_megabytes_is_a_gap_and_costs_little(tmp_path: Path) -> None:
    big = GOOD.encode() + b"# " + b"x" * 60_000_000 + b"\n"
    started = time.process_time()
    ran = reviewed(tmp_path, {"other.yaml": big})
    assert time.process_time() - started < 5
    assert ran.json["verdict"] == "incomplete"
    assert "other.yaml" in {each["what"] for each in ran.json["gaps"]}
    assert ("compose.yaml", "web") in services(ran.json)


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text(GOOD.replace("web:1.0", "secret:9"))
    write_files(tmp_path / "case" / "head", {})
    os.symlink(secret, tmp_path / "case" / "head" / "linked.yaml")
    ran = reviewed(tmp_path / "case", {"other.yaml": GOOD})
    assert ran.code == 0
    assert "secret:9" not in ran.out


@pytest.mark.parametrize(
    "name", ["with space.yaml", "it's.yaml", 'a"b.yaml', "new\nline.yaml", "w\u00fcrfel-\u6771.yaml", "-rf.yaml"]
)
def test_any_file_name_is_reviewed_and_shown_on_one_line(name: str, tmp_path: Path) -> None:
    ran = reviewed(tmp_path, {name: BETTER, "other.yaml": GOOD}, {"compose.yaml": GOOD, "other.yaml": GOOD, name: GOOD})
    assert ran.code == 0
    assert (name, "web") in services(ran.json)
    page = compose_review("review", "--case", tmp_path, "--format", "markdown").out
    assert "new\nline" not in page


def test_five_thousand_changed_files_are_reviewed(tmp_path: Path) -> None:
    base: dict[str, str | bytes] = {f"notes/{number}.txt": "old\n" for number in range(5000)}
    head: dict[str, str | bytes] = {f"notes/{number}.txt": "new\n" for number in range(5000)}
    ran = reviewed(tmp_path, {**head, "other.yaml": GOOD}, {**base, "compose.yaml": GOOD, "other.yaml": GOOD})
    assert ran.code == 0
    assert ("compose.yaml", "web") in services(ran.json)
    assert len(compose_review("review", "--case", tmp_path, "--format", "markdown").out) < 65_000


def program(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", "review", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )


def test_an_unknown_revision_ends_with_64_and_a_word(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"compose.yaml": GOOD})
    done = program("--base", "mian", folder=repo.folder)
    assert done.returncode == 64
    assert "mian" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_repository_ends_with_a_word(tmp_path: Path) -> None:
    done = program(folder=tmp_path)
    assert done.returncode in (2, 64)
    assert "repository" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_shallow_clone_without_the_base_says_what_to_fetch(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    first = repo.commit({"compose.yaml": GOOD})
    repo.commit({"compose.yaml": BETTER})
    shallow = clone(repo, tmp_path / "shallow", "--depth", "1")
    done = program("--base", first, "--head", "HEAD", folder=shallow.folder)
    assert done.returncode in (2, 64)
    assert "fetch" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_submodule_is_listed_and_not_entered(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    first = repo.commit({"compose.yaml": GOOD})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendored")
    repo.git("commit", "-q", "-m", "vendored")
    done = program("--base", first, "--head", "HEAD", "--format", "json", folder=repo.folder)
    assert done.returncode == 0, done.stderr
    assert '"vendored"' in done.stdout
