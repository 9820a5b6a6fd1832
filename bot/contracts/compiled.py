"""A contract ready to be held against something: its expressions compiled, its names and files known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.expressions import CompileFault, Program, compile_expression
from bot.contracts.fields import FIELDS
from bot.contracts.functions import FILE_FUNCTIONS
from bot.contracts.tokens import Kind, Path, file_names, literal, path_of, tokens
from bot.model.contract import Clause, Contract, Each, Expression
from bot.model.project import Problem, ProblemKind

# What a contract of each kind may name besides its variables.
ROOTS: Mapping[Each, tuple[str, ...]] = {
    Each.SERVICE: ("service", "file", "estate", "base"),
    Each.CONFIG: ("config", "file", "estate", "base"),
    Each.VOLUME: ("volume", "file", "estate", "base"),
    Each.FILE: ("file", "estate", "base"),
    Each.ESTATE: ("estate", "base"),
}

_WHOLE = ("service", "file", "estate")


class CompiledClause(Struct, frozen=True, dict=True):
    clause: Clause
    condition: Program
    loops: tuple[tuple[str, Program], ...]
    when: Program | None
    message: Program | None
    places: tuple[Path, ...]
    computed: Mapping[str, Program]  # the indices in its paths that must be computed
    whole: Program  # all of it as one expression: true when every element keeps the condition

    @cached_property
    def loop_paths(self) -> tuple[Path | None, ...]:
        return tuple(path_of(loop.expression.text) for _, loop in self.loops)

    @cached_property
    def mentions(self) -> frozenset[str]:
        """The variables that it uses."""
        programs = (self.whole, self.message)
        return frozenset(name for program in programs if program is not None for name in variables_of(program))


class Compiled(Struct, frozen=True, dict=True):
    contract: Contract
    select: Program | None
    variables: tuple[tuple[str, Program], ...]
    clauses: tuple[CompiledClause, ...]
    whole: Program | None  # everything but `select` as one expression; None when that is nested too deeply

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        return tuple(self._programs())

    def _programs(self) -> Iterator[Program]:
        if self.select is not None:
            yield self.select
        yield from (program for _, program in self.variables)
        for clause in self.clauses:
            programs = (clause.whole, clause.message, *(loop for _, loop in clause.loops), *clause.computed.values())
            yield from (program for program in programs if program is not None)

    @cached_property
    def roots(self) -> frozenset[str]:
        """`service`, `file_services`: what it must be given."""
        return frozenset(name for program in self.programs for name in program.names)

    @cached_property
    def calls(self) -> frozenset[str]:
        return frozenset(name for program in self.programs for name in program.calls)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name in it: a field that is none of them is not asked for. All texts, too: fields by key."""
        texts = [program.expression.text for program in self.programs]
        texts += [path.text for clause in self.clauses for path in clause.places]
        found = {token.text.strip("'\"") for text in texts for token in tokens(text) if token.kind is not Kind.SIGN}
        return frozenset(found)

    @cached_property
    def literals(self) -> frozenset[str]:
        """The texts it names: keys, names, parts of them."""
        texts = [program.expression.text for program in self.programs]
        return frozenset(literal(token) for text in texts for token in tokens(text) if token.kind is Kind.TEXT)

    @cached_property
    def phrases(self) -> frozenset[str]:
        """What it looks for in texts: its own texts, and the longer words of its regular expressions."""
        patterns = [text for text in self.literals if re.search(r"[\\(*]", text)]
        words = {word for text in patterns for word in re.findall(r"[A-Za-z_]{4,}", text)}
        return frozenset(words | {text for text in self.literals if len(text) > 3 and text not in patterns})

    @cached_property
    def takes_whole(self) -> bool:
        """Whether it uses a service or file as a whole, and so all of its fields."""
        return any(not path.steps for program in self.programs for path in program.paths if path.root in _WHOLE)

    @cached_property
    def files(self) -> tuple[frozenset[str], bool]:
        """The files it reads by name, and whether it also reads files whose names it computes."""
        found: set[str] = set()
        computed = False
        for program in self.programs:
            names, any_computed = file_names(program.expression.text, FILE_FUNCTIONS)
            found |= names
            computed = computed or any_computed
        return frozenset(found), computed

    @cached_property
    def service_fields(self) -> frozenset[str] | None:
        """The fields of services that it may ask for; None for all."""
        if self.takes_whole:
            return None
        return frozenset(word for word in self.words if word in FIELDS["service"] or word.startswith("x-"))

    @property
    def looks_at_services(self) -> bool:
        """Whether it looks into the services of a file, not only for their names."""
        return bool(self.roots & {"file", "file_services", "file_services_values"}) or self.looks_at("estate")

    def looks_at(self, root: str) -> bool:
        return any(name == root or name.startswith(f"{root}_") for name in self.roots)


