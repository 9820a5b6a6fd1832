"""Rules about what was forgotten, beyond the examples of their pages: the quiet cases first."""

from __future__ import annotations

import pytest

from bot.model.finding import Level
from tests.rules.deploy.reviewing import findings, only

REPLICAS = """\
services:
  engine-r1:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
  engine-r2:
    image: registry.example/engine:1
    command: serve --model acme/mini --served-model-name mini --context-length 8192
"""
ONE_CHANGED = REPLICAS.replace("8192", "16384", 1)
CALLER = """\
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:8000"}
  engine:
    image: registry.example/engine:1
"""


@pytest.mark.parametrize(
    "after",
    [
        REPLICAS.replace("8192", "16384"),
        REPLICAS.replace("acme/mini", "acme/maxi", 1).replace("-name mini", "-name maxi", 1),
        ONE_CHANGED.replace("  engine-r1:", "  # a trial on one replica\n  engine-r1:"),
    ],
    ids=["both", "another model", "a trial"],
)
def test_replicas_may_change_together_become_others_or_be_a_trial(after: str) -> None:
    assert findings("replicas-diverge", REPLICAS, after) == []


def test_replicas_that_differed_before_are_no_news() -> None:
    assert findings("replicas-diverge", ONE_CHANGED, ONE_CHANGED.replace("engine:1", "engine:2")) == []


def test_one_replica_changed_is_told_with_the_flag() -> None:
    found = only("replicas-diverge", REPLICAS, ONE_CHANGED)
    assert "`engine-r1` and `engine-r2`" in found.says
    assert "`--context-length`" in found.says


@pytest.mark.parametrize(
    "after",
    [
        CALLER.replace("  engine:\n", "  engine-r1:\n    container_name: engine\n"),
        CALLER.replace(
            "  engine:\n", "  engine-r1:\n    hostname: engine\n    networks: {default: {aliases: [engine]}}\n"
        ),
        CALLER.replace("  engine:\n", "  engine-r1:\n").replace("//engine:", "//engine.internal.example:"),
        CALLER.replace("  engine:\n", "  engine-r1:\n").replace("//engine:", "//${ENGINE_HOST}:"),
    ],
    ids=["a container name", "an alias", "a host outside", "a variable"],
)
def test_a_name_that_resolves_or_lies_outside_does_not_dangle(after: str) -> None:
    assert findings("dangling-reference", CALLER, after) == []


def test_a_name_that_dangled_before_is_no_news() -> None:
    broken = CALLER.replace("  engine:\n", "  engine-r1:\n")
    assert findings("dangling-reference", broken, broken.replace("proxy:1", "proxy:2")) == []


def test_a_renamed_service_leaves_its_address_behind() -> None:
    found = only("dangling-reference", CALLER, CALLER.replace("  engine:\n", "  engine-r1:\n"))
    assert found.at.line == 4
    assert "`engine`" in found.says


def peers(count: int, last: str = "{TOKEN: x, REGION: y}") -> dict[str, str]:
    text = "services:\n  probe:\n    image: registry.example/probe:1\n    environment: {}\n"
    good = text.replace("{}", "{TOKEN: x, REGION: y}")
    return {f"prod/{number}.yaml": good for number in range(count)} | {"prod/new.yaml": text.replace("{}", last)}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_fewer_than_four_peers_are_no_convention(count: int) -> None:
    base = {path: text for path, text in peers(count).items() if path != "prod/new.yaml"}
    assert findings("peer-convention-broken", base, peers(count, "{TOKEN: x}")) == []


@pytest.mark.parametrize("count", [4, 9])
def test_four_peers_are_one(count: int) -> None:
    base = {path: text for path, text in peers(count).items() if path != "prod/new.yaml"}
    assert findings("peer-convention-broken", base, peers(count)) == []
    found = only("peer-convention-broken", base, peers(count, "{TOKEN: x}"))
    assert found.at.file == "prod/new.yaml"
    assert "`REGION`" in found.says
    assert f"all {count} peers" in found.says


def test_blanks_that_were_there_before_or_end_a_line_of_prose_are_left_alone() -> None:
    blank = "services:\n  web:\n    image: w  \n"
    assert findings("whitespace-error", blank, blank + "    init: true\n") == []
    assert findings("whitespace-error", {"README.md": "x\n"}, {"README.md": "x  \ny\n"}) == []


def test_the_markers_of_a_merge_are_an_error_on_their_line() -> None:
    clean = "services:\n  web:\n    image: w\n    command: |\n      a\n"
    found = only("whitespace-error", clean, clean + "      b\n# x\n" + "<<<<<<< ours\n")
    assert (found.level, found.at.line) == (Level.ERROR, 8)
