"""`audit`: a tree as it stands, and the page of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.run import compose_review, write_files

WAITS = "services:\n  web:\n    image: registry.example/web:1\n    depends_on: [{name}]\n  db:\n    image: registry.example/db:1\n"
GOOD, BROKEN = WAITS.format(name="db"), WAITS.format(name="dp")
CONTRACT = """\
contracts:
  - id: named
    because: Names are how people find containers.
    checks:
      - expression: service.container_name != ""
        message: service.name + " has no name"
"""


def audit(folder: Path, *options: str) -> tuple[int, dict[str, object]]:
    ran = compose_review("audit", folder, "--format", "json", *options)
    return ran.code, json.loads(ran.out)


def test_a_tree_without_fault_passes(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": GOOD, "other/compose.yaml": GOOD})
    code, found = audit(tmp_path, "--name", "example/shop", "--fail-on", "error")
    assert (code, found["verdict"], found["projects"], found["services"]) == (0, "pass", 2, 4)
    assert found["name"] == "example/shop"


def test_what_stands_there_is_found_without_any_change(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": BROKEN})
    code, found = audit(tmp_path)
    assert (code, found["verdict"]) == (1, "fail")
    assert [each["rule"] for each in found["findings"]] == ["invalid-compose"]  # type: ignore[attr-defined]
    ran = compose_review("audit", tmp_path)
    assert ran.code == 1
    assert '"dp"' in ran.out
    assert "compose.yaml:4" in ran.out


def test_contracts_are_held_too_and_levels_of_the_configuration_hold(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": GOOD, ".github/compose-review.yaml": CONTRACT})
    code, found = audit(tmp_path)
    assert (code, found["errors"]) == (1, 2)
    write_files(tmp_path, {".github/compose-review.yaml": CONTRACT.replace("  - id", "  - level: warning\n    id")})
    code, found = audit(tmp_path)
    assert (code, found["errors"], found["warnings"]) == (0, 0, 2)
    assert audit(tmp_path, "--fail-on", "warning")[0] == 1
    assert audit(tmp_path, "--fail-on", "never")[0] == 0


def test_a_file_that_cannot_be_parsed_is_no_pass(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": "services: [\n", "b/compose.yaml": GOOD})
    code, found = audit(tmp_path, "--fail-on", "never")
    assert (code, found["verdict"]) == (2, "incomplete")


def test_the_page_of_many(tmp_path: Path) -> None:
    for name, text in (("good", GOOD), ("broken", BROKEN)):
        write_files(tmp_path / name, {"compose.yaml": text})
        compose_review(
            *("audit", tmp_path / name, "--format", "json", "--name", f"example/{name}"),
            *("--output", tmp_path / f"reports-{name}.json"),
        )
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "a.json").write_text((tmp_path / "reports-good.json").read_text())
    ran = compose_review("audit", "--summarise", reports, "--expect", "example/good")
    assert ran.code == 0
    assert "| `example/good` | ✅ pass | 1 | 0 | 0 | 0 |" in ran.out
    (reports / "artifact-1").mkdir()
    (reports / "artifact-1/audit.json").write_text((tmp_path / "reports-broken.json").read_text())
    ran = compose_review("audit", "--summarise", reports)
    assert ran.code == 1
    assert "2 repositories (1 pass, 1 fail)" in ran.out
    assert ran.out.index("example/broken") < ran.out.index("example/good")


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "{", '{"kind": "audit", "schema": 2}', '{"kind": "audit", "schema": 1}']
)
def test_a_report_that_is_none_is_on_the_page_and_no_pass(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    ran = compose_review("audit", "--summarise", tmp_path)
    assert ran.code == 2
    assert "| `a` | ⚠️ incomplete | its report is none of ours |" in ran.out


def test_a_repository_that_left_no_report_is_on_the_page_and_no_pass(tmp_path: Path) -> None:
    ran = compose_review("audit", "--summarise", tmp_path, "--expect", "x|y`<b>@a")
    assert ran.code == 2
    assert r"| ``x\|y`<b>@a`` | ⚠️ incomplete | left no report |" in ran.out
    assert compose_review("audit", "--summarise", tmp_path).code == 2
    assert compose_review("audit", "--summarise", tmp_path / "none").code == 64
