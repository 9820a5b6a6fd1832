"""`compose-review review` as its users and their pipelines see it: pages, exit codes, clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.exit import Exit
from tests.support.run import compose_review, write_files

WEB = "services:\n  web:\n    image: registry.example/web:1.0\n"
DANGLING = "services:\n  web:\n    image: registry.example/web:1.0\n    depends_on: [api]\n"
FLOATING = "services:\n  web:\n    image: registry.example/web\n"


@pytest.fixture
def quiet(tmp_path: Path) -> Path:
    return case(tmp_path, WEB, WEB.replace("1.0", "1.1"))


def case(folder: Path, base: str, head: str) -> Path:
    write_files(folder / "base", {"compose.yaml": base})
    write_files(folder / "head", {"compose.yaml": head})
    return folder


def test_a_quiet_change_passes_with_0(quiet: Path) -> None:
    ran = compose_review("review", "--case", quiet)
    assert ran.code == Exit.REVIEWED
    assert ran.out.startswith("Compose review: looks good to merge")


def test_a_refused_file_fails_with_1(tmp_path: Path) -> None:
    ran = compose_review("review", "--case", case(tmp_path, WEB, DANGLING))
    assert ran.code == Exit.FINDINGS
    assert 'depends on undefined service "api"' in ran.out


@pytest.mark.parametrize(("fail_on", "code"), [("never", 0), ("error", 0), ("warning", 1)])
def test_fail_on_decides_what_fails(tmp_path: Path, fail_on: str, code: int) -> None:
    head = "services:\n  web:\n    image: registry.example/web:1.0\n    environment: {PORT: 0888}\n    mem_limit: 1g\n"
    listed = compose_review("review", "--case", case(tmp_path, WEB, head), "--format", "json").json
    levels = {each["level"] for each in listed["findings"]}
    assert levels == {"warning"}
    assert compose_review("review", "--case", tmp_path, "--fail-on", fail_on).code == code


def test_every_format_is_whole(quiet: Path) -> None:
    assert compose_review("review", "--case", quiet, "--format", "markdown").out.startswith("<!-- compose-review:")
    assert compose_review("review", "--case", quiet, "--format", "json").json["verdict"] == "pass"
    assert compose_review("review", "--case", quiet, "--format", "sarif").json["version"] == "2.1.0"
    assert compose_review("review", "--case", quiet, "--format", "github").code == 0


def test_output_writes_a_file_and_prints_nothing(quiet: Path, tmp_path: Path) -> None:
    ran = compose_review("review", "--case", quiet, "--format", "json", "--output", tmp_path / "out.json")
    assert ran.out == ""
    assert json.loads((tmp_path / "out.json").read_text())["verdict"] == "pass"


def test_two_runs_say_the_same(quiet: Path) -> None:
    first = compose_review("review", "--case", quiet, "--format", "json").out
    assert compose_review("review", "--case", quiet, "--format", "json").out == first


def test_the_last_comment_is_memory(tmp_path: Path) -> None:
    folder = case(tmp_path, WEB, DANGLING)
    first = compose_review("review", "--case", folder, "--format", "markdown").out
    (tmp_path / "last.md").write_text(first)
    second = compose_review("review", "--case", folder, "--previous", tmp_path / "last.md", "--format", "json").json
    assert (second["round"], second["findings"][0]["status"], second["findings"][0]["since"]) == (2, "open", 1)
    write_files(folder / "head", {"compose.yaml": WEB.replace("1.0", "1.1")})
    third = compose_review("review", "--case", folder, "--previous", tmp_path / "last.md", "--format", "json").json
    assert [each["rule"] for each in third["resolved"]] == ["invalid-compose"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--round", "3"], "no round 3"),
        (["--base", "main"], "leave out --base and --head"),
        (["--format", "yaml"], "'yaml' is not one of"),
        (["--pr", "no-such.json"], "no-such.json"),
        (["--config", "no-such.yaml"], "no-such.yaml"),
    ],
)
def test_wrong_usage_is_said_and_ends_with_64(quiet: Path, arguments: list[str], says: str) -> None:
    ran = compose_review("review", "--case", quiet, *arguments)
    assert ran.code == Exit.USAGE
    assert says in ran.err


def test_an_unknown_configuration_key_is_refused_with_its_line(quiet: Path) -> None:
    (quiet / "config.yaml").write_text("review:\n  fail_onn: never\n")
    ran = compose_review("review", "--case", quiet, "--config", quiet / "config.yaml")
    assert ran.code == Exit.USAGE
    assert "config.yaml:2" in ran.err
    assert "fail_on" in ran.err


def test_a_rule_switched_off_in_base_s_configuration_is_silent(tmp_path: Path) -> None:
    folder = case(tmp_path, WEB, DANGLING)
    for side in ("base", "head"):
        write_files(folder / side, {".github/compose-review.yaml": "rules:\n  invalid-compose: off\n"})
    assert compose_review("review", "--case", folder, "--format", "json").json["findings"] == []


def test_a_pull_request_cannot_relax_its_own_gate(tmp_path: Path) -> None:
    folder = case(tmp_path, WEB, DANGLING)
    write_files(folder / "head", {".github/compose-review.yaml": "rules:\n  invalid-compose: off\n"})
    assert compose_review("review", "--case", folder).code == Exit.FINDINGS
