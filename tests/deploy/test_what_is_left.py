"""Services that leave: orphans, profiles, other project names, files that are gone."""

from __future__ import annotations

from bot.model.plan import PlanKind, Reason, Verb
from tests.deploy.estates import PATH, planned, verbs, warm

OLD = "services:\n  a: {image: i, stop_grace_period: 2m}\n  b: {image: i}\n"
RENAMED = OLD.replace("  a:", "  c:")


def test_an_orphan_is_removed_before_anything_is_created() -> None:
    plan = warm(OLD, RENAMED)
    assert [(each.service, each.verb) for each in plan.operations] == [
        ("a", Verb.REMOVE_ORPHAN),
        ("c", Verb.CREATE),
        ("b", Verb.KEEP),
    ]


def test_an_orphan_has_the_time_that_it_was_created_with() -> None:
    plan = warm(OLD, RENAMED.replace("2m", "30s"))
    assert plan.operation("a").stop_seconds == 120  # type: ignore[union-attr]


def test_the_time_is_dockers_own_where_none_was_set_and_the_commands_where_it_says_one() -> None:
    bumped = OLD.replace("b: {image: i}", "b: {image: j}")
    assert warm(OLD, bumped).operation("b").stop_seconds == 10  # type: ignore[union-attr]
    timed = warm(OLD, bumped, "docker compose up -d -t 90")
    assert timed.operation("b").stop_seconds == 90  # type: ignore[union-attr]


def test_without_the_flag_an_orphan_goes_on() -> None:
    plan = warm(OLD, RENAMED, "docker compose up -d")
    assert verbs(plan) == {"a": "keep-unmanaged", "c": "create", "b": "keep"}
    assert plan.operation("a").reason is Reason.GONE  # type: ignore[union-attr]


def test_what_goes_on_is_in_the_way_of_what_needs_its_name_or_port() -> None:
    before = "services:\n  a: {image: i, container_name: web, ports: ['8000:80']}\n"
    after = "services:\n  b: {image: i, container_name: web, ports: ['8000:80']}\n  c: {image: i, ports: ['127.0.0.1:8000:80']}\n  d: {image: i, ports: ['8000:80/udp']}\n"
    plan = warm(before, after, "docker compose up -d")
    assert verbs(plan) == {"a": "keep-unmanaged", "b": "conflict", "c": "conflict", "d": "create"}
    cause = plan.operation("b").cause  # type: ignore[union-attr]
    assert cause == "`a` keeps running and holds the container name `web` and the host port `8000`"


def test_a_profile_does_not_stop_what_runs() -> None:
    plan = warm(OLD, OLD.replace("a: {image: i,", "a: {image: i, profiles: [off],"))
    assert verbs(plan) == {"a": "keep-unmanaged", "b": "keep"}
    assert plan.operation("a").reason is Reason.PROFILE  # type: ignore[union-attr]


def test_a_profile_that_the_deploy_enables_changes_nothing() -> None:
    after = OLD.replace("a: {image: i,", "a: {image: i, profiles: [on],")
    assert verbs(warm(OLD, after, "docker compose --profile on up -d")) == {"a": "keep", "b": "keep"}
    assert verbs(warm(OLD, after, variables={"COMPOSE_PROFILES": "on,other"})) == {"a": "keep", "b": "keep"}


def test_a_service_that_leaves_its_profile_is_started() -> None:
    before = OLD.replace("b: {image: i}", "b: {image: i, profiles: [off]}")
    plan = warm(before, OLD)
    assert verbs(plan) == {"a": "keep", "b": "create"}
    assert plan.operation("b").cause == "no longer behind a profile"  # type: ignore[union-attr]


def test_a_service_behind_a_profile_on_both_sides_is_not_spoken_of() -> None:
    before = OLD.replace("b: {image: i}", "b: {image: i, profiles: [off]}")
    assert verbs(warm(before, before.replace("b: {image: i,", "b: {image: j,"))) == {"a": "keep"}


def test_another_project_name_strands_what_runs() -> None:
    before = OLD.replace("b: {image: i}", "b: {image: i, container_name: web}")
    plan = warm(before, "name: serving\n" + before)
    assert [(each.service, each.verb) for each in plan.operations] == [
        ("a", Verb.CREATE),
        ("b", Verb.CONFLICT),
        ("a", Verb.KEEP_UNMANAGED),
        ("b", Verb.KEEP_UNMANAGED),
    ]
    assert plan.project == "serving"


def test_the_project_name_of_the_command_wins() -> None:
    plan = warm(OLD, "name: serving\n" + OLD, "docker compose -p pack up -d")
    assert (verbs(plan), plan.project) == ({"a": "keep", "b": "keep"}, "pack")


def test_a_file_that_is_gone_stops_nothing() -> None:
    (plan,) = planned({PATH: OLD, "lab/x.yaml": OLD}, {"lab/x.yaml": OLD})
    assert (plan.path, plan.kind) == (PATH, PlanKind.WARM)
    assert verbs(plan) == {"a": "keep-unmanaged", "b": "keep-unmanaged"}
    assert plan.operations[0].cause == "its file is gone, and nothing stops it"


def test_a_renamed_file_is_the_same_project() -> None:
    plans = planned({"prod/old.yaml": OLD}, {"prod/new.yaml": OLD.replace("b: {image: i}", "b: {image: j}")})
    assert [(plan.kind, plan.path, verbs(plan)) for plan in plans] == [
        (PlanKind.WARM, "prod/new.yaml", {"a": "keep", "b": "recreate"})
    ]
