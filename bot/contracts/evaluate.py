"""One contract against one subject: which of its promises are not kept, and on which line."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.compiled import Compiled, CompiledClause, variables_of
from bot.contracts.expressions import THERE, EvaluationFault, Program, Scope
from bot.contracts.functions import Functions, ReadFile, show
from bot.contracts.located import Located, Parts, Plain, same
from bot.contracts.places import Element, Follow, Places, Spot
from bot.contracts.tokens import Path
from bot.model.contract import Each, Violation
from bot.model.text import code

MAX_VIOLATIONS = 50  # of one contract and subject
MAX_MESSAGE = 600  # characters
_LARGE = ("file_services", "file_configs", "estate", "base")


class Subject(Struct, frozen=True, eq=False):
    """What contracts of one kind are held against, with the views of it and of what is around it."""

    each: Each
    path: str  # of the project; empty for the estate
    name: str
    roots: Mapping[str, Located]  # by the names that expressions use

    @property
    def view(self) -> Located:
        return self.roots[str(self.each)]

    @property
    def service(self) -> str | None:
        return self.name if self.each is Each.SERVICE else None


class Verdict(Struct, frozen=True):
    """`chosen`: whether the contract's `select` takes the subject in at all."""

    chosen: bool
    violations: tuple[Violation, ...] = ()


@dataclass
class _Prepared:
    """A scope and what it was given; `ready` are the names that are as they must be for a view."""

    scope: Scope
    given: dict[str, Located] = field(default_factory=dict)
    view: Located | None = None
    ready: set[str] = field(default_factory=set)


@dataclass
class Evaluator:
    """Holds contracts against subjects. Everything made for one subject is kept while it is the same."""

    read_file: ReadFile
    contracts: Sequence[Compiled] = ()  # those to come: what they all need of a subject is handed over at once
    locate: bool = True  # without it all places are the subject's: enough to tell that something fails
    _functions: Functions = field(init=False)
    _path: str | None = field(default=None, init=False)
    _files: dict[tuple[int, frozenset[str]], tuple[Located, Located]] = field(default_factory=dict, init=False)
    _listed: dict[tuple[int, str], tuple[Located, Located]] = field(default_factory=dict, init=False)
    _scopes: dict[tuple[frozenset[str], int], _Prepared] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._functions = Functions(self.read_file)
        called = {name for compiled in self.contracts for name in compiled.calls}
        every = self._functions.all()
        self._callables = {name: every[name] for name in every if name in called} if self.contracts else every
        self._first = frozenset(name for compiled in self.contracts for name in _asked_first(compiled))

    def hold(self, compiled: Compiled, subject: Subject) -> Verdict:
        subject = self._narrowed(compiled, subject)
        select = compiled.select
        if select is not None:
            scope = self._scope_of(subject, select.names)
            try:
                if not scope.is_true(select):
                    return Verdict(False)
            except EvaluationFault as fault:
                holding = _Holding(compiled, subject, scope, self._functions, self.locate)
                return Verdict(True, (holding.stopped("select", select, fault),))
        scope = self._scope_of(subject, compiled.roots)
        with suppress(EvaluationFault):
            if compiled.whole is not None and scope.evaluate(compiled.whole) is True:
                return Verdict(True)
        return Verdict(True, tuple(_Holding(compiled, subject, scope, self._functions, self.locate).violations()))

    def _scope_of(self, subject: Subject, names: frozenset[str]) -> Scope:
        """The scope for a subject: what is the same for all subjects of a project is handed over once.

        The library copies all that a scope holds whenever something is set in it: what is large is kept out
        of the scopes of contracts that do not ask for it.
        """
        if self._path != subject.path:
            self._path, self._scopes = subject.path, {}
        large = frozenset(name for name in names if name.startswith(_LARGE))
        kind = (large, id(subject.roots["file"]) if large and "file" in subject.roots else 0)
        if kind not in self._scopes:
            self._scopes[kind] = _Prepared(Scope(self._functions, self._callables))
        prepared = self._scopes[kind]
        if prepared.view is not subject.view:
            prepared.view, prepared.ready = subject.view, set()
        wanted = names if large else names | self._first
        for name in wanted - prepared.ready:
            found = self._part_of(subject.roots, name)
            if found is not None and prepared.given.get(name) is not found:
                prepared.given[name] = found
                prepared.scope.set(name, found.plain)
        prepared.ready |= wanted
        return prepared.scope

    def _narrowed(self, compiled: Compiled, subject: Subject) -> Subject:
        """The subject with, of the services around it, only the fields that the contract may ask for."""
        file, fields = subject.roots.get("file"), compiled.service_fields
        if file is None or fields is None or not compiled.looks_at_services:
            return subject
        key = (id(file), fields)
        if key not in self._files:
            self._files[key] = (file, narrowed(file, fields))
        return replace(subject, roots={**subject.roots, "file": self._files[key][1]})

    def _part_of(self, roots: Mapping[str, Located], name: str) -> Located | None:
        """`service` is a root itself, `file_services` a field of one; `_keys`, `_values` and `_there` are lists."""
        if name in roots:
            return roots[name]
        root, _, key = name.partition("_")
        if root not in roots:
            return None
        if key == THERE:
            return self._list_of(roots[root], "_keys")
        for ending in ("_keys", "_values"):
            if key.endswith(ending):
                found = roots[root].step(key.removesuffix(ending))
                return self._list_of(found, ending) if found is not None else None
        return roots[root].step(key)

    def _list_of(self, found: Located, ending: str) -> Located:
        if (id(found), ending) not in self._listed:
            if isinstance(found.content, Mapping):
                names = sorted(found.content)
                parts = [found.content[name] if ending == "_values" else Located(name) for name in names]
            else:  # a list: its elements are what `in` looks for
                parts = [*found.content] if isinstance(found.content, (list, tuple)) else []
            self._listed[id(found), ending] = (found, Located(parts, found.at))
        return self._listed[id(found), ending][1]


