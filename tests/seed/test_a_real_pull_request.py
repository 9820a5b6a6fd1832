"""The real pull request this product is modelled on: what its reviewer said, from facts alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import case_folder
from tests.support.run import compose_review

Json = dict[str, Any]


@pytest.fixture(scope="module")
def first() -> Json:
    return reviewed(1)


@pytest.fixture(scope="module")
def second() -> Json:
    return reviewed(2)


def reviewed(round_: int, *more: str | Path) -> Json:
    ran = compose_review("review", "--case", case_folder("seed-pr"), "--round", str(round_), "--format", "json", *more)
    assert ran.code == 0
    found: Json = ran.json
    return found


def places(finding: Json) -> list[str]:
    """The finding's own line and its twins' lines, files by the end of their names."""
    at = [finding, *finding["twins"]]
    return [f"{Path(each['file']).stem.split('-')[-1]}:{each['line']}" for each in at]


def ranges(finding: Json) -> list[str]:
    return [
        f"{Path(each['file']).stem.split('-')[-1]}:{each['line']}-{each['end_line']}" for each in finding["related"]
    ]


def test_both_rounds_pass_with_exactly_the_findings_of_the_reviewer(first: Json, second: Json) -> None:
    assert [(each["rule"], each["level"], each["certainty"], each["status"]) for each in first["findings"]] == [
        ("overstated-claim", "warning", "sure", "new"),
        ("cold-start-coupling", "warning", "sure", "new"),
    ]
    assert [(each["rule"], each["level"], each["status"]) for each in second["findings"]] == [
        ("cold-start-coupling", "warning", "open"),
    ]
    assert (first["verdict"], second["verdict"]) == ("pass", "pass")


def test_the_overstated_comment_is_one_finding_at_its_five_places(first: Json) -> None:
    claim = first["findings"][0]
    assert places(claim) == ["TP4:171", "HiCache:180", "LongContext:223", "Canary:236", "README:82"]
    assert "models:574-577" in ranges(claim)


def test_the_coupling_names_the_gates_of_every_engine(first: Json, second: Json) -> None:
    gates = [each for each in ranges(first["findings"][1]) if not each.startswith("models")]
    assert set(gates) >= {
        "TP4:343-345",
        "TP4:380-382",
        "LongContext:403-405",
        "LongContext:514-516",
        "HiCache:352-354",
        "HiCache:470-472",
    }
    assert not [each for each in gates if each.startswith("Canary")]
    assert "TP4:344-346" in ranges(second["findings"][0])


def test_a_finding_keeps_its_name_when_its_lines_move(first: Json, second: Json) -> None:
    assert second["findings"][0]["fingerprint"] == first["findings"][1]["fingerprint"]
    assert second["findings"][0]["since"] == 1


def test_the_narrowed_wording_resolves_the_first_finding(first: Json, second: Json) -> None:
    assert [each["rule"] for each in second["resolved"]] == ["overstated-claim"]
    assert second["resolved"][0]["fingerprint"] == first["findings"][0]["fingerprint"]


@pytest.mark.parametrize("round_", [1, 2])
def test_the_excluded_file_is_listed_with_the_author_s_words(round_: int) -> None:
    excluded = reviewed(round_)["excluded"]
    assert [(each["rule"], Path(each["file"]).name) for each in excluded] == [("twin-left-behind", "small-models.yaml")]
    assert "small-models" in excluded[0]["quote"]


@pytest.mark.parametrize("round_", [1, 2])
def test_the_summary_says_what_changes_and_confirms_what_does_not(round_: int) -> None:
    summary = reviewed(round_)["summary"]
    assert {(each["service"], each["change"]) for each in summary["services"]} == {("model-downloader", "modified")}
    assert len(summary["services"]) == 3
    assert [Path(each["path"]).stem.split("-")[-1] for each in summary["files"] if each["comments_only"]] == ["Canary"]
    said = {each["quote"]: each["holds"] for each in summary["statements"]}
    assert said["No engine, proxy, routing or telemetry change"] is True


def test_the_pin_of_the_changed_file_is_a_check_that_passed(first: Json) -> None:
    checks = {check["name"]: check for check in first["checks"]}
    assert "scripts/pins.py" in checks["content pins are renewed"]["detail"]
    assert {check["status"] for check in checks.values()} == {"passed"}
    assert set(checks) >= {"changed files are valid Compose", "references resolve"}


def test_the_repository_s_configuration_changes_no_finding() -> None:
    config = case_folder("seed-pr") / "config.yaml"
    assert [each["rule"] for each in reviewed(1, "--config", config)["findings"]] == [
        "overstated-claim",
        "cold-start-coupling",
    ]
