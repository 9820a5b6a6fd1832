"""`contracts test`: every contract against mutants of what it covers, to show that it can fail."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.check import State, Subjects, Task, tasks_of
from bot.contracts.compiled import Compiled
from bot.contracts.evaluate import Evaluator, Subject
from bot.contracts.functions import ReadFile
from bot.contracts.located import Located
from bot.contracts.mutate import Mutant, mutants_of
from bot.contracts.relevance import Relevance, chosen, values_of
from bot.contracts.sandbox import Stopped, run
from bot.model.contract import Each
from bot.model.project import Estate, Project

SECONDS = 5.0  # of processor time for one mutant and all contracts that look at it

# What breaks: which check of a contract, in which subject, over what.
Breach = tuple[str, str, str, str]


class Outcome(Struct, frozen=True):
    """One mutant, the contracts that look at it, and the checks that noticed."""

    mutant: Mutant
    concerned: tuple[str, ...]
    killed_by: tuple[tuple[str, str], ...]  # contract and check
    stopped: str = ""


@dataclass
class Tally:
    """How often a contract, or a check of it, was asked and noticed."""

    mutants: int = 0
    killed: int = 0
    checks: dict[str, int] = field(default_factory=dict)


class Trial(Struct, frozen=True):
    """The result: a tally per contract (none where it covers no file), and what nobody noticed."""

    tallies: dict[str, Tally]
    outcomes: tuple[Outcome, ...]

    @property
    def survivors(self) -> tuple[Outcome, ...]:
        return tuple(each for each in self.outcomes if not each.killed_by)

    def vacuous(self, proven: Collection[tuple[str, str]] = ()) -> tuple[tuple[str, str], ...]:
        """Contracts, and checks of others, that noticed nothing: ("id", "") and ("id", "check").

        `proven` are contracts and checks that an example is known to break: here there is only nothing for them.
        """
        found: list[tuple[str, str]] = []
        for name, tally in self.tallies.items():
            silent = [check for check, killed in tally.checks.items() if not killed and (name, check) not in proven]
            if silent == list(tally.checks) and not tally.killed:
                found.append((name, ""))
            else:
                found += [(name, check) for check in silent]
        return tuple(found)


def put_to_test(
    contracts: Sequence[Compiled],
    state: State,
    *,
    each: int = 1,
    jobs: int = 1,
    tick: Callable[[int, int], None] | None = None,
) -> Trial:
    """Tries so many mutants of `each` kind. `tick` hears how many are done, and of how many."""
    projects = {path: each for path, each in state.estate.projects.items() if each.unread is None}
    covering = [one for one in contracts if any(one.contract.covers(path) for path in projects)]
    relevance = Relevance(covering, _selected(covering, state))
    texts = values_of(covering)
    every = (mutant for project in projects.values() for mutant in mutants_of(project, texts))
    picked = chosen(every, projects, relevance, each)
    answers = run(
        len(picked),
        lambda read_file: _Tester(covering, state.estate, picked, read_file).test,
        read_file=state.read_file,
        jobs=jobs,
        seconds=SECONDS,
        tick=(lambda done: tick(done, len(picked))) if tick is not None else None,
    )
    outcomes = tuple(
        _outcome(mutant, looking, answer) for (mutant, looking), answer in zip(picked, answers, strict=True)
    )
    return Trial(_tallies(covering, outcomes), outcomes)


def _selected(contracts: Sequence[Compiled], state: State) -> dict[str, set[tuple[str, str]]]:
    """The services that each contract selects, by its id."""
    tasks = [
        task
        for task in tasks_of(contracts, state.estate, lambda _, __: True, None)
        if task.subject.each is Each.SERVICE
    ]
    answers = run(
        len(tasks),
        lambda read_file: _selector(Evaluator(read_file, tuple(contracts), locate=False), tasks),
        read_file=state.read_file,
        group=lambda index: tasks[index].compiled.contract.id,
    )
    found: dict[str, set[tuple[str, str]]] = {}
    for task, answer in zip(tasks, answers, strict=True):
        if answer is True:
            found.setdefault(task.compiled.contract.id, set()).add((task.subject.path, task.subject.name))
    return found


def _selector(evaluator: Evaluator, tasks: Sequence[Task]) -> Callable[[int], bool]:
    return lambda index: evaluator.hold(tasks[index].compiled, tasks[index].subject).chosen


def _outcome(mutant: Mutant, looking: Iterable[Compiled], answer: tuple[tuple[str, str], ...] | Stopped) -> Outcome:
    concerned = tuple(one.contract.id for one in looking)
    if isinstance(answer, Stopped):
        return Outcome(mutant, concerned, (), answer.why)
    return Outcome(mutant, concerned, answer)


def _tallies(contracts: Sequence[Compiled], outcomes: Iterable[Outcome]) -> dict[str, Tally]:
    tallies = {one.contract.id: Tally(checks={clause.id: 0 for clause in one.contract.clauses}) for one in contracts}
    for outcome in outcomes:
        for name in outcome.concerned:
            tallies[name].mutants += 1
        for name in {contract for contract, _ in outcome.killed_by}:
            tallies[name].killed += 1
        for name, check in outcome.killed_by:
            if check in tallies[name].checks:
                tallies[name].checks[check] += 1
    return tallies


class _Tester:
    """Tests mutants in one process; what the unmutated tree looks like is made once."""

    def __init__(
        self,
        contracts: Sequence[Compiled],
        estate: Estate,
        mutants: Sequence[tuple[Mutant, tuple[Compiled, ...]]],
        read_file: ReadFile,
    ) -> None:
        self._estate = estate
        self._mutants = mutants
        self._evaluator = Evaluator(read_file, locate=False)
        self._subjects = Subjects(contracts, estate)
        self._before: dict[tuple[str, str], dict[str, Subject]] = {}
        self._known: dict[tuple[str, str], frozenset[Breach]] = {}

    def test(self, index: int) -> tuple[tuple[str, str], ...]:
        """The contracts and checks that notice a mutant."""
        mutant, concerned = self._mutants[index]
        project = mutant.make()
        estate = replace(self._estate, projects={**self._estate.projects, mutant.path: project})
        subjects = self._subjects.for_mutant(estate, self._was)
        killed = {
            (name, check)
            for compiled in concerned
            for name, check, _, _ in self._breaches(compiled, subjects, mutant, project)
            - self._baseline(compiled, mutant.path)
        }
        return tuple(sorted(killed))

    def _breaches(self, compiled: Compiled, subjects: Subjects, mutant: Mutant, project: Project) -> frozenset[Breach]:
        found: list[Breach] = []
        for subject in _subjects_of(compiled, subjects, project, self._estate):
            alone = mutant.service is not None and mutant.field != "services" and not compiled.looks_at("file")
            if alone and subject.each is Each.SERVICE and subject.name != mutant.service:
                continue
            found += self._of(compiled, subject)
        return frozenset(found)

    def _of(self, compiled: Compiled, subject: Subject) -> Iterator[Breach]:
        for violation in self._evaluator.hold(compiled, subject).violations:
            yield (violation.contract, violation.clause, subject.name, f"{violation.item} {violation.says}")

    def _baseline(self, compiled: Compiled, path: str) -> frozenset[Breach]:
        """What the tree breaks as it is."""
        key = (compiled.contract.id, path)
        if key not in self._known:
            project = self._estate.projects[path]
            subjects = _subjects_of(compiled, self._subjects, project, self._estate)
            self._known[key] = frozenset(breach for subject in subjects for breach in self._of(compiled, subject))
        return self._known[key]

    def _was(self, subject: Subject) -> Located | None:
        """A mutant is a change: `base` is what was there before it."""
        if subject.each is Each.ESTATE:
            return self._subjects.estate(self._estate.projects.values()).view
        key = (subject.path, str(subject.each))
        if key not in self._before:
            project = self._estate.projects[subject.path]
            self._before[key] = {each.name: each for each in self._subjects.of(project, subject.each)}
        found = self._before[key].get(subject.name)
        return found.view if found is not None else None


def _subjects_of(compiled: Compiled, subjects: Subjects, project: Project, estate: Estate) -> Iterator[Subject]:
    if compiled.contract.each is Each.ESTATE:
        projects = {**estate.projects, project.path: project}.values()
        yield subjects.estate(each for each in projects if compiled.contract.covers(each.path))
    else:
        yield from subjects.of(project, compiled.contract.each)
