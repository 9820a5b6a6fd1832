"""One-shot gates run on every `up`; inline configs are read at each start, and only then."""

from __future__ import annotations

from bot.model.plan import Reason, Verb
from tests.deploy.estates import verbs, warm

GATED = """\
services:
  fetch:
    image: fetch:1
    restart: "no"
    configs: [{source: script, target: /run.sh}]
  engine:
    image: engine:1
    configs: [{source: site, target: /site.conf}]
    depends_on: {fetch: {condition: service_completed_successfully}}
  proxy:
    image: proxy:1
    depends_on: [engine]
configs:
  script: {content: echo one}
  site: {content: listen 80}
"""


def test_a_gate_runs_again_although_nothing_changes_about_it() -> None:
    plan = warm(GATED, GATED.replace("proxy:1", "proxy:2"))
    assert verbs(plan) == {"fetch": "rerun", "engine": "keep", "proxy": "recreate"}
    found = plan.operation("fetch")
    assert found is not None
    assert not found.changed
    assert found.stop_seconds is None
    assert found.cause == "`engine` waits for it to complete, and every `up` runs it again"
    assert [each.service for each in plan.acts] == ["proxy"]


def test_a_gate_whose_definition_changes_is_recreated_and_stops_nothing() -> None:
    (found, *_) = warm(GATED, GATED.replace("fetch:1", "fetch:2")).operations
    assert (found.verb, found.stop_seconds, found.cause) == (Verb.RECREATE, None, "its image changes; it runs again")


def test_an_inline_config_alone_leaves_the_container_with_the_old_text() -> None:
    plan = warm(GATED, GATED.replace("listen 80", "listen 81"))
    found = plan.operation("engine")
    assert found is not None
    assert (found.verb, found.reason, found.fields) == (Verb.KEEP_STALE, Reason.CONFIG, ("site",))


def test_a_gate_reads_its_new_script_since_it_starts_anew() -> None:
    found = warm(GATED, GATED.replace("echo one", "echo two")).operation("fetch")
    assert found is not None
    assert (found.verb, found.changed) == (Verb.RERUN, True)


def test_a_recreated_service_gets_the_new_text() -> None:
    plan = warm(GATED, GATED.replace("listen 80", "listen 81").replace("engine:1", "engine:2"))
    assert verbs(plan)["engine"] == "recreate"


def test_a_restarted_service_gets_the_new_text() -> None:
    after = GATED.replace("listen 80", "listen 81") + "networks: {default: {labels: {a: b}}}\n"
    assert verbs(warm(GATED, after)) == {"fetch": "rerun", "engine": "restart", "proxy": "restart"}


def test_another_key_recreates() -> None:
    plan = warm(GATED, GATED.replace("source: site", "source: site2").replace("site: {content", "site2: {content"))
    assert plan.operation("engine").fields == ("configs",)  # type: ignore[union-attr]


def test_a_downloader_that_nobody_waits_for_runs_again_too() -> None:
    text = "services:\n  model-downloader:\n    image: uv:1\n    restart: 'no'\n    command: hf download acme/tiny\n  web: {image: w}\n"
    plan = warm(text, text.replace("image: w", "image: x"))
    assert plan.operation("model-downloader").cause == "it has ended, and every `up` runs it again"  # type: ignore[union-attr]
