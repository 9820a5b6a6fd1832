"""The text of contracts to `Contract`s, strictly: every fault with its file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from bot.intake.globs import glob_fault
from bot.intake.section import Faults, Section, said
from bot.model.contract import Clause, Contract, ContractExample, Each, Expression, Verdict
from bot.model.finding import Level
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode
from bot.model.place import Place

KEYS = ("id", "because", "level", "files", "exclude", "each", "select", "optional", "variables", "checks")
EXAMPLES = tuple(str(verdict) for verdict in Verdict)
TAILORED = ("id", "from", "because", "level", "files", "exclude", "optional", "variables")
CLAUSE_KEYS = ("id", "for", "when", "expression", "at", "message")
LEVELS = {level.word: level for level in Level}

# The largest contract of the packs has 12 checks of 400 characters.
MAX_CONTRACTS = 300
MAX_CLAUSES = 100
MAX_CHARACTERS = 4_000  # the parser of the CEL library ends the process from about 30,000 on

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LOOP = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s+in\s+(.*)", re.DOTALL)


class ContractReader:
    """Reads a list of contracts; what is wrong with it is added to `faults`."""

    def __init__(self, faults: Faults, packs: Mapping[str, tuple[Contract, ...]], pack: str = "") -> None:
        self._faults = faults
        self._packs = packs
        self._pack = pack

    def contracts(self, node: Node) -> tuple[Contract, ...]:
        if not isinstance(node, SequenceNode):
            self._faults.add(f"`contracts` must be a list of mappings, not {said(node)}", node.at, "type", "contracts")
            return ()
        if len(node.items) > MAX_CONTRACTS:
            self._faults.add(f"holds more than {MAX_CONTRACTS} contracts", node.at, "limit", "contracts")
            return ()
        found = [each for item in node.items for each in self._item(item)]
        self._once(found)
        return tuple(found)

    def _once(self, contracts: list[Contract]) -> None:
        first: dict[str, Contract] = {}
        for contract in contracts:
            if contract.id in first:
                says = f"contract `{contract.id}` is already defined at line {first[contract.id].at.line}"
                self._faults.add(says, contract.at, "duplicate contract", contract.id)
            first.setdefault(contract.id, contract)

    def _item(self, node: Node) -> Iterator[Contract]:
        if not isinstance(node, MappingNode):
            self._faults.add(f"a contract must be a mapping, not {said(node)}", node.at, "type", "contract")
            return
        name = node.get("id")
        section = Section(node, f"contract {name.text}" if isinstance(name, ScalarNode) else "contract", self._faults)
        if section.get("from") is not None:
            yield from self._tailored(section)
        else:
            yield from self._own(section)

    def _own(self, section: Section) -> Iterator[Contract]:
        section.only((*KEYS, *EXAMPLES))
        identity = self._id(section)
        clauses = tuple(self._clauses(section, identity))
        yield Contract(
            id=identity,
            because=section.required("because"),
            at=Place.of_line(section.at.file, section.at.line),
            clauses=clauses,
            each=section.word("each", Each.SERVICE),
            level=self._level(section, Level.ERROR),
            files=self._globs(section, "files"),
            not_files=self._globs(section, "exclude"),
            select=self._expression(section, "select", f"contract {identity}, select"),
            optional=section.flag("optional", False),
            variables=tuple(self._variables(section, identity)),
            examples=tuple(self._examples(section)),
            pack=self._pack,
        )

    def _tailored(self, section: Section) -> Iterator[Contract]:
        """A contract of a pack, with the repository's own scope, level and variables."""
        section.only(TAILORED)
        identity, pack = self._id(section), section.text("from")
        if pack not in self._packs:
            self._faults.unknown("pack", pack, self._packs, section.at)
            return
        there = {contract.id: contract for contract in self._packs[pack]}
        if identity not in there:
            self._faults.unknown(f"contract of pack `{pack}`", identity, there, section.at)
            return
        origin = there[identity]
        own = dict(self._variables(section, identity))
        for name in own:
            if name not in dict(origin.variables):
                self._faults.unknown("variable", name, [known for known, _ in origin.variables], own[name].at)
        yield replace(
            origin,
            because=section.text("because") or origin.because,
            at=Place.of_line(section.at.file, section.at.line),
            level=self._level(section, origin.level),
            files=self._globs(section, "files") or origin.files,
            not_files=self._globs(section, "exclude") or origin.not_files,
            optional=section.flag("optional", origin.optional),
            variables=tuple((name, own.get(name, value)) for name, value in origin.variables),
        )

    def _id(self, section: Section) -> str:
        identity = section.required("id")
        if identity and not _ID.fullmatch(identity):
            self._faults.add(f"`{identity}` is no id: use a-z, 0-9 and -", section.at, "id", identity)
        return identity

    def _level(self, section: Section, default: Level) -> Level:
        word = section.text("level")
        if word and word not in LEVELS:
            self._faults.unknown("level", word, LEVELS, section.at)
        return LEVELS.get(word, default)

    def _globs(self, section: Section, key: str) -> tuple[str, ...]:
        nodes = section.texts(key)
        for node in nodes:
            if (fault := glob_fault(node.text)) is not None:
                self._faults.add(f"`{node.text}` {fault}", node.at, "path", node.text)
        return tuple(node.text for node in nodes)

    def _variables(self, section: Section, identity: str) -> Iterator[tuple[str, Expression]]:
        for name, value in section.pairs("variables"):
            if not _NAME.fullmatch(name.text):
                self._faults.add(f"`{name.text}` is no name of a variable", name.at, "variable", name.text)
            elif isinstance(value, ScalarNode) and self._sound(value):
                yield name.text, Expression(value.text, value.at, f"contract {identity}, variable {name.text}")
            elif not isinstance(value, ScalarNode):
                says = f"variable `{name.text}` must be a CEL expression, not {said(value)}"
                self._faults.add(says, value.at, "type", name.text)

    def _clauses(self, section: Section, identity: str) -> Iterator[Clause]:
        items = section.sections("checks")
        if not items:
            self._faults.add(f"contract `{identity}` has no checks", section.at, "missing", "checks", identity)
        if len(items) > MAX_CLAUSES:
            self._faults.add(f"has more than {MAX_CLAUSES} checks", section.at, "limit", "checks")
            return
        known: set[str] = set()
        for number, item in enumerate(items, start=1):
            name = item.text("id") or str(number)
            if name in known:
                self._faults.add(f"check `{name}` is there twice", item.at, "duplicate check", identity, name)
            known.add(name)
            clause = self._clause(item, name, f"contract {identity}, check {name}")
            if clause is not None:
                yield clause

    def _clause(self, item: Section, name: str, owner: str) -> Clause | None:
        item.only(CLAUSE_KEYS)
        condition = self._expression(item, "expression", owner)
        if item.get("expression") is None:
            self._faults.add("`expression` is missing", Place.of_line(item.at.file, item.at.line), "missing", owner)
        if condition is None:
            return None
        return Clause(
            id=name,
            condition=condition,
            loops=tuple(self._loops(item, f"{owner}, for")),
            when=self._expression(item, "when", f"{owner}, when"),
            places=tuple(self._several(item, "at", f"{owner}, at")),
            message=self._expression(item, "message", f"{owner}, message"),
        )

    def _loops(self, item: Section, owner: str) -> Iterator[tuple[str, Expression]]:
        for loop in self._several(item, "for", owner):
            parted = _LOOP.fullmatch(loop.text)
            if parted is None:
                self._faults.add(f"`for` must read `NAME in LIST`, not `{loop.text}`", loop.at, "for", owner)
            else:
                yield parted.group(1), replace(loop, text=parted.group(2))

    def _several(self, item: Section, key: str, owner: str) -> Iterator[Expression]:
        """One expression, or a list of them."""
        found = item.get(key)
        if isinstance(found, SequenceNode):
            for node in item.texts(key):
                yield Expression(node.text, node.at, owner)
        elif (one := self._expression(item, key, owner)) is not None:
            yield one

    def _expression(self, section: Section, key: str, owner: str) -> Expression | None:
        text = section.text(key)
        node = section.get(key)
        if not text or not isinstance(node, ScalarNode) or not self._sound(node):
            return None
        return Expression(text, node.at, owner)

    def _sound(self, node: ScalarNode) -> bool:
        if len(node.text) <= MAX_CHARACTERS:
            return True
        says = f"is {len(node.text):,} characters long; an expression may have {MAX_CHARACTERS:,}"
        self._faults.add(says, node.at, "limit", "expression")
        return False

    def _examples(self, section: Section) -> Iterator[ContractExample]:
        for verdict in Verdict:
            for node in section.texts(verdict):
                yield ContractExample(verdict, node.text, node.at)
