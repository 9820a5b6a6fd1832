"""Contracts in the review of a change: those it touches, held against what would land."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.check import Before, State, check
from bot.contracts.compiled import Compiled
from bot.contracts.edits import edits, same_promise
from bot.contracts.evaluate import Subject
from bot.contracts.load import Loaded
from bot.contracts.located import Located
from bot.contracts.views import Views
from bot.contracts.words import words_of
from bot.model.contract import ContractResult, ContractResults, Each, Side
from bot.model.finding import CheckStatus, Gap
from bot.model.project import Project


class Touch(Struct, frozen=True):
    """What a change touches: paths of either side, the projects of head that it concerns, and their paths in base."""

    paths: frozenset[str]
    projects: frozenset[str]
    homes: dict[str, str]


def results(base: Loaded, head: Loaded | None, before: State, after: State, touch: Touch) -> ContractResults:
    """What base's contracts, and those that head changes, say of head.

    `head` is None when the change leaves the configuration alone. Contracts of base that cannot be used are
    told by `gaps_of`; contracts of head that cannot be used are problems of the change.
    """
    found = _held(base.contracts, before, after, touch, Side.BASE, frozenset())
    if head is None:
        return ContractResults(found)
    if head.problems:
        return ContractResults(found, problems=head.problems)
    old = {each.contract.id: each.contract for each in base.contracts}
    new = [
        each
        for each in head.contracts
        if each.contract.id not in old or not same_promise(old[each.contract.id], each.contract)
    ]
    fresh = frozenset(each.contract.id for each in new)
    found += _held(new, before, after, touch, Side.HEAD, fresh)
    changed = edits(old.values(), (each.contract for each in head.contracts), after.estate.projects)
    return ContractResults(found, changed)


def gaps_of(base: Loaded, head: Loaded | None) -> tuple[Gap, ...]:
    """Contracts that cannot be used are no pass, unless the change is what repairs them."""
    if head is not None and not head.problems:
        return ()
    return tuple(Gap("contracts", problem.says, problem.at) for problem in base.problems)


def _held(
    contracts: Sequence[Compiled], before: State, after: State, touch: Touch, side: Side, fresh: Collection[str]
) -> tuple[ContractResult, ...]:
    """`fresh` contracts are held against all they cover: the change that brings them touches none of it."""
    concerned = frozenset(each.contract.id for each in contracts if _reads(each, touch))

    def only(compiled: Compiled, project: Project) -> bool:
        identity = compiled.contract.id
        return identity in fresh or identity in concerned or project.path in touch.projects

    found = check(contracts, after, only=only, before=_before(contracts, before, touch), side=side)
    failed = {each.contract.id for each in found if each.status is CheckStatus.FAILED}
    again = [each for each in contracts if each.contract.id in failed]
    if not again:
        return found
    homes = {touch.homes.get(path, path) for each in found for path in each.files}
    known = check(again, before, only=lambda _, project: project.path in homes)
    by_id = {each.contract.id: each for each in known}
    return tuple(
        _inherited(each, by_id[each.contract.id], touch) if each.contract.id in by_id else each for each in found
    )


def _reads(compiled: Compiled, touch: Touch) -> bool:
    """Whether a contract reads a touched file that is none of its own."""
    named, computed = compiled.files
    return computed or not touch.paths.isdisjoint(named)


def _inherited(result: ContractResult, before: ContractResult, touch: Touch) -> ContractResult:
    """The same result, with what base had already marked as such."""
    known = {(each.path, *each.about, each.says) for each in before.violations}
    marked = tuple(
        replace(each, inherited=(touch.homes.get(each.path, each.path), *each.about, each.says) in known)
        for each in result.violations
    )
    return replace(result, violations=marked)


def _before(contracts: Sequence[Compiled], before: State, touch: Touch) -> Before | None:
    """How to find what a subject was; None when no contract asks."""
    asking = [each for each in contracts if each.looks_at("base")]
    if not asking:
        return None
    views = Views(before.estate, words_of(asking))
    find: dict[Each, Callable[[Project, str], Located | None]] = {
        Each.FILE: lambda project, _: views.file(project),
        Each.SERVICE: lambda project, name: _service(views, project, name),
        Each.CONFIG: lambda project, name: (
            views.top_level(project, "configs", name) if name in project.configs else None
        ),
        Each.VOLUME: lambda project, name: (
            views.top_level(project, "volumes", name) if name in project.volumes else None
        ),
    }

    def look_up(subject: Subject) -> Located | None:
        if subject.each is Each.ESTATE:
            return views.estate()
        project = before.estate.projects.get(touch.homes.get(subject.path, subject.path))
        return find[subject.each](project, subject.name) if project is not None else None

    return look_up


def _service(views: Views, project: Project, name: str) -> Located | None:
    service = project.services.get(name)
    return views.service(project, service) if service is not None else None
