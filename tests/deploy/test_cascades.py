"""What a change of one thing does to services whose own definition stays."""

from __future__ import annotations

import pytest

from bot.model.plan import Reason, Verb
from tests.deploy.estates import verbs, warm

PAIR = "services:\n  vpn:\n    image: vpn:1\n  app:\n    image: app:1\n    stop_grace_period: 1m\n"


def bumped(text: str) -> str:
    return text.replace("vpn:1", "vpn:2")


def test_a_dependent_is_kept_when_what_it_depends_on_is_recreated() -> None:
    text = PAIR + "    depends_on: [vpn]\n"
    assert verbs(warm(text, bumped(text))) == {"vpn": "recreate", "app": "keep"}


@pytest.mark.parametrize("field", ["network_mode", "ipc", "pid"])
def test_a_service_in_the_namespace_of_a_recreated_one_is_recreated(field: str) -> None:
    text = PAIR + f"    {field}: service:vpn\n"
    plan = warm(text, bumped(text))
    assert verbs(plan) == {"vpn": "recreate", "app": "recreate"}
    found = plan.operation("app")
    assert found is not None
    assert found.cause == f"it shares the `{field}` namespace of `vpn`, which is recreated"
    assert found.stop_seconds == 60


def test_a_service_with_its_volumes_is_recreated_too() -> None:
    text = PAIR + "    volumes_from: [vpn]\n"
    plan = warm(text, bumped(text))
    assert plan.operation("app").cause == "it shares the volumes of `vpn`, which is recreated"  # type: ignore[union-attr]


def test_a_chain_of_namespaces_is_followed() -> None:
    text = PAIR + "    network_mode: service:vpn\n  tail:\n    image: tail:1\n    pid: service:app\n"
    assert verbs(warm(text, bumped(text)))["tail"] == "recreate"


@pytest.mark.parametrize("edge", ["depends_on: {vpn: {condition: service_started, restart: true}}", "links: [vpn]"])
def test_restart_true_and_links_stop_and_start_the_same_container(edge: str) -> None:
    text = PAIR + f"    {edge}\n"
    plan = warm(text, bumped(text))
    assert verbs(plan) == {"vpn": "recreate", "app": "restart"}
    found = plan.operation("app")
    assert found is not None
    assert (found.stop_seconds, found.reason) == (60, Reason.DEPENDENCY)


NET = "services:\n  engine: {image: e, stop_grace_period: 5m}\n  proxy: {image: p}\n  lone: {image: l, network_mode: none}\n"


def test_a_label_on_a_network_restarts_what_is_attached_to_it() -> None:
    plan = warm(NET, NET + "networks:\n  default:\n    labels: {team: serving}\n")
    assert verbs(plan) == {"engine": "restart", "proxy": "restart", "lone": "keep"}
    (found,) = plan.redefined
    assert (found.kind, found.name, found.fields) == ("network", "prod_default", ("labels",))
    assert plan.operation("engine").stop_seconds == 300  # type: ignore[union-attr]


def test_an_external_network_is_left_alone() -> None:
    before = NET + "networks:\n  default: {external: true, name: shared}\n"
    plan = warm(before, before.replace("name: shared}", "name: shared, labels: {a: b}}"))
    assert {each.verb for each in plan.operations} == {Verb.KEEP}


def test_a_volume_defined_otherwise_is_ignored_without_a_yes_and_emptied_with_one() -> None:
    before = "services:\n  db: {image: d, volumes: ['data:/data']}\n  web: {image: w}\nvolumes:\n  data: {}\n"
    after = before.replace("data: {}", "data: {labels: {a: b}}")
    kept = warm(before, after)
    assert verbs(kept) == {"db": "keep", "web": "keep"}
    assert kept.operation("db").cause == "the new definition of its volume `data` is ignored"  # type: ignore[union-attr]
    gone = warm(before, after, "docker compose up -d -y")
    assert verbs(gone) == {"db": "recreate", "web": "keep"}
    assert gone.redefined[0].made_anew


def test_another_name_on_the_host_recreates_although_the_service_reads_the_same() -> None:
    before = "services:\n  db: {image: d, volumes: ['data:/data']}\nvolumes:\n  data: {}\n"
    plan = warm(before, before.replace("data: {}", "data: {name: other}"))
    (found,) = plan.doing(Verb.RECREATE)
    assert (found.reason, found.cause) == (
        Reason.ATTACHMENT,
        "its volume has another name: `prod_data` becomes `other`",
    )
