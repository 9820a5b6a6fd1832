"""All contracts that a configuration asks for: its own and those of the packs it uses."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from bot.contracts.compiled import Compiled, compile_contract
from bot.contracts.packs import Packs
from bot.contracts.read import ContractReader
from bot.intake.section import Faults
from bot.model.contract import Contract
from bot.model.place import Place
from bot.model.project import Problem
from bot.model.settings import Settings


class Loaded(Struct, frozen=True):
    """What a configuration promises. With `problems` nothing of it can be relied on."""

    contracts: tuple[Compiled, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(each.contract.id for each in self.contracts)


def load(settings: Settings) -> Loaded:
    """Reads and compiles; every fault with its file and line."""
    faults = Faults()
    packs = Packs()
    own: tuple[Contract, ...] = ()
    if settings.contracts is not None:
        own = ContractReader(faults, packs).contracts(settings.contracts)
    used = [contract for name in settings.use for contract in _of_pack(name, packs, settings, faults)]
    tailored = {contract.id for contract in own if contract.pack}
    contracts = [*own, *(contract for contract in used if contract.id not in tailored)]
    _once(contracts, faults)
    if faults.found:
        return Loaded(problems=_ordered(faults.found))
    return compile_all(contracts)


def compile_all(contracts: Iterable[Contract]) -> Loaded:
    compiled: list[Compiled] = []
    problems: list[Problem] = []
    for contract in contracts:
        found, faults = compile_contract(contract)
        problems += faults
        if found is not None:
            compiled.append(found)
    if problems:
        return Loaded(problems=_ordered(problems))
    return Loaded(tuple(compiled))


def _of_pack(name: str, packs: Packs, settings: Settings, faults: Faults) -> tuple[Contract, ...]:
    if name not in packs:
        at = Place.of_line(settings.path, 1)
        faults.unknown("pack", name, packs, at)
        return ()
    return packs[name]


def _once(contracts: Iterable[Contract], faults: Faults) -> None:
    """Two packs, or a pack and the repository, may not promise different things under one id."""
    seen: dict[str, Contract] = {}
    for contract in contracts:
        first = seen.setdefault(contract.id, contract)
        if first is not contract and first.at != contract.at and contract.pack:
            says = f"contract `{contract.id}` is also in pack `{contract.pack}`; name yours differently"
            faults.add(says, first.at, "duplicate contract", contract.id)


def _ordered(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.at))


__all__ = ["Loaded", "compile_all", "load"]
