"""The packs that come along: every contract has examples, and they show what they say."""

from __future__ import annotations

import pytest

from bot.contracts.compiled import Compiled
from bot.contracts.examples import shown
from bot.contracts.load import compile_all
from bot.contracts.packs import about, pack, pack_names
from bot.model.contract import Verdict
from bot.model.settings import Settings
from bot.promises import state_of
from tests.support.memory_tree import MemoryTree

PACKS = {name: compile_all(pack(name)) for name in pack_names()}
CONTRACTS = [each for loaded in PACKS.values() for each in loaded.contracts]


def name_of(compiled: Compiled) -> str:
    return f"{compiled.contract.pack}-{compiled.contract.id}"


def test_the_packs_that_the_documentation_names() -> None:
    assert set(PACKS) == {"compose-hygiene", "pinned-images", "model-serving", "observability", "reverse-proxy"}
    assert all(not loaded.problems for loaded in PACKS.values())
    assert all(about(name).endswith(".") for name in PACKS)


def test_no_two_packs_say_the_same_id() -> None:
    ids = [each.contract.id for each in CONTRACTS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("compiled", CONTRACTS, ids=name_of)
def test_a_contract_has_both_kinds_of_example(compiled: Compiled) -> None:
    assert {example.verdict for example in compiled.contract.examples} == set(Verdict)
    assert compiled.contract.because.endswith(".")


@pytest.mark.parametrize("compiled", CONTRACTS, ids=name_of)
def test_its_examples_show_what_they_say(compiled: Compiled) -> None:
    found = list(shown([compiled], lambda text: state_of(MemoryTree({"compose.yaml": text}), Settings())))
    for each in found:
        assert each.holds, f"{each.example.at}: {[violation.says for violation in each.violations]}"


@pytest.mark.parametrize("compiled", CONTRACTS, ids=name_of)
def test_every_check_is_broken_by_an_example(compiled: Compiled) -> None:
    broken = {
        violation.clause
        for each in shown([compiled], lambda text: state_of(MemoryTree({"compose.yaml": text}), Settings()))
        for violation in each.violations
    }
    assert broken >= {clause.id for clause in compiled.contract.clauses}
