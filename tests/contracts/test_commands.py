"""`contracts check` and `contracts test` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.commands.contracts import command
from bot.exit import Exit
from tests.contracts.support import one_check

FILE = "services:\n  web:\n    image: registry.example/web:1\n    restart: always\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "compose.yaml").write_text(FILE)
    return tmp_path


def ran(*args: str) -> Result:
    return CliRunner().invoke(command, args, standalone_mode=False)


def configured(tree: Path, config: str) -> Path:
    path = tree / ".github/compose-review.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(config)
    return path


def as_json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_what_is_kept(tree: Path) -> None:
    configured(tree, one_check('expression: service.image != ""'))
    result = ran("check", str(tree))
    assert result.return_value == Exit.REVIEWED
    assert result.stdout.splitlines() == ["✓ it  1 file", "", "1 contract, 0 not kept"]


def test_what_is_not(tree: Path) -> None:
    configured(tree, one_check('expression: service.restart == "no"\nmessage: service.name + " restarts"'))
    result = ran("check", str(tree), "--format", "json")
    assert result.return_value == Exit.FINDINGS
    assert as_json(result) == {
        "contracts": [
            {
                "id": "it",
                "status": "failed",
                "level": "error",
                "files": 1,
                "why": None,
                "violations": [
                    {
                        "file": "compose.yaml",
                        "line": 4,
                        "end_line": 4,
                        "service": "web",
                        "check": "1",
                        "message": "web restarts",
                    }
                ],
            }
        ]
    }


def test_a_warning_fails_only_who_asks_for_it(tree: Path) -> None:
    configured(tree, one_check('expression: service.restart == "no"', "level: warning"))
    assert ran("check", str(tree)).return_value == Exit.REVIEWED
    assert ran("check", str(tree), "--fail-on", "warning").return_value == Exit.FINDINGS


def test_a_configuration_may_stand_elsewhere(tree: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(one_check('expression: service.image != ""'))
    result = ran("check", str(tree), "--config", str(other), "--output", str(tmp_path / "out.json"), "--format", "json")
    assert result.stdout == ""
    assert json.loads((tmp_path / "out.json").read_text())["contracts"][0]["status"] == "passed"


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (one_check("expression: service.nmae == ''"), "compose-review.yaml:6: contract it, check 1: unknown field"),
        ("compose: {}\n", "there are no contracts"),
        ("use: [pinned]\n", "unknown pack `pinned`"),
    ],
)
def test_wrong_use_is_told_with_its_line(tree: Path, config: str, says: str) -> None:
    configured(tree, config)
    result = ran("check", str(tree))
    assert result.exception is not None
    assert says in str(result.exception.format_message())  # type: ignore[attr-defined]


def test_what_files_say_cannot_play_with_the_terminal(tree: Path) -> None:
    (tree / "compose.yaml").write_text(FILE.replace("always", '"a\\e[31m\\u202eb"'))
    configured(tree, one_check('expression: service.restart == "no"\nmessage: service.restart'))
    assert "\x1b" not in ran("check", str(tree)).stdout
    assert "\u202e" not in ran("check", str(tree)).stdout


def test_checks_that_can_fail(tree: Path) -> None:
    configured(tree, one_check('id: image\nexpression: service.image.startsWith("registry.example/")'))
    result = ran("test", str(tree), "--jobs", "1", "--format", "json")
    assert result.return_value == Exit.REVIEWED
    found = as_json(result)
    assert found["contracts"][0]["status"] == "tested"
    assert found["contracts"][0]["checks"] == [
        {"id": "image", "killed": found["contracts"][0]["killed"], "shown_by_example": False}
    ]
    assert found["mutants"] == found["killed"] + len(found["survivors"])
    assert {"file", "line", "service", "mutant", "contracts"} <= set(found["survivors"][0])


def test_one_that_cannot(tree: Path) -> None:
    configured(tree, one_check("expression: service.image == service.image"))
    result = ran("test", str(tree), "--jobs", "1")
    assert result.return_value == Exit.FINDINGS
    assert "✗ contract it is vacuous: it noticed none of the mutants it looks at" in result.stdout
    assert "mutants" in result.stderr


def test_examples_are_tried_too(tree: Path) -> None:
    wrong = "keeps:\n  - |\n    services:\n      a:\n        image: other/a:1"
    configured(tree, one_check('expression: service.image.startsWith("registry.example/")', wrong))
    result = ran("test", str(tree), "--jobs", "1")
    assert result.return_value == Exit.FINDINGS
    assert "the example keeps it, it says, and does not" in result.stdout
