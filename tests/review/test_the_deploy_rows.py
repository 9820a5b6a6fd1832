"""What the deploy does, file by file."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.plan import Danger, Operation, Plan, PlanKind, Prerequisite, PrerequisiteKind, Verb
from bot.review.build import targeted
from bot.review.deploy import columns, dangers, graphs, happens, needs, rows, subject
from tests.review.factory import at

UP = "docker compose up -d"


def plan(path: str, *operations: Operation, kind: PlanKind = PlanKind.WARM) -> Plan:
    return Plan(path, kind, UP, operations)


def keep(name: str) -> Operation:
    return Operation(name, Verb.KEEP, "nothing about it changes")


def again(name: str, changed: bool = False) -> Operation:
    return Operation(name, Verb.RERUN, "every `up` runs it again", changed=changed)


def test_what_is_kept_is_only_counted() -> None:
    (row,) = rows([plan("a.yaml", keep("web"), again("fetch"))])
    assert row.kept == "2"
    assert not any(row.cells.values())
    assert columns([row]) == ("recreated", "removed")


def test_files_with_the_same_effect_share_a_row() -> None:
    found = rows(
        [
            plan("a.yaml", again("fetch", True), keep("x")),
            plan("b.yaml", again("fetch", True), keep("x"), keep("y")),
            plan("c.yaml", keep("x")),
        ]
    )
    assert [[each.path for each in row.plans] for row in found] == [["a.yaml", "b.yaml"], ["c.yaml"]]
    assert found[0].kept == "1 to 2"


def test_stop_times_stand_beside_the_services() -> None:
    (row,) = rows(
        [
            plan(
                "a.yaml",
                Operation("e1", Verb.RECREATE, "", stop_seconds=300.0),
                Operation("e2", Verb.RECREATE, "", stop_seconds=300.0),
                Operation("web", Verb.RECREATE, "", stop_seconds=10.0),
                Operation("old", Verb.REMOVE_ORPHAN, "", stop_seconds=10.0),
            )
        ]
    )
    assert row.cells["recreated"] == "`e1` and `e2` (5m to stop); `web` (10s to stop)"
    assert row.cells["removed"] == "`old` (10s to stop)"


def test_a_rerun_happens_only_when_it_changed() -> None:
    assert not happens(again("fetch"))
    assert happens(again("fetch", True))


@pytest.mark.parametrize(
    ("plans", "command"),
    [
        ([plan("a.yaml", again("fetch", True), keep("web"))], "docker compose -f a.yaml up -d fetch"),
        (
            [plan("a.yaml", again("fetch", True)), plan("b.yaml", again("fetch", True))],
            "docker compose -f <file> up -d fetch",
        ),
        ([plan("a.yaml", again("fetch", True)), plan("b.yaml", keep("web"))], "docker compose -f a.yaml up -d fetch"),
        ([plan("a.yaml", again("fetch", True), Operation("web", Verb.RECREATE, ""))], None),
        (
            [plan("a.yaml", again("fetch", True), Operation("web", Verb.KEEP_STALE, ""))],
            "docker compose -f a.yaml up -d fetch",
        ),
        ([plan("a.yaml", keep("web"))], None),
        ([plan("a.yaml", again("fetch", False))], None),
        ([plan("a.yaml", Operation("old", Verb.REMOVE_ORPHAN, ""))], None),
        ([plan("a;rm.yaml", again("fetch", True))], None),
        ([plan("-f.yaml", again("fetch", True))], None),
        ([plan("a.yaml", again("fe$(x)tch", True))], None),
        ([plan("a.yaml", again("fetch", True), kind=PlanKind.COLD)], None),
        (
            [replace(plan("a.yaml", again("fetch", True)), together=("a.yaml", "b.yaml"))],
            "docker compose -f a.yaml -f b.yaml up -d fetch",
        ),
        ([replace(plan("a.yaml", again("fetch", True)), together=("a.yaml", "b;rm.yaml"))], None),
    ],
)
def test_the_targeted_command_is_named_when_one_service_is_all(plans: list[Plan], command: str | None) -> None:
    found = targeted(tuple(plans))
    assert (found.command if found else None) == command


def test_the_same_need_of_several_files_is_one() -> None:
    found = needs([Prerequisite(PrerequisiteKind.VARIABLE, "`A` must be set", at(f"{name}.yaml:3")) for name in "ab"])
    assert {text: len(places) for text, places in found.items()} == {"`A` must be set": 2}


def test_a_cold_plan_beside_a_warm_one_is_only_there_for_its_graph() -> None:
    cold = Plan("a.yaml", PlanKind.COLD, UP, (Operation("web", Verb.CREATE, "at once"),), graph="flowchart LR\n")
    found = rows([plan("a.yaml", keep("web")), cold])
    assert [row.plan.kind for row in found] == [PlanKind.WARM]
    assert graphs([plan("a.yaml", keep("web")), cold]) == {"flowchart LR\n": ["a.yaml"]}
    assert [row.plan.kind for row in rows([cold])] == [PlanKind.COLD]


def test_what_is_not_known_is_said_in_place_of_a_number() -> None:
    (row,) = rows([Plan("a.yaml", PlanKind.WARM, UP, (), unknown="Compose refuses the file")])
    assert row.kept == "Compose refuses the file"


def test_a_profile_taken_for_enabled_stands_beside_the_file() -> None:
    (row,) = rows([Plan("a.yaml", PlanKind.WARM, UP, (keep("web"),), profile="canary")])
    assert subject(row, ["a.yaml"]) == "`a.yaml` with the profile `canary`"


def test_a_danger_is_said_once_and_names_where_the_host_comes_from() -> None:
    risk = (Danger("If `fetch` fails, `web` stays down."),)
    found = rows(
        [
            Plan("a.yaml", PlanKind.WARM, UP, (keep("web"),), dangers=risk),
            Plan("b.yaml", PlanKind.WARM, UP, (keep("web"),), dangers=risk),
            Plan("c.yaml", PlanKind.SWITCH, UP, (keep("web"),), before="a.yaml", dangers=risk),
        ]
    )
    assert dangers(found) == (
        "If `fetch` fails, `web` stays down.",
        "Coming from `a.yaml`: If `fetch` fails, `web` stays down.",
    )
