"""The graph of gates: new edges marked, large ones folded, names harmless."""

from __future__ import annotations

import re

from bot.model.plan import PlanKind
from tests.deploy.estates import planned

WAIT = "depends_on: {fetch: {condition: service_completed_successfully}}"


def graph(before: str, after: str) -> str:
    (plan,) = (plan for plan in planned(before, after) if plan.kind is PlanKind.COLD)
    return plan.graph


def pack(engines: int, *, gated: bool) -> str:
    lines = ["services:", '  fetch: {image: f, restart: "no"}']
    for number in range(engines):
        edge = f", {WAIT}" if gated else ""
        lines.append(f"  engine-{number}: {{image: vllm, command: vllm serve acme/tiny{edge}}}")
        lines.append(f"  proxy-{number}: {{image: proxy, depends_on: [engine-{number}]}}")
    proxies = ", ".join(f"proxy-{number}" for number in range(engines))
    return "\n".join([*lines, f"  nginx: {{image: nginx, depends_on: [{proxies}]}}", ""])


def test_new_edges_are_thick_and_what_stays_down_is_marked() -> None:
    text = graph(pack(1, gated=False), pack(1, gated=True))
    assert "flowchart LR" in text
    assert 'n0["fetch"]:::gate' in text
    assert "n0 ==>|new: completed| n1" in text
    assert "n1 --> n2" in text
    assert 'n2["proxy-0"]:::down' in text


def test_a_gate_that_only_loses_edges_draws_nothing() -> None:
    assert graph(pack(1, gated=True), pack(1, gated=False)) == ""


def test_old_edges_of_a_gate_are_drawn_thin() -> None:
    before = pack(2, gated=True).replace(
        f"engine-1: {{image: vllm, command: vllm serve acme/tiny, {WAIT}",
        "engine-1: {image: vllm, command: vllm serve acme/tiny",
    )
    text = graph(before, pack(2, gated=True))
    assert len(re.findall("==>", text)) == 1
    assert "-->|completed|" in text


def test_thirty_services_become_a_few_boxes() -> None:
    text = graph(pack(15, gated=False), pack(15, gated=True))
    boxes = re.findall(r'n\d+\["(.+?)"\]', text)
    assert boxes == ["fetch", "engine-0<br/>engine-1<br/>and 13 more", "proxy-0<br/>proxy-1<br/>and 13 more", "nginx"]
    assert len(re.findall("==>|-->", text)) == 3


def test_services_that_the_gate_does_not_reach_are_left_out() -> None:
    before = pack(1, gated=False) + "  lone: {image: l}\n"
    assert "lone" not in graph(before, pack(1, gated=True) + "  lone: {image: l}\n")