def compile_contract(contract: Contract) -> tuple[Compiled | None, tuple[Problem, ...]]:
    """All of a contract, or every fault in it."""
    faults: list[CompileFault] = []
    roots = ROOTS[contract.each]
    known: list[str] = []

    def attempt(expression: Expression | None, *more: str) -> Program | None:
        if expression is None:
            return None
        try:
            return compile_expression(expression, (*roots, *more), known)
        except CompileFault as fault:
            faults.append(fault)
            return None

    select = attempt(contract.select)
    variables = []
    for name, expression in contract.variables:
        program = attempt(expression)
        if program is not None:
            variables.append((name, program))
        known.append(name)
    clauses = []
    for clause in contract.clauses:
        try:
            clauses.append(_compile_clause(clause, roots, known))
        except CompileFault as fault:
            faults.append(fault)
    if faults:
        return None, tuple(Problem(ProblemKind.VALUE, each.says, each.at, (contract.id, each.says)) for each in faults)
    whole = _whole_contract(contract, variables, clauses)
    return Compiled(contract, select, tuple(variables), tuple(clauses), whole), ()


def _whole_contract(
    contract: Contract, variables: list[tuple[str, Program]], clauses: list[CompiledClause]
) -> Program | None:
    """A contract as one expression, its variables bound by macros.

    Most contracts hold, and one answer from the library costs a tenth of asking it step by step: nothing is
    converted on the way.
    """
    needed = {name for clause in clauses for name in variables_of(clause.whole)}
    text = " && ".join(f"({clause.whole.expression.text})" for clause in clauses)
    for name, program in reversed(variables):
        if name in needed:
            needed |= set(variables_of(program))
            text = f"[{program.expression.text}].all(variables_{name}, {text})"
    expression = Expression(text, contract.at, f"contract {contract.id}")
    try:
        return compile_expression(expression, ROOTS[contract.each], [name for name, _ in variables])
    except CompileFault:
        return None


def _compile_clause(clause: Clause, roots: tuple[str, ...], known: list[str]) -> CompiledClause:
    loops: list[tuple[str, Program]] = []
    names = roots
    for name, expression in clause.loops:
        if name in (*names, "variables"):
            raise CompileFault(f"{expression.owner}: `{name}` already means something else", expression.at)
        loops.append((name, compile_expression(expression, names, known)))
        names = (*names, name)

    def made(expression: Expression | None) -> Program | None:
        return compile_expression(expression, names, known) if expression is not None else None

    condition = compile_expression(clause.condition, names, known)
    places = tuple(_place_path(expression, names, known) for expression in clause.places)
    computed: dict[str, Program] = {}
    for step in (step for path in (*places, *condition.paths) for step in path.steps if step.key is None):
        with suppress(CompileFault):  # it uses what a macro binds: the path ends there
            inner = replace(clause.condition, text=step.computed)
            computed[step.computed] = compile_expression(inner, names, known)
    when = made(clause.when)
    return CompiledClause(
        clause=clause,
        condition=condition,
        loops=tuple(loops),
        when=when,
        message=made(clause.message),
        places=places,
        computed=computed,
        whole=compile_expression(replace(clause.condition, text=_whole(clause)), roots, known),
    )


def _place_path(expression: Expression, names: tuple[str, ...], known: list[str]) -> Path:
    path = path_of(expression.text)
    if path is None:
        says = f'{expression.owner}: `{expression.text}` is no path such as `service.labels["x"]`'
        raise CompileFault(says, expression.at)
    compile_expression(expression, names, known)
    return path


def _whole(clause: Clause) -> str:
    text = f"({clause.condition.text})"
    if clause.when is not None:
        text = f"(!({clause.when.text}) || {text})"
    for name, loop in reversed(clause.loops):
        text = f"({loop.text}).all({name}, {text})"
    return text


def variables_of(program: Program) -> Iterator[str]:
    """The variables that a program uses."""
    yield from (name.removeprefix("variables_") for name in program.names if name.startswith("variables_"))
