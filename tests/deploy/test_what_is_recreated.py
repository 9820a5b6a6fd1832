"""What `up` does to a running service when only its own definition changes."""

from __future__ import annotations

import pytest

from bot.model.plan import Reason, Verb
from tests.deploy.estates import verbs, warm

BASE = """\
services:
  web:
    image: registry.example/web:1
    environment: {A: "1"}
    labels: {team: x}
  db:
    image: registry.example/db:1
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("services:", "# a comment\nservices:"),
        ('{A: "1"}', "{A: 1}"),
        ('environment: {A: "1"}', "environment: [A=1]"),
        ("labels: {team: x}", "labels: [team=x]"),
        ("labels: {team: x}", "labels: {team: x}\n    depends_on: [db]"),
        ("labels: {team: x}", "labels: {team: x}\n    pull_policy: always"),
        ("labels: {team: x}", "labels: {team: x}\n    build: ."),
        ("services:", "x-note: {a: b}\nservices:"),
    ],
)
def test_what_compose_does_not_look_at_recreates_nothing(old: str, new: str) -> None:
    plan = warm(BASE, BASE.replace(old, new))
    assert verbs(plan) == {"web": "keep", "db": "keep"}


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("web:1", "web:2", "image"),
        ('{A: "1"}', '{A: "2"}', "environment"),
        ("{team: x}", "{team: y}", "labels"),
        ("labels: {team: x}", 'labels: {team: x}\n    restart: "no"', "restart"),
        ("labels: {team: x}", "labels: {team: x}\n    stop_grace_period: 1m", "stop_grace_period"),
        ("labels: {team: x}", "labels: {team: x}\n    command: []", "command"),
        ("labels: {team: x}", "labels: {team: x}\n    ports: ['80:80']", "ports"),
    ],
)
def test_one_field_recreates_its_service_and_no_other(old: str, new: str, field: str) -> None:
    plan = warm(BASE, BASE.replace(old, new))
    assert verbs(plan) == {"web": "recreate", "db": "keep"}
    (found,) = plan.doing(Verb.RECREATE)
    assert found.fields == (field,)
    assert found.reason is Reason.DEFINITION


def test_the_cause_names_the_field() -> None:
    (found,) = warm(BASE, BASE.replace("{team: x}", "{team: y}")).doing(Verb.RECREATE)
    assert found.cause == "its definition changes: `labels`"
    assert found.at is not None
    assert found.at.line == 5


def test_depends_on_alone_says_why_it_does_nothing() -> None:
    plan = warm(BASE, BASE.replace("labels: {team: x}", "labels: {team: x}\n    depends_on: [db]"))
    assert plan.operation("web").cause == "only `depends_on` changes, which recreates nothing"  # type: ignore[union-attr]


def test_a_shared_anchor_recreates_every_service_that_resolves_differently() -> None:
    before = "x-e: &e {A: '1'}\nservices:\n  a: {image: i, environment: *e}\n  b: {image: i, environment: *e}\n  c: {image: i}\n"
    assert verbs(warm(before, before.replace("'1'", "'2'"))) == {"a": "recreate", "b": "recreate", "c": "keep"}


def test_flags_of_the_command_recreate_all_or_nothing() -> None:
    changed = BASE.replace("web:1", "web:2")
    always = warm(BASE, changed, "docker compose up -d --force-recreate")
    assert verbs(always) == {"web": "recreate", "db": "recreate"}
    never = warm(BASE, changed, "docker compose up -d --no-recreate")
    assert verbs(never) == {"web": "keep", "db": "keep"}
    down = warm(BASE, changed, "docker compose down && docker compose up -d")
    assert {each.reason for each in down.operations} == {Reason.COMMAND}


def test_more_replicas_are_created_and_fewer_removed_without_a_recreation() -> None:
    scaled = BASE.replace("image: registry.example/db:1", "image: registry.example/db:1\n    deploy: {replicas: 3}")
    more = warm(BASE.replace("db:1", "db:1\n    deploy: {replicas: 1}"), scaled)
    assert [(each.service, each.verb) for each in more.acts] == [("db", Verb.CREATE)]
    fewer = warm(scaled, scaled.replace("replicas: 3", "replicas: 1"))
    (found,) = fewer.acts
    assert (found.verb, found.stop_seconds, found.cause) == (Verb.REMOVE, 10.0, "3 containers before, 1 now")


def test_an_unreadable_command_plans_nothing_and_says_why() -> None:
    plan = warm(BASE, BASE.replace("web:1", "web:2"), "make deploy")
    assert plan.operations == ()
    assert "no `docker compose up`" in plan.unknown


def test_a_file_that_compose_refuses_plans_nothing() -> None:
    broken = BASE.replace("labels: {team: x}", "labels: {team: x}\n    depends_on: [nobody]")
    plan = warm(BASE, broken)
    assert (plan.operations, plan.unknown) == ((), "Compose refuses the file: nothing is deployed")
    assert "as it was before" in warm(broken, BASE).unknown


def test_a_file_of_variables_recreates_although_the_compose_file_is_untouched() -> None:
    text = "services:\n  web: {image: w, env_file: [web.env]}\n  db: {image: d}\n"
    plan = warm({"prod/a.yaml": text, "prod/web.env": "A=1\n"}, {"prod/a.yaml": text, "prod/web.env": "A=2\n"})
    assert verbs(plan) == {"web": "recreate", "db": "keep"}
    text = "services:\n  web: {image: 'w:${TAG}'}\n  db: {image: d}\n"
    plan = warm({"prod/a.yaml": text, "prod/.env": "TAG=1\n"}, {"prod/a.yaml": text, "prod/.env": "TAG=2\n"})
    assert verbs(plan) == {"web": "recreate", "db": "keep"}


def test_a_service_without_containers_is_only_scaled() -> None:
    none = BASE.replace("db:1", "db:1\n    scale: 0")
    assert verbs(warm(none, none.replace("db:1", "db:2"))) == {"web": "keep"}
    started = warm(none, BASE.replace("db:1", "db:2"))
    assert [(each.service, each.verb) for each in started.acts] == [("db", Verb.CREATE)]
    stopped = warm(BASE, none)
    assert [(each.service, each.verb) for each in stopped.acts] == [("db", Verb.REMOVE)]
