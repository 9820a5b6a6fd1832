"""`gate-never-completes`, `gate-without-healthcheck`, `health-gate-too-short` and `grace-period-not-in-force`."""

from __future__ import annotations

import pytest

from bot.model.finding import Certainty, Level
from tests.deploy.estates import PATH
from tests.rules.deploy.reviewing import findings, only

EMPTY = "services:\n  lone: {image: l}\n"


def one_shot(policy: str) -> str:
    return f"services:\n  job: {{image: j, {policy}}}\n  web: {{image: w, depends_on: {{job: {{condition: service_completed_successfully}}}}}}\n"


@pytest.mark.parametrize("policy", ["restart: 'no'", "restart: on-failure", "restart: on-failure:3", "tty: true"])
def test_a_gate_that_ends(policy: str) -> None:
    assert findings("gate-never-completes", EMPTY, one_shot(policy)) == []


@pytest.mark.parametrize(
    "policy", ["restart: always", "restart: unless-stopped", "deploy: {restart_policy: {condition: any}}"]
)
def test_a_gate_that_is_always_started_again(policy: str) -> None:
    found = only("gate-never-completes", EMPTY, one_shot(policy))
    assert (found.level, found.about) == (Level.ERROR, ("job",))


def test_an_endless_gate_of_base_is_not_new() -> None:
    text = one_shot("restart: always")
    assert findings("gate-never-completes", text, text.replace("image: w", "image: w2")) == []


def healthy(check: str = "", image: str = "vllm", command: str = "command: vllm serve acme/large") -> str:
    return (
        f"services:\n  engine:\n    image: {image}\n    {command}\n{check}"
        "  gateway:\n    image: g\n    depends_on: {engine: {condition: service_healthy}}\n"
    )


def check(start: str) -> str:
    return f"    healthcheck: {{test: [CMD, 'true'], interval: 10s, retries: 3, start_period: {start}}}\n"


def test_a_health_gate_without_a_check_is_likely_and_switched_off_is_sure() -> None:
    assert only("gate-without-healthcheck", EMPTY, healthy()).certainty is Certainty.LIKELY
    off = only("gate-without-healthcheck", EMPTY, healthy("    healthcheck: {disable: true}\n"))
    assert (off.certainty, off.level) == (Certainty.SURE, Level.ERROR)
    none = only("gate-without-healthcheck", EMPTY, healthy("    healthcheck: {test: [NONE]}\n"))
    assert none.certainty is Certainty.SURE


@pytest.mark.parametrize(
    "after",
    [
        healthy(check("20m")),
        healthy(check("5s"), "api", "tty: true").replace("engine", "api"),
        healthy(check("5s")).replace("service_healthy", "service_started"),
    ],
)
def test_enough_time_or_nothing_to_load(after: str) -> None:
    assert findings("health-gate-too-short", EMPTY, after) == []


def test_a_gate_that_stood_is_not_new_and_one_that_gets_shorter_is() -> None:
    short = healthy(check("30s"))
    assert findings("health-gate-too-short", short, short.replace("image: g", "image: g2")) == []
    assert findings("health-gate-too-short", short, healthy(check("40s"))) == []
    assert only("health-gate-too-short", healthy(check("20m")), short).certainty is Certainty.LIKELY


def test_peers_make_it_sure() -> None:
    found = only(
        "health-gate-too-short",
        {"lab/ref.yaml": healthy(check("20m"))},
        {"lab/ref.yaml": healthy(check("20m")), PATH: healthy(check("5m"))},
    )
    assert found.certainty is Certainty.SURE
    assert "unhealthy after 5m30s (5m + 3 x 10s); `lab/ref.yaml` gives `engine` 20m30s" in found.says


def test_peers_that_get_about_as_much_say_nothing() -> None:
    old = {"lab/ref.yaml": healthy(check("6m"))}
    assert findings("health-gate-too-short", old, {**old, PATH: healthy(check("5m"))}) == []


def graced(time: str, command: str = "command: vllm serve acme/tiny") -> str:
    return f"services:\n  engine:\n    image: vllm\n    {command}\n{f'    stop_grace_period: {time}' if time else ''}\n"


def test_a_shorter_grace_period_is_quiet() -> None:
    assert findings("grace-period-not-in-force", graced("5m"), graced("1m")) == []


def test_a_command_that_says_the_time_is_quiet() -> None:
    assert findings("grace-period-not-in-force", graced(""), graced("1m"), deploy="docker compose up -d -t 60") == []


def test_a_longer_one_counts_from_the_next_container_on() -> None:
    found = only("grace-period-not-in-force", graced(""), graced("5m"))
    assert found.level is Level.WARNING
    assert "still stopped within 10s by this deploy" in found.says
    assert "`docker compose -f prod/pack.yaml stop -t 300 engine`" in found.do


def test_it_is_context_where_nothing_is_lost() -> None:
    before, after = (
        graced(time, "tty: true").replace("vllm", "acme/tool").replace("engine", "tool") for time in ("", "5m")
    )
    assert only("grace-period-not-in-force", before, after).level is Level.NOTE
