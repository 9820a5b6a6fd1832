"""Which contracts may look at what a mutant changes: only then does it mean something that it lives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import dirname

from bot.contracts.compiled import Compiled
from bot.contracts.mutate import Mutant
from bot.contracts.mutate_text import Operator
from bot.model.contract import Each
from bot.model.project import Project

_COMMANDS = ("command", "entrypoint", "configs")
# What facts are read from: the fields, and the words of a line or option that may matter.
SOURCES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "role": (("image",), ""),
    "image_ref": (("image",), ""),
    "commands": (_COMMANDS, ""),
    "downloads": (_COMMANDS, r"download|\bhf\b|revision"),
    "snapshots": ((*_COMMANDS, "environment"), r"models--|snapshots/"),
    "serves": ((*_COMMANDS, "environment"), r"--model|serve|--tp|tensor|parallel|--dp|--pp|MODEL"),
    "upstreams": ((*_COMMANDS, "environment", "labels"), r"://|proxy_pass|^\s*server\s"),
    "scrapes": (("configs",), r"\btargets\b|scrape_configs|static_configs"),
    "gpus": (("deploy", "gpus"), r"device|driver|count|capabilities|gpu"),
    "awaits": (("depends_on",), ""),
    "bodies": (("configs",), ""),
}


class Relevance:
    """`chosen` are the services that each contract selects as the files are, by its id."""

    def __init__(self, contracts: Sequence[Compiled], chosen: Mapping[str, Collection[tuple[str, str]]]) -> None:
        self._contracts = contracts
        self._chosen = chosen

    def of(self, mutant: Mutant, project: Project) -> tuple[Compiled, ...]:
        return tuple(
            each
            for each in self._contracts
            if each.contract.covers(mutant.path) and self._selects(each, mutant, project) and concerns(each, mutant)
        )

    def _selects(self, compiled: Compiled, mutant: Mutant, project: Project) -> bool:
        if compiled.contract.each is not Each.SERVICE or compiled.looks_at_services:
            return True
        there = self._chosen.get(compiled.contract.id, ())
        if mutant.service is not None and mutant.field != "services":
            return (mutant.path, mutant.service) in there
        if mutant.field == "configs":
            users = [name for name, service in project.services.items() if mutant.key in service.bodies]
            return any((mutant.path, name) in there for name in users) or compiled.looks_at("file_configs")
        return True


def concerns(compiled: Compiled, mutant: Mutant) -> bool:
    """Whether a contract asks for what is mutated, or for what is read from it."""
    if compiled.takes_whole:
        return True
    if mutant.field == "services":
        return mutant.key in compiled.literals
    if mutant.kind[-1] == "form":
        return {"form", mutant.field} <= compiled.words
    if _reads(compiled, mutant):
        return True
    if mutant.service is None:
        return _concerns_section(compiled, mutant)
    asked = mutant.field in compiled.words
    return asked and (mutant.operator is Operator.ADD or _says(compiled, mutant.key)) and _says_within(compiled, mutant)


def _reads(compiled: Compiled, mutant: Mutant) -> bool:
    """Whether one of the facts that a contract asks for is read from here."""
    for fact in compiled.words & SOURCES.keys() - {"bodies"}:
        fields, words = SOURCES[fact]
        if mutant.field in fields and (mutant.whole or re.search(words, mutant.line or mutant.says)):
            return True
    return False


def _concerns_section(compiled: Compiled, mutant: Mutant) -> bool:
    if compiled.contract.each is Each.CONFIG or "bodies" in compiled.words:
        asked = mutant.field == "configs"
    else:
        asked = mutant.field in compiled.words
    named = "bodies" in compiled.words or any(len(text) > 3 and text in mutant.key for text in compiled.literals)
    return asked and named and _says_within(compiled, mutant)


def _says(compiled: Compiled, key: str) -> bool:
    """Whether a contract says a key: as one text, or as a beginning and a rest (`"app." + name`)."""
    if not key or key in compiled.words:
        return True
    starts = [text for text in compiled.literals if len(text) > 2 and key.startswith(text)]
    return any(key.removeprefix(start) in compiled.words for start in starts)


def _says_within(compiled: Compiled, mutant: Mutant) -> bool:
    """Of a text only what the contract speaks of: a key that it names, a line with a phrase of it."""
    if mutant.name:
        return mutant.name in compiled.words
    return not mutant.line or any(phrase in mutant.line for phrase in compiled.phrases)


def chosen(
    mutants: Iterable[Mutant], projects: Mapping[str, Project], relevance: Relevance, each: int
) -> list[tuple[Mutant, tuple[Compiled, ...]]]:
    """So many of each kind and folder for every contract that looks at them, with those contracts."""
    taken: Counter[tuple[object, ...]] = Counter()
    found = []
    for mutant in mutants:
        kind = (mutant.operator, dirname(mutant.path), *mutant.kind)
        contracts = relevance.of(mutant, projects[mutant.path])
        if any(taken[one.contract.id, kind] < each for one in contracts):
            taken.update((one.contract.id, kind) for one in contracts)
            found.append((mutant, contracts))
    return found


def values_of(contracts: Iterable[Compiled]) -> tuple[str, ...]:
    """Texts of contracts that look like values: addresses, paths, names with a slash."""
    texts = {text for compiled in contracts for text in compiled.literals}
    return tuple(sorted(text for text in texts if re.fullmatch(r"[\w./:-]*[:/][\w./:-]*\w", text) and len(text) > 5))
