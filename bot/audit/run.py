"""A whole tree against the rules about one state of it and against its contracts, without any change."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from bot import rulebook
from bot.app import moves_of
from bot.contracts.check import check
from bot.contracts.load import Loaded
from bot.model.change import Change
from bot.model.contract import ContractResult
from bot.model.finding import CheckStatus, Finding, Findings, Gap, Level
from bot.model.project import Estate, Project
from bot.model.pull import Pull
from bot.model.review import Verdict
from bot.model.settings import FailOn, Settings
from bot.ports import Tree
from bot.promises import state_of


class Audit(Struct, frozen=True):
    """What stands in a tree now. Nothing in it is new, so nothing is inherited either."""

    estate: Estate
    found: Findings
    contracts: tuple[ContractResult, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.found.findings

    def count(self, level: Level) -> int:
        """Findings and broken promises of one level."""
        broken = sum(len(each.violations) for each in self.contracts if each.contract.level is level)
        return broken + sum(each.level is level for each in self.findings)

    def verdict(self, fail_on: FailOn) -> Verdict:
        if self.found.gaps or self.found.crashes:
            return Verdict.INCOMPLETE
        if fail_on is FailOn.NEVER:
            return Verdict.PASS
        levels = (Level.ERROR,) if fail_on is FailOn.ERROR else (Level.ERROR, Level.WARNING)
        return Verdict.FAIL if any(self.count(level) for level in levels) else Verdict.PASS


def audit(tree: Tree, settings: Settings, loaded: Loaded) -> Audit:
    """`loaded` are the contracts of these settings, already found to be usable.

    Rules about a change have nothing to say here. Of the others, everything counts that they find.
    """
    state = state_of(tree, settings)
    change = Change(
        pull=Pull(),
        settings=settings,
        files=(),
        base=Estate({}, {}),
        head=state.estate,
        moves=moves_of(Estate({}, {}), state.estate, ()),
    )
    found = rulebook.run(change, [rule for rule in rulebook.catalogue() if rule.subject is Project])
    results = check(loaded.contracts, state)
    gaps = (*state.gaps, *_unparsed(state.estate), *_unheld(results))
    return Audit(state.estate, replace(found, gaps=(*found.gaps, *gaps)), results)


def _unparsed(estate: Estate) -> Iterator[Gap]:
    for project in estate.projects.values():
        if project.unread is not None:
            at = project.unread.at
            yield Gap(at.file, f"it cannot be parsed, so nothing else is known of it: line {at.line}", at)


def _unheld(results: tuple[ContractResult, ...]) -> Iterator[Gap]:
    """A contract that was held against nothing because its files cannot be read has a gap already; others are fine."""
    for each in results:
        if each.status is CheckStatus.SKIPPED and each.files:
            yield Gap(f"contract {each.contract.id}", each.why or "it was skipped")
