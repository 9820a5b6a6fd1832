"""The cold start: its order, its gates, and what one failing gate keeps down."""

from __future__ import annotations

from bot.model.plan import Plan, PlanKind
from bot.model.service import Condition
from tests.deploy.estates import PATH, planned

PACK = """\
services:
  edge: {image: n, depends_on: [proxy]}
  proxy: {image: p, depends_on: [engine-a]}
  engine-a: {image: e, depends_on: {fetch: {condition: service_completed_successfully}}}
  engine-b: {image: e, depends_on: {fetch: {condition: service_completed_successfully, required: false}}}
  fetch: {image: f, restart: "no"}
  metrics: {image: m}
"""


def cold(before: str, after: str) -> list[Plan]:
    return [plan for plan in planned(before, after) if plan.kind is PlanKind.COLD]


def test_no_cold_plan_where_gates_stay() -> None:
    assert cold(PACK, PACK.replace("image: m", "image: m2")) == []


def test_order_and_reasons_of_the_start() -> None:
    (plan,) = cold(PACK.replace("condition: service_completed_successfully}}}", "condition: service_started}}}"), PACK)
    assert [(each.service, each.cause) for each in plan.operations] == [
        ("fetch", "at once"),
        ("engine-a", "once `fetch` has completed successfully"),
        ("proxy", "once `engine-a` has started"),
        ("edge", "once `proxy` has started"),
        ("engine-b", "once `fetch` has completed successfully"),
        ("metrics", "at once"),
    ]


def test_a_gate_keeps_down_what_stands_behind_it_through_edges_of_any_kind() -> None:
    (plan,) = cold("services:\n  lone: {image: l}\n", PACK)
    (gate,) = plan.gates
    assert (gate.service, gate.condition) == ("fetch", Condition.COMPLETED)
    assert gate.waiting == ("engine-a",)
    assert gate.down == ("engine-a", "proxy", "edge")


def test_only_edges_that_were_not_there_are_new() -> None:
    before = PACK.replace("proxy: {image: p, depends_on: [engine-a]}", "proxy: {image: p}")
    after = PACK.replace("depends_on: [engine-a]", "depends_on: {fetch: {condition: service_completed_successfully}}")
    (plan,) = cold(before, after)
    assert plan.gates[0].waiting == ("proxy", "engine-a")
    assert plan.gates[0].new == ("proxy",)


def test_a_new_file_is_a_cold_start() -> None:
    plans = planned(
        {"lab/a.yaml": "services: {x: {image: x}}\n"}, {"lab/a.yaml": "services: {x: {image: x}}\n", PATH: PACK}
    )
    assert [(plan.kind, plan.path) for plan in plans] == [(PlanKind.COLD, PATH)]


def test_services_of_other_profiles_wait_for_nothing_and_gate_nobody() -> None:
    text = PACK.replace("fetch: {image: f,", "fetch: {image: f, profiles: [off],").replace(
        "{fetch: {condition: service_completed_successfully}}", "{metrics: {condition: service_healthy}}"
    )
    (plan,) = cold("services:\n  lone: {image: l}\n", text)
    assert [gate.service for gate in plan.gates] == ["metrics"]
    assert "fetch" not in plan.of(*{each.verb for each in plan.operations})
