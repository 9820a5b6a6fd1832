"""The Deploy part as a reader of the comment meets it."""

from __future__ import annotations

from bot.app import review
from bot.model.pull import Pull
from bot.model.review import Review, Verdict
from bot.model.settings import Settings
from bot.ports import Reading
from bot.review.comment.page import markdown
from tests.deploy.estates import files
from tests.support.memory_tree import MemoryTree

BASE = 'services:\n  fetch: {image: f, restart: "no"}\n  web: {image: w:1}\n'
GATED = 'services:\n  fetch: {image: f, restart: "no"}\n  web: {image: w:2, depends_on: {fetch: {condition: service_completed_successfully}}}\n'


def reviewed(after: str, settings: Settings | None = None, body: str = "") -> Review:
    trees = MemoryTree(files(BASE)), MemoryTree(files(after))
    return review(Reading(Pull(body=body), *trees, base_name="base", head_name="head"), settings or Settings())


def test_a_gate_is_drawn_and_its_danger_said() -> None:
    page = markdown(reviewed(GATED))
    assert "⚠️ If `fetch` fails in this deploy" in page
    assert "<details><summary>What a cold start waits for now</summary>" in page
    assert '```mermaid\n---\ntitle: "Cold start' in page
    assert 'n0["fetch"]:::gate' in page
    assert "docker compose -f prod/pack.yaml up -d web" in page


def test_no_gates_no_graph() -> None:
    assert "mermaid" not in markdown(reviewed(BASE.replace("w:1", "w:2")))


def test_a_command_that_cannot_be_read_is_a_gap_and_no_pass() -> None:
    result = reviewed(GATED, Settings(deploy="make deploy"))
    assert result.verdict is Verdict.INCOMPLETE
    assert [gap.what for gap in result.gaps] == ["what the deploy does"]
    assert "the deploy command holds no `docker compose up`" in markdown(result)


def test_the_text_is_held_against_what_every_host_needs() -> None:
    after = BASE + "  extra: {image: f, profiles: [x], environment: {T: '${TOKEN:?set it}'}}\n"
    result = reviewed(after, body="Off by default, so existing hosts are not affected.")
    (found,) = (each for each in result.findings if each.rule == "overstated-claim")
    assert "but now `TOKEN` must be set, or every command on `prod/pack.yaml` fails" in found.says


def test_files_that_are_loaded_together_are_named_together() -> None:
    overlay = "services:\n  web: {environment: {A: '1'}}\n"
    old = {"compose.yaml": BASE, "compose.override.yaml": overlay}
    new = {**old, "compose.override.yaml": overlay.replace("'1'", "'2'")}
    result = review(Reading(Pull(), MemoryTree(old), MemoryTree(new), base_name="base", head_name="head"), Settings())
    assert result.targeted is not None
    assert result.targeted.command == "docker compose -f compose.yaml -f compose.override.yaml up -d web"
