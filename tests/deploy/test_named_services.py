"""A command that names services acts on them and on what they wait for."""

from __future__ import annotations

from bot.deploy.plans import switch
from bot.model.plan import Reason, Verb
from bot.model.settings import Settings
from tests.deploy.estates import PATH, estate, verbs, warm

BEFORE = """\
services:
  fetch: {image: f:1, restart: "no"}
  engine: {image: e:1, depends_on: {fetch: {condition: service_completed_successfully}}}
  proxy: {image: p:1, depends_on: [engine]}
  old: {image: o:1}
"""
AFTER = BEFORE.replace(":1", ":2").replace("  old:", "  new:")


def test_named_services_bring_what_they_wait_for_and_leave_the_rest() -> None:
    plan = warm(BEFORE, AFTER, "docker compose up -d engine")
    assert verbs(plan) == {"old": "keep-unmanaged", "fetch": "recreate", "engine": "recreate", "proxy": "keep"}
    assert plan.operation("proxy").reason is Reason.NOT_ASKED  # type: ignore[union-attr]


def test_without_dependencies_when_asked() -> None:
    assert verbs(warm(BEFORE, AFTER, "docker compose up -d --no-deps engine"))["fetch"] == "keep"


def test_orphans_are_removed_although_they_are_not_named() -> None:
    plan = warm(BEFORE, AFTER, "docker compose up -d --remove-orphans proxy")
    assert plan.of(Verb.REMOVE_ORPHAN) == ("old",)


def test_forcing_reaches_only_the_named_ones() -> None:
    plan = warm(BEFORE, BEFORE.replace("p:1", "p:2"), "docker compose up -d --force-recreate engine")
    assert verbs(plan) == {"fetch": "rerun", "engine": "recreate", "proxy": "keep", "old": "keep"}


def test_a_switch_can_be_narrowed() -> None:
    found = estate({PATH: BEFORE, "prod/next.yaml": AFTER})
    plan = switch(found.projects[PATH], found.projects["prod/next.yaml"], Settings(), ("fetch",))
    assert plan.command == "docker compose up -d --remove-orphans fetch"
    assert [(each.service, each.verb) for each in plan.acts] == [
        ("old", Verb.REMOVE_ORPHAN),
        ("fetch", Verb.RECREATE),
    ]
