"""One rule over a small change."""

from __future__ import annotations

from bot.app import examine
from bot.model.finding import Finding
from bot.model.pull import Pull
from bot.model.settings import Settings
from bot.ports import Reading
from tests.deploy.estates import Files, files
from tests.support.memory_tree import MemoryTree


def reading(before: Files, after: Files, body: str = "") -> Reading:
    return Reading(
        pull=Pull(title="A change", body=body),
        base=MemoryTree(files(before)),
        head=MemoryTree(files(after)),
        base_name="base",
        head_name="head",
    )


def findings(rule: str, before: Files, after: Files, body: str = "", **settings: object) -> list[Finding]:
    found = examine(reading(before, after, body), Settings(**settings)).findings  # type: ignore[arg-type]
    assert not found.crashes
    return [each for each in found.findings if each.rule == rule]


def only(rule: str, before: Files, after: Files, body: str = "", **settings: object) -> Finding:
    (found,) = findings(rule, before, after, body, **settings)
    return found
