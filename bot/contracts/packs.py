"""The contract packs that come with Compose Review, in `rules/contracts`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from bot.contracts.read import ContractReader
from bot.document.parse import DocumentError, parse
from bot.intake.section import Faults, Section
from bot.model.contract import Contract
from bot.model.node import MappingNode
from bot.model.project import Problem

FOLDER = "rules/contracts"


class PackError(Exception):
    """A pack of ours that cannot be read: a fault of this program, not of the repository."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(f"{problem.at}: {problem.says}" for problem in problems))


@cache
def pack_names() -> tuple[str, ...]:
    folder = files("rules") / "contracts"
    return tuple(sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml")))


@cache
def pack(name: str) -> tuple[Contract, ...]:
    """The contracts of one pack. KeyError when there is none of that name."""
    if name not in pack_names():
        raise KeyError(name)
    data = (files("rules") / "contracts" / f"{name}.yaml").read_bytes()
    return read_pack(name, data)


class Packs(Mapping[str, tuple[Contract, ...]]):
    """All packs by name, each read when it is asked for."""

    def __getitem__(self, name: str) -> tuple[Contract, ...]:
        return pack(name)

    def __contains__(self, name: object) -> bool:
        return name in pack_names()

    def __iter__(self) -> Iterator[str]:
        return iter(pack_names())

    def __len__(self) -> int:
        return len(pack_names())


def read_pack(name: str, data: bytes) -> tuple[Contract, ...]:
    """A pack's text as contracts: a mapping of `about`, one sentence, and `contracts`."""
    path = f"{FOLDER}/{name}.yaml"
    try:
        root = parse(path, data).roots[0]
    except DocumentError as error:
        raise PackError((error.problem,)) from None
    assert isinstance(root, MappingNode)
    faults = Faults()
    section = Section(root, "", faults)
    section.only(("about", "contracts"))
    section.required("about")
    node = section.get("contracts")
    contracts = ContractReader(faults, {}, name).contracts(node) if node is not None else ()
    if faults.found:
        raise PackError(tuple(faults.found))
    return contracts


def about(name: str) -> str:
    """The sentence a pack says of itself."""
    root = parse(name, (files("rules") / "contracts" / f"{name}.yaml").read_bytes()).roots[0]
    assert isinstance(root, MappingNode)
    return Section(root, "", Faults()).text("about")
