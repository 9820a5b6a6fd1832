"""Contracts and Compose files from a few lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from bot.contracts.check import State, check
from bot.contracts.load import Loaded, load
from bot.contracts.packs import pack_names
from bot.intake.config import read_settings
from bot.model.contract import ContractResult, Violation
from bot.model.settings import Settings
from bot.promises import state_of
from tests.support.memory_tree import MemoryTree

CONFIG = "contracts.yaml"


def settings_from(text: str) -> Settings:
    return read_settings(CONFIG, dedent(text).encode(), frozenset(), pack_names())


def loaded(text: str) -> Loaded:
    return load(settings_from(text))


def faults(text: str) -> list[str]:
    """The faults of a configuration's contracts, each as `line: what`."""
    return [f"{problem.at.line}: {problem.says}" for problem in loaded(text).problems]


def state(files: str | Mapping[str, str]) -> State:
    """A tree: one Compose file, or files by path."""
    by_path = {"compose.yaml": files} if isinstance(files, str) else files
    return state_of(MemoryTree({path: dedent(text) for path, text in by_path.items()}), Settings())


def results(config: str, files: str | Mapping[str, str]) -> dict[str, ContractResult]:
    """What each contract says of a tree."""
    found = loaded(config)
    assert not found.problems, found.problems
    return {result.contract.id: result for result in check(found.contracts, state(files))}


def violations(config: str, files: str | Mapping[str, str]) -> list[Violation]:
    return [violation for result in results(config, files).values() for violation in result.violations]


def lines(config: str, files: str | Mapping[str, str]) -> list[int]:
    return [violation.at.line for violation in violations(config, files)]


def one_check(check_text: str, contract: str = "") -> str:
    """A configuration of one contract with one check, given as lines of YAML."""
    inner = "\n".join(f"        {line}" for line in dedent(check_text).strip().split("\n"))
    outer = "".join(f"    {line}\n" for line in dedent(contract).strip().split("\n") if line)
    return f"contracts:\n  - id: it\n    because: it matters\n{outer}    checks:\n      -\n{inner}\n"
