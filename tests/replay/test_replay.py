"""Past pull requests of a small repository, replayed as a maintainer would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.replay.pulls import ListError, PastPull, read_list
from tests.support.repo import Repo
from tests.support.run import compose_review

BASE = "services:\n  web:\n    image: registry.example/web:1\n    depends_on: [api]\n  api:\n    image: registry.example/api:1\n"


@pytest.fixture
def past(tmp_path: Path) -> tuple[Repo, list[dict[str, object]]]:
    """A quiet pull request, one that breaks a reference, and one that coerces a number."""
    repo = Repo(tmp_path / "repo")
    root = repo.commit({"compose.yaml": BASE}, "begin")
    pulls: list[dict[str, object]] = []
    for number, text in enumerate(
        (
            BASE.replace("    depends_on", "    init: true\n    depends_on"),
            BASE.replace("  api:\n", "  apo:\n"),
            BASE + "    environment:\n      VERSION: 1.10\n",
        ),
        start=1,
    ):
        repo.git("checkout", "-q", "-b", f"topic-{number}", root)
        head = repo.commit({"compose.yaml": text}, f"change {number}")
        pulls.append({"number": number, "title": f"Change {number}", "base": root, "head": head})
    return repo, pulls


def listed(folder: Path, pulls: object) -> Path:
    path = folder / "pulls.json"
    path.write_text(json.dumps(pulls))
    return path


def test_the_table_counts_hits_and_pull_requests(past: tuple[Repo, list[dict[str, object]]], tmp_path: Path) -> None:
    repo, pulls = past
    ran = compose_review("replay", repo.folder, "--pulls", listed(tmp_path, pulls), "--format", "json")
    told = json.loads(ran.out)
    assert ran.code == 0
    assert {(each["rule"], each["level"], each["hits"], each["pulls"]) for each in told["rules"]} >= {
        ("invalid-compose", "error", 1, 1),
        ("number-coerced", "warning", 1, 1),
    }
    assert (told["pulls"], told["with_errors"], told["warnings_and_errors"]["median"]) == (3, 1, 1)
    assert (told["gaps"], told["crashes"]) == ([], [])
    assert "hits" not in told


def test_quiet_pull_requests_make_an_empty_table(past: tuple[Repo, list[dict[str, object]]], tmp_path: Path) -> None:
    repo, pulls = past
    ran = compose_review("replay", repo.folder, "--pulls", listed(tmp_path, pulls[:1]))
    assert ran.code == 0
    assert "no rule has anything to say" in ran.out


def test_two_processes_say_the_same_as_one(past: tuple[Repo, list[dict[str, object]]], tmp_path: Path) -> None:
    repo, pulls = past
    path = listed(tmp_path, pulls * 3)
    one, two = (
        compose_review("replay", repo.folder, "--pulls", path, "--hits", "--format", "json", "--jobs", jobs).out
        for jobs in ("1", "2")
    )
    assert one == two
    assert len(json.loads(one)["hits"]) >= 6


def test_a_missing_commit_is_said_and_the_rest_is_reviewed(
    past: tuple[Repo, list[dict[str, object]]], tmp_path: Path
) -> None:
    repo, pulls = past
    path = listed(tmp_path, [pulls[1], {**pulls[0], "number": 9, "head": "f" * 40}])
    for name in ("terminal", "markdown"):
        ran = compose_review("replay", repo.folder, "--pulls", path, "--format", name)
        assert ran.code == 2
        assert "#9 not looked at" in ran.out
        assert "invalid-compose" in ran.out


def test_the_configuration_of_each_base_counts_and_another_may_be_given(
    past: tuple[Repo, list[dict[str, object]]], tmp_path: Path
) -> None:
    repo, pulls = past
    config = tmp_path / "quiet.yaml"
    config.write_text("rules:\n  number-coerced: off\n")
    ran = compose_review("replay", repo.folder, "--pulls", listed(tmp_path, pulls[2:]), "--config", config)
    assert "number-coerced" not in ran.out
    config.write_text("rules:\n  no-such-rule: off\n")
    assert compose_review("replay", repo.folder, "--pulls", listed(tmp_path, pulls), "--config", config).code == 64


def test_lines_of_text_are_a_list_too(tmp_path: Path) -> None:
    path = tmp_path / "pulls.txt"
    path.write_text("# base head\n\nmain~1 main\na b 12\na b #13 A title, of words\n")
    assert read_list(path) == (
        PastPull("main~1", "main"),
        PastPull("a", "b", 12),
        PastPull("a", "b", 13, "A title, of words"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no pull request"),
        ("[]", "no pull request"),
        ("[1]", "entry 1 needs"),
        ('[{"head": "a"}]', "entry 1 needs"),
        ('[{"head": "a", "base": 3}]', "entry 1 needs"),
        ('[{"head": "--upload-pack=x", "base": "a"}]', "no revision"),
        ('{"a": 1}', "a list"),
        ("[", "not JSON"),
        ("one\n", "line 1"),
        ("a b\na b c\n", "line 2"),
        ("-a b\n", "line 1"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "pulls"
    path.write_text(text)
    with pytest.raises(ListError, match=said):
        read_list(path)
    assert compose_review("replay", tmp_path, "--pulls", path).code == 64
