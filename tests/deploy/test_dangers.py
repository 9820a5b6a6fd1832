"""What goes wrong in this very deploy if a gate fails."""

from __future__ import annotations

from tests.deploy.estates import warm

PACK = """\
services:
  fetch: {image: f:1, restart: "no"}
  engine-a: {image: e:1, depends_on: {fetch: {condition: service_completed_successfully}}}
  engine-b: {image: e:1, depends_on: {fetch: {condition: service_completed_successfully}}}
  proxy: {image: p:1, depends_on: [engine-a]}
"""
FIRST = "engine-a: {image: e:1"


def says(before: str, after: str) -> list[str]:
    return [danger.says for danger in warm(before, after).dangers]


def test_nothing_is_at_stake_where_nothing_behind_the_gate_stops() -> None:
    assert says(PACK, PACK.replace("services:", "services:\n  extra: {image: x}")) == []
    assert says(PACK, PACK.replace("f:1", "f:2")) == []


def test_a_recreated_engine_is_down_when_its_gate_fails_and_others_go_on() -> None:
    assert says(PACK, PACK.replace(FIRST, "engine-a: {image: e:2")) == [
        "If `fetch` fails in this deploy, `up` ends with an error and `engine-a` stays down, while what ran before is "
        "stopped by then; `engine-b` and `proxy` go on running."
    ]


def test_a_successor_is_down_when_its_gate_fails() -> None:
    (found,) = says(PACK, PACK.replace("engine-b:", "engine-c:"))
    assert "`engine-c` stays down" in found


def test_a_health_gate_that_is_not_touched_is_no_danger() -> None:
    text = PACK.replace("service_completed_successfully", "service_healthy")
    assert says(text, text.replace(FIRST, "engine-a: {image: e:2")) == []
    (found,) = says(text, text.replace("f:1", "f:2").replace(FIRST, "engine-a: {image: e:2"))
    assert found.startswith("If `fetch` does not become healthy in this deploy")


def test_an_optional_edge_is_no_danger() -> None:
    text = PACK.replace("service_completed_successfully}", "service_completed_successfully, required: false}")
    assert says(text, text.replace("e:1", "e:2")) == []
