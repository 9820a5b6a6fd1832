"""The real pull request that the product is modelled on: its Deploy lines."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from bot.app import examine
from bot.cli import cli
from bot.local.source import read_local
from bot.model.change import Change
from bot.model.facts import Role
from bot.model.plan import PlanKind, PrerequisiteKind, Verb
from bot.model.settings import Settings
from bot.review.build import targeted
from tests.support.cases import case_folder


def change(number: int) -> Change:
    return examine(read_local(case=case_folder("seed-pr"), round_=number), Settings()).change


@pytest.mark.parametrize("number", [1, 2])
def test_only_the_downloader_is_touched_and_only_where_it_changes(number: int) -> None:
    reviewed = change(number)
    acts = {plan.path: plan.acts for plan in reviewed.plans}
    assert all(plan.kind is PlanKind.WARM for plan in reviewed.plans)
    assert sorted(len(each) for each in acts.values()) == [0, 1, 1, 1]
    for each in (act for found in acts.values() for act in found):
        assert (each.verb, each.stop_seconds, each.changed) == (Verb.RECREATE, None, True)
        assert reviewed.head.projects[next(iter(acts))].services[each.service].facts.role is Role.DOWNLOADER
    assert not any(plan.of(Verb.REMOVE_ORPHAN) for plan in reviewed.plans)


def test_the_targeted_command_and_the_room_it_needs() -> None:
    reviewed = change(1)
    found = targeted(reviewed.plans)
    assert found is not None
    assert found.command == "docker compose -f <file> up -d model-downloader"
    assert {each.kind for each in reviewed.prerequisites} == {PrerequisiteKind.DISK}
    assert all("`~165 GiB`" in each.text and "`≥250 GiB free`" in each.text for each in reviewed.prerequisites)


def planned(*args: str) -> Result:
    folder = case_folder("seed-pr") / "round-1" / "head" / "prod"
    names = sorted(folder.glob("*.yaml"))
    canonical = min((each for each in names if each.stem.endswith("TP4")), key=lambda each: len(each.name))
    (canary,) = (each for each in names if "Canary" in each.stem)
    return CliRunner().invoke(cli, ["plan", str(canonical), str(canary), *args])


def test_moving_to_the_canary_names_each_engine_that_is_removed_and_started() -> None:
    result = planned()
    assert result.exit_code == 0
    lines = [line.split()[:2] for line in result.output.splitlines()]
    assert ["remove", "model-sg-glm53-fp8-tp4-r1"] in lines
    assert ["start", "model-sg-glm53-w4afp8-tp4-r1:"] in lines
    assert ["recreate", "model-sg-glm53-fp8-tp4-r2"] in lines


def test_even_the_download_alone_removes_the_engine_there() -> None:
    assert "remove     model-sg-glm53-fp8-tp4-r1 (up to 5m to stop)" in planned("--services", "model-downloader").output
