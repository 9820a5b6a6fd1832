"""Every rule's page: its examples are reviewed, and do what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import examine
from bot.intake.config import read_settings, settings_of
from bot.model.pull import Pull
from bot.ports import Reading
from bot.rulebook import Rule, catalogue
from tests.support.memory_tree import MemoryTree
from tests.support.pages import CONFIG, PULL, Example, examples

RULES = {rule.id: rule for rule in catalogue()}
TESTS = Path(__file__).parents[1]
CASES = [(rule.id, example) for rule in RULES.values() for example in examples(rule.page)]


def hits(rule: Rule, example: Example) -> list[str]:
    config = example.before.get(CONFIG)
    outside = (PULL, CONFIG)
    title, _, body = example.after.get(PULL, "").partition("\n")
    base = MemoryTree({path: text for path, text in example.before.items() if path not in outside})
    reading = Reading(
        pull=Pull(title=title, body=body.strip()),
        base=base,
        head=MemoryTree({path: text for path, text in example.after.items() if path not in outside}),
        base_name="base",
        head_name="head",
    )
    known = frozenset(RULES)
    settings = read_settings(CONFIG, config.encode(), known) if config else settings_of(base, known)
    examined = examine(reading, settings)
    assert not examined.findings.crashes
    return [finding.says for finding in examined.findings.findings if finding.rule == rule.id]


def test_the_sweep_finds_examples() -> None:
    assert len(CASES) > 2 * len(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_page_has_a_sentence_a_reason_and_both_kinds_of_example(rule: Rule) -> None:
    title, blank, reason = rule.page.split("\n", 2)
    assert title.endswith(".")
    assert not blank
    assert reason.strip()
    kinds = {example.kind for example in examples(rule.page)}
    assert kinds == {"Flagged", "Accepted"}


@pytest.mark.parametrize(
    ("rule", "example"), CASES, ids=[f"{rule}-{example.name}".replace(" ", "-") for rule, example in CASES]
)
def test_an_example_does_what_the_page_says(rule: str, example: Example) -> None:
    found = hits(RULES[rule], example)
    if example.kind == "Flagged":
        assert found, "the page says that this is flagged"
    else:
        assert not found, "the page says that this is accepted"


def test_every_rule_is_tested_beyond_its_page() -> None:
    """What a page shows is chosen to be understood; quiet cases and edges stand in tests, or in recorded reviews."""
    texts = [
        path.read_text()
        for path in TESTS.rglob("*")
        if path.suffix in (".py", ".md", ".txt", ".json") and path != Path(__file__)
    ]
    assert [rule for rule in RULES if not any(rule in text for text in texts)] == []
