"""A host that runs one file is given another."""

from __future__ import annotations

from bot.deploy.plans import switch
from bot.model.plan import PlanKind, Verb
from bot.model.settings import Settings
from tests.deploy.estates import estate, planned, verbs

ALPHA = "services:\n  engine-a: {image: e, stop_grace_period: 2m}\n  proxy: {image: p}\n"
BETA = "services:\n  engine-b: {image: e}\n  proxy: {image: p}\n"
GAMMA = "services:\n  other: {image: o}\n"


def test_a_new_file_that_shares_its_project_name_removes_what_the_other_one_started() -> None:
    plans = planned({"prod/alpha.yaml": ALPHA}, {"prod/alpha.yaml": ALPHA, "prod/beta.yaml": BETA})
    (plan,) = [each for each in plans if each.kind is PlanKind.SWITCH]
    assert (plan.before, plan.path, plan.project) == ("prod/alpha.yaml", "prod/beta.yaml", "prod")
    assert verbs(plan) == {"engine-a": "remove-orphan", "engine-b": "create", "proxy": "keep"}
    assert plan.operation("engine-a").stop_seconds == 120  # type: ignore[union-attr]


def test_a_new_file_with_a_name_of_its_own_replaces_nothing() -> None:
    plans = planned({"prod/alpha.yaml": ALPHA}, {"prod/alpha.yaml": ALPHA, "prod/beta.yaml": "name: beta\n" + BETA})
    assert [plan.kind for plan in plans] == [PlanKind.COLD]


def test_the_files_most_alike_are_the_ones_it_is_held_against() -> None:
    old = {"prod/alpha.yaml": ALPHA, "prod/gamma.yaml": GAMMA, "prod/twin.yaml": BETA, "prod/zeta.yaml": GAMMA}
    plans = planned(old, {**old, "prod/beta.yaml": BETA})
    assert [plan.before for plan in plans if plan.kind is PlanKind.SWITCH] == ["prod/twin.yaml", "prod/alpha.yaml"]


def test_a_deleted_file_is_what_a_host_comes_from() -> None:
    plans = planned(
        {"prod/gamma.yaml": GAMMA, "prod/twin.yaml": BETA}, {"prod/twin.yaml": BETA, "prod/beta.yaml": ALPHA}
    )
    assert next(plan.before for plan in plans if plan.kind is PlanKind.SWITCH) == "prod/gamma.yaml"


def test_between_two_project_names_nothing_is_removed() -> None:
    found = estate({"prod/alpha.yaml": ALPHA, "lab/beta.yaml": BETA.replace("proxy: {", "proxy: {ports: ['80:80'], ")})
    plan = switch(found.projects["prod/alpha.yaml"], found.projects["lab/beta.yaml"], Settings())
    assert plan.of(Verb.REMOVE_ORPHAN) == ()
    assert plan.of(Verb.KEEP_UNMANAGED) == ("engine-a", "proxy")
