"""Variants of the real pull request: the same facts under other names, and one fact changed at a time."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import case_folder
from tests.support.run import compose_review

Edit = Callable[[str, str], str]


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Round 1 as a case of its own, to be edited."""
    source = case_folder("seed-pr")
    shutil.copytree(source / "base", tmp_path / "case" / "base")
    shutil.copytree(source / "round-1", tmp_path / "case", dirs_exist_ok=True)
    return tmp_path / "case"


def edit(case: Path, change: Edit, sides: tuple[str, ...] = ("head",)) -> None:
    for side in sides:
        for path in sorted((case / side).rglob("*")):
            if path.is_file():
                text = path.read_text()
                path.write_text(change(path.name, text))


def body(case: Path, old: str, new: str) -> None:
    facts = json.loads((case / "pr.json").read_text())
    assert old in facts["body"]
    facts["body"] = facts["body"].replace(old, new)
    (case / "pr.json").write_text(json.dumps(facts))


def rules(case: Path) -> dict[str, Any]:
    found = compose_review("review", "--case", case, "--format", "json").json
    return {each["rule"]: each for each in found["findings"] if each["rule"] != "stale-content-pin"}


def excluded(case: Path) -> list[str]:
    found = compose_review("review", "--case", case, "--format", "json").json
    return [each["rule"] for each in found["excluded"]]


def test_other_names_give_the_same_review(case: Path) -> None:
    renames = {
        "graphistry": "papermill",
        "zai-org": "acme",
        "z-ai": "acme-ai",
        "GLM-5.3-Flash": "Otter-9",
        "glm-5.3-flash": "otter-9",
        "model-downloader": "fetcher",
        "GLM-5.3 Flash": "Otter-9",
        "small-models": "odds-and-ends",
        "glm53": "otter9",
    }

    def renamed(_: str, text: str) -> str:
        for old, new in renames.items():
            text = text.replace(old, new)
        return text

    edit(case, renamed, ("base", "head"))
    for side in ("base", "head"):
        for path in sorted((case / side).rglob("*")):
            if path.is_file() and renamed("", path.name) != path.name:
                path.rename(path.with_name(renamed("", path.name)))
    (case / "pr.json").write_text(renamed("", (case / "pr.json").read_text()))
    assert list(rules(case)) == ["overstated-claim", "cold-start-coupling"]
    assert excluded(case) == ["twin-left-behind"]


def test_a_download_that_may_fail_is_no_gate(case: Path) -> None:
    def forgiven(_: str, text: str) -> str:
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if "GLM-5.3-Flash-W4AFP8" in lines[number - 1] and "99f1fa70" in line and not line.rstrip().endswith("\\"):
                lines[number] = f"{line} || true"
        return "\n".join(lines)

    edit(case, forgiven)
    assert "cold-start-coupling" not in rules(case)


def test_engines_that_use_the_new_snapshot_may_wait_for_it(case: Path) -> None:
    edit(
        case,
        lambda name, text: (
            text.replace("models--zai-org--GLM-5.3-Flash/", "models--graphistry--GLM-5.3-Flash-W4AFP8/").replace(
                "84c6a6aa", "84c6a6aa"
            )
            if "TP4" in name and "Canary" not in name
            else text
        ),
    )
    found = rules(case)
    assert (
        "cold-start-coupling" not in found
        or "although they do not use it" not in found["cold-start-coupling"]["message"]
    )


def test_a_comment_that_is_true_is_left_alone(case: Path) -> None:
    edit(
        case,
        lambda _, text: text.replace(
            "Every GLM-5.3 Flash file", "Every dedicated GLM-5.3 Flash TP4 file (not prod/small-models.yaml)"
        ).replace("like every GLM-5.3 Flash file's", "like every dedicated GLM-5.3 Flash TP4 file's"),
    )
    assert list(rules(case)) == ["cold-start-coupling"]


def test_without_the_author_s_exclusion_the_left_out_file_is_a_finding(case: Path) -> None:
    facts = json.loads((case / "pr.json").read_text())
    facts["body"] = "\n".join(line for line in facts["body"].split("\n") if "small-models" not in line)
    (case / "pr.json").write_text(json.dumps(facts))
    edit(
        case,
        lambda _, text: text.replace("Every GLM-5.3 Flash file also", "This file also").replace(
            "like every GLM-5.3 Flash file's", "like this file's"
        ),
    )
    found = rules(case)
    assert "twin-left-behind" in found or "overstated-claim" in found
    assert excluded(case) == []


@pytest.mark.parametrize("comment", [True, False])
def test_the_exclusion_may_be_stated_elsewhere(case: Path, comment: bool) -> None:
    facts = json.loads((case / "pr.json").read_text())
    facts["body"] = "\n".join(line for line in facts["body"].split("\n") if "small-models" not in line)
    (case / "pr.json").write_text(json.dumps(facts))

    def stated(name: str, text: str) -> str:
        text = text.replace("Every GLM-5.3 Flash file also", "This file also").replace(
            "like every GLM-5.3 Flash file's", "like this file's"
        )
        if comment and name.endswith("TP4.yaml"):
            return f"# prod/small-models.yaml is not affected.\n{text}"
        if not comment and name == "README.md":
            return f"{text}\n`prod/small-models.yaml` does not fetch the W4AFP8 snapshot.\n"
        return text

    edit(case, stated)
    assert "twin-left-behind" not in rules(case)
    assert excluded(case) == ["twin-left-behind"]
