"""Situations from public reports: what the deploy does, and what this catalogue's deploy rules say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.app import Examined, examine
from bot.local.source import read_local
from bot.model.plan import Plan, PlanKind, Verb
from bot.model.settings import Settings
from tests.support.cases import case_folder, case_names

# What a topic of the reports is called here, and how it must be marked.
RULES = {
    "config-content-not-applied": "config-not-applied",
    "shared-project-name": "shared-project-orphans",
    "volume-renamed-data-left-behind": "volume-left-behind",
    "network-recreated": "network-recreated",
    "new-required-variable": "required-variable-added",
    "profiled-service-keeps-running": "profile-does-not-stop",
    "new-cold-start-gate": "cold-start-coupling",
    "health-gate-too-short": "health-gate-too-short",
    "stale-upstream-address": "stale-upstream",
    "prose-claim-untrue": "overstated-claim",
}
OURS = frozenset(RULES.values()) | {
    "gate-never-completes", "gate-without-healthcheck", "grace-period-not-in-force", "orphan-removal",
    "project-renamed", "stateful-major-upgrade", "unannounced-recreate", "unescaped-dollar", "volume-redefined",
}  # fmt: skip
NAMES = case_names("reports", "compose-", "infer-")


def expected(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "expect.json").read_text())
    return found


def examined(folder: Path) -> Examined:
    return examine(read_local(case=folder), Settings())


def plan_for(plans: Sequence[Plan], key: str) -> Plan:
    path, _, before = key.partition(" after ")
    kind = PlanKind.SWITCH if before else PlanKind.WARM
    (found,) = (plan for plan in plans if (plan.path, plan.before, plan.kind) == (path, before, kind))
    return found


def told(plan: Plan) -> Mapping[str, tuple[str, ...]]:
    return {
        "recreate": plan.of(Verb.RECREATE),
        "remove": plan.of(Verb.REMOVE_ORPHAN),
        "start": plan.of(Verb.CREATE),
        "restart": plan.of(Verb.RESTART, Verb.RERUN),
        "kept": plan.of(Verb.KEEP, Verb.KEEP_STALE, Verb.KEEP_UNMANAGED),
    }


def test_the_sweep_finds_cases() -> None:
    assert len(list(case_folder("reports").glob("*/expect.json"))) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_the_deploy_does_what_the_report_says(name: str) -> None:
    folder = case_folder("reports") / name
    plans = examined(folder).change.plans
    for key, wanted in (expected(folder)["deploy"] or {}).items():
        found = told(plan_for(plans, key))
        assert {name: sorted(found[name]) for name in wanted} == {name: sorted(each) for name, each in wanted.items()}


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_of_the_deploy_say_what_they_must_and_no_more(name: str) -> None:
    folder = case_folder("reports") / name
    found = [each for each in examined(folder).findings.findings if each.rule in OURS]
    wanted = {RULES[each["topic"]] for each in expected(folder)["findings"] if each["topic"] in RULES}
    assert {each.rule for each in found} == wanted
    assert all(each.level.word in ("warning", "error") for each in found)