@dataclass
class _Holding:
    """The evaluation of one contract on one subject."""

    compiled: Compiled
    subject: Subject
    scope: Scope
    functions: Functions
    locate: bool
    variables: dict[str, Plain] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    _places: Places | None = None

    def violations(self) -> Iterator[Violation]:
        yield from islice(self._all(), MAX_VIOLATIONS)

    def _all(self) -> Iterator[Violation]:
        yield from self._variables()
        for clause in self.compiled.clauses:
            if not clause.mentions & self.failed:
                yield from self._clause(clause)

    def _variables(self) -> Iterator[Violation]:
        """A variable without a value is one violation; what uses it is not asked."""
        for name, program in self.compiled.variables:
            if self.failed & set(variables_of(program)):
                self.failed.add(name)
                continue
            try:
                self.variables[name] = self.scope.evaluate(program)
                self.scope.set(f"variables_{name}", self.variables[name])
            except EvaluationFault as fault:
                self.failed.add(name)
                yield self.stopped(f"variable {name}", program, fault)

    def _clause(self, clause: CompiledClause) -> Iterator[Violation]:
        """Asked as one expression, which is cheap; what does not hold is looked at element by element."""
        with suppress(EvaluationFault):
            if self.scope.evaluate(clause.whole) is True:
                return
        yield from self._loop(clause, 0, {})

    def _loop(self, clause: CompiledClause, depth: int, elements: Mapping[str, Element]) -> Iterator[Violation]:
        if depth == len(clause.loops):
            yield from self._element(clause, elements)
            return
        name, loop = clause.loops[depth]
        try:
            values = _listed(self.scope.evaluate(loop))
        except EvaluationFault as fault:
            yield self.stopped(clause.clause.id, loop, fault, clause, elements)
            return
        for index, value in enumerate(values):
            self.scope.set(name, value)
            found = None
            if self.locate:
                path = clause.loop_paths[depth]
                found = self.places.of_element(path, values, index, elements, self._follow(clause))
            yield from self._loop(clause, depth + 1, {**elements, name: Element(value, found)})

    def _element(self, clause: CompiledClause, elements: Mapping[str, Element]) -> Iterator[Violation]:
        try:
            if self._asked(clause) and not self.scope.is_true(clause.condition):
                yield self._broken(clause, elements)
        except EvaluationFault as fault:
            yield self.stopped(clause.clause.id, clause.condition, fault, clause, elements)

    def _asked(self, clause: CompiledClause) -> bool:
        return clause.when is None or self.scope.is_true(clause.when)

    def _broken(self, clause: CompiledClause, elements: Mapping[str, Element]) -> Violation:
        chosen = clause.places or _longest_first(clause.condition.paths)
        says = self._message(clause)
        return self._violation(clause.clause.id, chosen, elements, says, self._follow(clause))

    def _message(self, clause: CompiledClause) -> str:
        if clause.message is None:
            return f"{code(clause.condition.expression.text)} does not hold"
        try:
            return show(self.scope.evaluate(clause.message))
        except EvaluationFault as fault:
            return f"{code(clause.condition.expression.text)} does not hold (its message cannot be made: {fault})"

    def stopped(
        self,
        clause: str,
        program: Program | None,
        fault: EvaluationFault,
        of: CompiledClause | None = None,
        elements: Mapping[str, Element] | None = None,
    ) -> Violation:
        """An expression that gave no answer is no pass."""
        assert program is not None
        part = program.expression.owner.partition(", ")[2]
        says = f"{part} cannot be told: {fault}"
        chosen = of.places if of is not None and of.places else _longest_first(program.paths)
        follow = self._follow(of)
        found = self._violation(clause, chosen, elements or {}, says, follow)
        if fault.fault is not None and fault.fault.line is not None and self.locate:
            spot = self.places.of_line(fault.fault.text, fault.fault.line)
            if spot is not None:
                found = replace(found, at=spot.at)
        return replace(found, stopped=True)

    def _violation(
        self,
        clause: str,
        chosen: tuple[Path, ...],
        elements: Mapping[str, Element],
        says: str,
        follow: Follow,
    ) -> Violation:
        spot = self.places.spot(chosen, elements, follow) if self.locate else None
        owner = next((each.found.service for each in elements.values() if each.found and each.found.service), None)
        if spot is None:
            at = self.subject.view.at or self.compiled.contract.at  # an estate is nowhere in particular
            spot = Spot(at, None)
        return Violation(
            contract=self.compiled.contract.id,
            clause=clause,
            path=self.subject.path or spot.at.file,
            at=spot.at,
            service=self.subject.service or owner or spot.service,
            item=" ".join(label(each.value) for each in elements.values()),
            says=says if len(says) <= MAX_MESSAGE else f"{says[:MAX_MESSAGE]}…",
        )

    @property
    def places(self) -> Places:
        if self._places is None:
            self._places = Places(self.subject.roots, self.functions.readings)
        return self._places

    def _follow(self, clause: CompiledClause | None) -> Follow:
        def compute(text: str) -> Plain:
            program = clause.computed.get(text) if clause is not None else None
            try:
                return self.scope.evaluate(program) if program is not None else None
            except EvaluationFault:
                return None

        return Follow(self.variables, compute)


