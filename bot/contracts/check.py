"""Contracts against the projects of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy

from msgspec import Struct

from bot.contracts.compiled import Compiled
from bot.contracts.evaluate import Evaluator, Subject, Verdict
from bot.contracts.functions import ReadFile
from bot.contracts.located import Located
from bot.contracts.sandbox import Stopped, processors, run
from bot.contracts.views import Views
from bot.contracts.words import words_of
from bot.document.collecting import paused
from bot.model.contract import ContractResult, Each, Side, Violation
from bot.model.finding import CheckStatus, Gap
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.text import code

FEW_TASKS = 200  # fewer are done sooner than a second process has started


class State(Struct, frozen=True):
    """One state of the repository: its projects, what of it could not be read, and its other files."""

    estate: Estate
    gaps: tuple[Gap, ...] = ()
    read_file: ReadFile = lambda path: None  # noqa: ARG005 - no files


class Task(Struct, frozen=True):
    """One contract, to be held against one subject."""

    compiled: Compiled
    subject: Subject


Before = Callable[[Subject], Located | None]  # what a subject was before the change


def check(
    contracts: Sequence[Compiled],
    state: State,
    *,
    only: Callable[[Compiled, Project], bool] = lambda compiled, project: True,  # noqa: ARG005
    before: Before | None = None,
    side: Side = Side.BASE,
) -> tuple[ContractResult, ...]:
    """Each contract against what it covers. `only` leaves out projects that need not be looked at.

    Without `before` nothing changes: `base` is the subject itself.
    """
    with paused():
        tasks = list(tasks_of(contracts, state.estate, only, before))
    answers = run(
        len(tasks),
        lambda read_file: _worker(tasks, read_file),
        read_file=state.read_file,
        jobs=processors() if len(tasks) > FEW_TASKS else 1,
        group=lambda index: tasks[index].compiled.contract.id,
        share=lambda jobs: _by_file(tasks, state.estate, jobs),
    )
    found: dict[str, list[tuple[Task, Verdict | Stopped]]] = {each.contract.id: [] for each in contracts}
    for task, answer in zip(tasks, answers, strict=True):
        found[task.compiled.contract.id].append((task, answer))
    return tuple(_result(each, found[each.contract.id], state, only, side) for each in contracts)


def _by_file(tasks: Sequence[Task], estate: Estate, jobs: int) -> list[list[int]]:
    """The tasks of a file go to one child, which makes what they share once; the longest files are dealt out first."""
    files: dict[str, list[int]] = {}
    for index, task in enumerate(tasks):
        files.setdefault(task.subject.path, []).append(index)

    def length(path: str) -> int:
        project = estate.projects.get(path)
        return sum(len(estate.files[each].text) for each in project.files if each in estate.files) if project else 0

    shares: list[list[int]] = [[] for _ in range(jobs)]
    loads = [0] * jobs
    for path in sorted(files, key=length, reverse=True):
        least = loads.index(min(loads))
        shares[least] += files[path]
        loads[least] += length(path)
    return shares


def _worker(tasks: Sequence[Task], read_file: ReadFile) -> Callable[[int], Verdict]:
    contracts = {id(task.compiled): task.compiled for task in tasks}
    evaluator = Evaluator(read_file, tuple(contracts.values()))
    return lambda index: evaluator.hold(tasks[index].compiled, tasks[index].subject)


def tasks_of(
    contracts: Sequence[Compiled],
    estate: Estate,
    only: Callable[[Compiled, Project], bool],
    before: Before | None,
) -> Iterator[Task]:
    """All there is to do, subject by subject: what is made for one serves every contract."""
    paths = [path for path, project in estate.projects.items() if project.unread is None]
    asked = [one for one in contracts if any(one.contract.covers(path) for path in paths)]
    subjects = Subjects(asked, estate, before)
    by_kind = {each: [one for one in asked if one.contract.each is each] for each in Each}
    for project in estate.projects.values():
        if project.unread is not None:
            continue
        for each in (Each.FILE, Each.SERVICE, Each.CONFIG, Each.VOLUME):
            chosen = [one for one in by_kind[each] if one.contract.covers(project.path) and only(one, project)]
            if not chosen:
                continue
            for subject in subjects.of(project, each):
                for compiled in chosen:
                    yield Task(compiled, subject)
    for compiled in by_kind[Each.ESTATE]:
        projects = [project for project in estate.projects.values() if compiled.contract.covers(project.path)]
        if any(only(compiled, project) for project in projects):
            yield Task(compiled, subjects.estate(projects))


class Subjects:
    """What contracts of each kind are held against in one tree, each made once."""

    def __init__(self, contracts: Sequence[Compiled], estate: Estate, before: Before | None = None) -> None:
        around = [one for one in contracts if one.looks_at("file") or one.looks_at("estate")]
        others = [one for one in contracts if one.looks_at_services]
        alone = [one for one in contracts if one.contract.each is Each.SERVICE]
        self._around = Views(estate, words_of(around), words_of(others))
        self._services = Views(estate, words_of(alone))
        self._before = before
        self._all = self._around.estate() if any(one.looks_at("estate") for one in contracts) else None

    def for_mutant(self, estate: Estate, before: Before) -> Subjects:
        """The subjects of an estate that differs in little, with what they were before."""
        subjects = copy(self)
        subjects._around = self._around.for_mutant(estate)
        subjects._services = self._services.for_mutant(estate)
        subjects._before = before
        subjects._all = subjects._around.estate() if self._all is not None else None
        return subjects

    def of(self, project: Project, each: Each) -> Iterator[Subject]:
        file = self._around.file(project)
        if each is Each.FILE:
            yield self._subject(each, project.path, project.path, {"file": file})
        elif each is Each.SERVICE:
            for service in project.services.values():
                view = self._services.service(project, service)
                yield self._subject(each, project.path, service.name, {"service": view, "file": file})
        else:
            section = f"{each}s"
            for name in getattr(project, section):
                view = self._around.top_level(project, section, name)
                yield self._subject(each, project.path, name, {str(each): view, "file": file})

    def estate(self, projects: Iterable[Project]) -> Subject:
        view = Located({"files": Located([self._around.file(project) for project in projects])})
        return self._subject(Each.ESTATE, "", "", {"estate": view})

    def _subject(self, each: Each, path: str, name: str, roots: dict[str, Located]) -> Subject:
        subject = Subject(each, path, name, roots)
        before = self._before(subject) if self._before is not None else subject.view
        roots["base"] = before if before is not None else Located(None)
        if self._all is not None and each is not Each.ESTATE:
            roots["estate"] = self._all
        return subject


def _result(
    compiled: Compiled,
    answers: list[tuple[Task, Verdict | Stopped]],
    state: State,
    only: Callable[[Compiled, Project], bool],
    side: Side,
) -> ContractResult:
    contract = compiled.contract
    covered = [path for path in state.estate.projects if contract.covers(path)]
    looked_at = tuple(path for path in covered if only(compiled, state.estate.projects[path]))
    violations = [*_unreadable(compiled, state, only)]
    chosen = False
    for task, answer in answers:
        if isinstance(answer, Stopped):
            chosen = True
            violations += _stopped(task, answer)
        else:
            chosen = chosen or answer.chosen
            violations += answer.violations
    if not covered and not violations:
        return ContractResult(contract, CheckStatus.SKIPPED, why="no file matches its `files`", read_from=side)
    if not looked_at and not violations:
        return ContractResult(contract, CheckStatus.SKIPPED, why="the change touches none of its files", read_from=side)
    whole = len(looked_at) == len(covered)
    if whole and not chosen and not violations and not contract.optional and not contract.pack:
        violations.append(_selects_nothing(compiled))
    ordered = tuple(sorted(dict.fromkeys(violations), key=lambda each: (each.at, each.says)))
    status = CheckStatus.FAILED if ordered else CheckStatus.PASSED
    return ContractResult(contract, status, looked_at, ordered, read_from=side)


def _unreadable(compiled: Compiled, state: State, only: Callable[[Compiled, Project], bool]) -> Iterator[Violation]:
    contract = compiled.contract
    seen: set[str] = set()
    for project in state.estate.projects.values():
        problem = project.unread
        if problem is not None and contract.covers(project.path) and only(compiled, project):
            seen.add(project.path)
            yield _not_read(compiled, project.path, problem.at, problem.says)
    for gap in state.gaps:
        if gap.at is not None and gap.at.file not in seen and contract.covers(gap.at.file):
            yield _not_read(compiled, gap.at.file, gap.at, gap.why)


def _not_read(compiled: Compiled, path: str, at: Place, says: str) -> Violation:
    return Violation(compiled.contract.id, "read", path, at, None, "", f"the file cannot be read: {says}", stopped=True)


def _stopped(task: Task, answer: Stopped) -> Iterator[Violation]:
    if answer.why:
        contract, subject = task.compiled.contract, task.subject
        says = f"contract {code(contract.id)} was not held against {code(subject.name or 'all files')}: {answer.why}"
        yield Violation(contract.id, "limit", subject.path, contract.at, subject.service, "", says, stopped=True)


def _selects_nothing(compiled: Compiled) -> Violation:
    contract = compiled.contract
    at = contract.select.at if contract.select is not None else contract.at
    what = code(contract.select.text) if contract.select is not None else f"each {contract.each}"
    says = f"{what} selects nothing in any file it covers; say `optional: true` if that may be"
    return Violation(contract.id, "select", contract.at.file, at, None, "", says, stopped=True)
