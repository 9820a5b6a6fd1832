"""Contracts: what a repository promises of its files, and how the promises fare."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from bot.model.finding import CheckStatus, Level
from bot.model.place import Place
from bot.model.project import Problem
from bot.model.settings import matches


class Each(StrEnum):
    """What a contract is held against, once for every one of them."""

    SERVICE = "service"
    FILE = "file"
    CONFIG = "config"
    VOLUME = "volume"
    ESTATE = "estate"


class Expression(Struct, frozen=True):
    """CEL as written, and where. `owner` names the part of the contract for people: `select`, `check digest`."""

    text: str
    at: Place
    owner: str


class Clause(Struct, frozen=True):
    """One check of a contract: a condition that must hold, for each element of its loops where it has any."""

    id: str
    condition: Expression
    loops: tuple[tuple[str, Expression], ...] = ()  # a name and its list, the inner ones last
    when: Expression | None = None  # the condition is asked for only where this holds
    places: tuple[Expression, ...] = ()  # paths; the first that leads somewhere tells the line
    message: Expression | None = None

    @property
    def at(self) -> Place:
        return self.condition.at


class Verdict(StrEnum):
    """What an example of a contract shows."""

    KEEPS = "keeps"
    BREAKS = "breaks"


class ContractExample(Struct, frozen=True):
    verdict: Verdict
    text: str  # a Compose file
    at: Place


class Contract(Struct, frozen=True):
    id: str
    because: str
    at: Place
    clauses: tuple[Clause, ...]
    each: Each = Each.SERVICE
    level: Level = Level.ERROR
    files: tuple[str, ...] = ()  # globs; empty: every Compose file
    not_files: tuple[str, ...] = ()
    select: Expression | None = None
    optional: bool = False  # nothing to hold it against is no fault
    variables: tuple[tuple[str, Expression], ...] = ()
    examples: tuple[ContractExample, ...] = ()
    pack: str = ""  # the pack it comes from; empty for the repository's own

    def covers(self, path: str) -> bool:
        return (not self.files or matches(path, self.files)) and not matches(path, self.not_files)


class Violation(Struct, frozen=True):
    """One promise that is not kept. `item` tells apart several of one clause and subject, without prose."""

    contract: str
    clause: str
    path: str  # of the project it was found in
    at: Place
    service: str | None
    item: str
    says: str
    stopped: bool = False  # the expression gave no answer: an error, or a limit
    inherited: bool = False  # base had it already

    @property
    def about(self) -> tuple[str, ...]:
        return (self.contract, self.clause, self.service or "", self.item)


class Side(StrEnum):
    """Which state of the repository a contract was read from."""

    BASE = "base"
    HEAD = "head"


class ContractResult(Struct, frozen=True):
    contract: Contract
    status: CheckStatus
    files: tuple[str, ...] = ()  # the projects it was held against
    violations: tuple[Violation, ...] = ()
    why: str | None = None  # of a skipped one
    read_from: Side = Side.BASE


class EditKind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    LOOSENED = "loosened"
    TIGHTENED = "tightened"
    CHANGED = "changed"  # which way cannot be told from its text


class ContractEdit(Struct, frozen=True):
    """What a change does to one contract. `details` are our own words, foreign text in code spans."""

    kind: EditKind
    contract: str
    details: tuple[str, ...]
    at: Place  # in head; in base when it is gone


class ContractResults(Struct, frozen=True):
    """All that contracts have to say about one change."""

    results: tuple[ContractResult, ...] = ()
    edits: tuple[ContractEdit, ...] = ()
    problems: tuple[Problem, ...] = field(default=())  # why head's contracts cannot be used
