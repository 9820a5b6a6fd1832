"""The plan against what the real `docker compose up -d` did with each recorded change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.compose.load import Cache, load_estate
from bot.deploy.plans import plans
from bot.facts.read import read_facts
from bot.local.folder_tree import FolderTree
from bot.model.change import Move
from bot.model.plan import Plan, Verb
from bot.model.project import Estate, Project
from bot.model.settings import Settings
from tests.support.cases import case_folder, case_names

DEPLOY = "docker compose -p case --profile '*' -f compose.yaml up -d"
DOES = {Verb.RECREATE: "recreate", Verb.RESTART: "restart", Verb.CREATE: "create"}


def side(folder: Path, env: dict[str, str | None]) -> tuple[Project, Settings]:
    settings = Settings(deploy=DEPLOY, files=("compose.yaml",), variables=env)
    estate, _ = load_estate(FolderTree(folder), settings, read_facts, Cache())
    return estate.projects["compose.yaml"], settings


def planned(folder: Path) -> Plan:
    case = json.loads((folder / "case.json").read_text())
    before, _ = side(folder / "base", case["env"])
    after, settings = side(folder / "head", case["env_head"])
    estates = [Estate({each.path: each}, {}) for each in (before, after)]
    return plans(*estates, (Move(before, after),), settings)[0]


def done(folder: Path) -> dict[str, str]:
    """What Compose did to containers, by service: both versions recorded the same."""
    recorded = json.loads((folder / "up.json").read_text())
    answers = [
        {thing.split(" ", 1)[1]: verb for thing, verb in each["did"].items() if thing.startswith("Container ")}
        for each in recorded.values()
    ]
    assert all(each == answers[0] for each in answers)
    return {name.removeprefix("case-").rsplit("-", 1)[0]: verb for name, verb in answers[0].items()}


def test_the_sweep_finds_cases() -> None:
    assert len(list(case_folder("compose").glob("hash-*"))) >= 80


@pytest.mark.parametrize("name", case_names("compose", "hash-"))
def test_the_plan_does_what_compose_did(name: str) -> None:
    folder = case_folder("compose") / name
    plan = planned(folder)
    told = {each.service: DOES[each.verb] for each in plan.operations if each.verb in DOES}
    assert told == done(folder)
