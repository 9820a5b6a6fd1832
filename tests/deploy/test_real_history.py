"""Merged pull requests of a real repository: what the deploy's rules say of them, and what all plans cost."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from bot.app import Examined, examine, moves_of
from bot.change.files import changed_files
from bot.compose.load import Cache, load_estate
from bot.deploy.plans import plans
from bot.facts.read import reader
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.model.finding import Finding, Level
from bot.model.pull import Pull
from bot.model.settings import Settings
from bot.ports import Reading
from tests.support.cases import case_folder


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    mirror = tmp_path_factory.mktemp("history") / "history.git"
    bundle = str(case_folder("history") / "history.bundle")
    subprocess.run(["git", "clone", "-q", "--mirror", bundle, str(mirror)], check=True, capture_output=True)
    return Repository(mirror)


def pull(number: int) -> dict[str, Any]:
    recorded = json.loads((case_folder("history") / "pull_requests.json").read_text())
    (found,) = (each for each in recorded if each["number"] == number)
    return dict(found)


def reviewed(repository: Repository, base: str, head: str, title: str = "") -> Examined:
    trees = [tree_of(repository.store, repository.commit(each)) for each in (base, head)]
    return examine(Reading(Pull(title=title), *trees, base_name="base", head_name="head"), Settings())


def found(result: Examined, rule: str, level: Level) -> list[Finding]:
    assert not result.findings.crashes
    return [each for each in result.findings.findings if each.rule == rule and each.level is level]


@pytest.mark.parametrize("number", [113, 174, 177, 180, 189])
def test_an_engine_that_gives_way_on_its_gpus_is_one_finding(repository: Repository, number: int) -> None:
    about = pull(number)
    result = reviewed(repository, about["merge_base"], about["head"], about["title"])
    (said,) = found(result, "orphan-removal", Level.WARNING)
    assert "(up to 5m)" in said.says
    assert "on GPU " in said.says


@pytest.mark.parametrize(("number", "services"), [(94, 100), (115, 26)])
def test_edits_of_labels_are_one_finding_with_the_count(repository: Repository, number: int, services: int) -> None:
    about = pull(number)
    result = reviewed(repository, about["merge_base"], about["head"], about["title"])
    (said,) = found(result, "unannounced-recreate", Level.WARNING)
    count = int(said.says.split(" for ")[1].split(" ")[0])
    assert count >= services


def test_a_defect_that_a_renamed_service_made_is_named_at_its_file(repository: Repository) -> None:
    defects = json.loads((case_folder("history") / "known_defects.json").read_text())
    (defect,) = (each for each in defects if each["id"] == "intra-99-orphan")
    result = reviewed(repository, f"{defect['bad']}^", defect["bad"])
    (said,) = found(result, "orphan-removal", Level.WARNING)
    assert said.at.file in defect["files"]


def test_all_plans_of_the_newest_change_cost_little_beyond_loading(repository: Repository) -> None:
    newest = pull(189)
    trees = [tree_of(repository.store, repository.commit(newest[each])) for each in ("merge_base", "merge")]
    cache, read_facts = Cache(), reader({})
    base, head = (load_estate(tree, Settings(), read_facts, cache)[0] for tree in trees)
    moves = moves_of(base, head, changed_files(*trees))
    start = time.perf_counter()
    assert plans(base, head, moves, Settings())
    assert time.perf_counter() - start < 0.2


def test_the_sweep_finds_pull_requests() -> None:
    assert len(json.loads((Path(case_folder("history")) / "pull_requests.json").read_text())) == 142


@pytest.mark.parametrize("revision", ["main", "main~20"])
def test_a_tree_against_itself_has_nothing_to_say(repository: Repository, revision: str) -> None:
    result = reviewed(repository, revision, revision)
    assert (result.findings.findings, result.findings.gaps, result.change.moves) == ((), (), ())