def _asked_first(compiled: Compiled) -> frozenset[str]:
    """What every subject is asked: the names in `select`, or all where there is none; large ones apart."""
    if compiled.contract.each is not Each.SERVICE:
        return frozenset()
    names = compiled.select.names if compiled.select is not None else compiled.roots
    return frozenset() if any(name.startswith(_LARGE) for name in names) else names


def narrowed(file: Located, fields: Collection[str]) -> Located:
    """A file whose services have only some of their fields."""
    content = file.content
    services = content.get("services") if isinstance(content, Mapping) else None
    if services is None or not isinstance(content, Mapping) or not isinstance(services.content, Mapping):
        return file
    views = {name: _only(view, fields) for name, view in services.content.items()}
    return Located({**content, "services": Located(views, services.at)}, file.at)


def _only(view: Located, fields: Collection[str]) -> Located:
    content = view.content
    return Located(content.only(fields), view.at, view.service) if isinstance(content, Parts) else view


def _listed(value: Plain) -> list[Plain]:
    if isinstance(value, dict):
        return sorted(value)
    if not isinstance(value, list):
        raise EvaluationFault("`for` needs a list or a map")
    return value


def _longest_first(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(sorted(paths, key=lambda path: -len(path.steps)))


def label(value: Plain) -> str:
    """What tells an element of a loop from its neighbours, whatever else of it changes."""
    if isinstance(value, dict):
        for key in ("key", "name", "id", "ref", "address", "target", "source"):
            if isinstance(value.get(key), str):
                return f"{key} {value[key]}"
    if isinstance(value, (dict, list)):
        return hashlib.sha256(same(value).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return show(value)
