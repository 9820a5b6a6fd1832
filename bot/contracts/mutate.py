"""Mutants of projects: each is a project with one small, likely mistake that a contract might notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import dirname

from bot.contracts.compiled import Compiled
from bot.contracts.fields import FACTS
from bot.contracts.mutate_text import Operator
from bot.contracts.mutate_values import ValueMutant, text_mutants, value_mutants
from bot.model.contract import Each
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.value import Value

# The fields that facts and other derived fields are read from.
_COMMANDS = ("command", "entrypoint", "environment", "configs", "healthcheck")
SOURCES = {
    **dict.fromkeys(FACTS, (*_COMMANDS, "image")),
    "image_ref": ("image",),
    "gpus": ("deploy", "gpus"),
    "awaits": ("depends_on",),
    "bodies": ("configs",),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """`field` is what of a service, or which section of the file, is mutated; `key` an entry's key below it."""

    path: str
    operator: Operator
    service: str | None
    field: str
    key: str
    kind: tuple[str, ...]  # mutants of one kind, in one folder, teach the same
    at: Place
    says: str
    make: Callable[[], Project]
    name: str = ""  # the key that is mutated within a text
    line: str = ""  # or the line


def mutants_of(project: Project) -> Iterator[Mutant]:
    for service in project.services.values():
        yield _whole(project, service)
        yield from _awaiting(project, service)
        for found in value_mutants(service.value):
            yield _of_service(project, service, found)
    for section in ("configs", "volumes", "networks"):
        values = getattr(project, section)
        for name, value in values.items():
            at = value.key_at or value.at
            kind = (section, name)
            make = _without(project, section, name)
            yield Mutant(project.path, Operator.DROP, None, section, name, kind, at, f"{section}.{name}", make)
            content = value.get("content") if section == "configs" else None
            if content is not None:
                yield from _of_content(project, name, value, content)


def _whole(project: Project, service: Service) -> Mutant:
    def make() -> Project:
        rest = {name: each for name, each in project.services.items() if name != service.name}
        return replace(project, services=rest)

    kind = ("services", service.name)
    return Mutant(
        project.path, Operator.DROP, service.name, "services", service.name, kind, service.at, service.name, make
    )


def _awaiting(project: Project, service: Service) -> Iterator[Mutant]:
    """The service waits for one more: of each family of names, the first."""
    block = service.value.get("depends_on")
    there = service.value.mapping("depends_on")
    families: set[str] = set()
    for other in project.services:
        family = other.split("-")[0]
        if other == service.name or other in there or family in families:
            continue
        families.add(family)
        at = block.whole if block is not None else service.at
        edge = Value({"condition": Value("service_started", at), "required": Value(True, at)}, at, at)
        changed = Value({**there, other: edge}, at, at)
        found = ValueMutant(
            Operator.ADD, ("depends_on", other), family, at, f"depends_on {other}", _with_field(service, changed)
        )
        yield replace(_of_service(project, service, found), kind=("service", "depends_on", family))


def _with_field(service: Service, changed: Value) -> Callable[[], Value]:
    return lambda: replace(service.value, data={**service.value.mapping(), "depends_on": changed})


def _of_service(project: Project, service: Service, found: ValueMutant) -> Mutant:
    def make() -> Project:
        changed = replace(service, value=found.make())
        return replace(project, services={**project.services, service.name: changed})

    key = found.path[1] if len(found.path) > 1 else ""
    return Mutant(
        path=project.path,
        operator=found.operator,
        service=service.name,
        field=found.path[0],
        key=key,
        kind=("service", *found.path, found.kind),
        at=found.at,
        says=f"{service.name}: {found.says}",
        make=make,
        name=found.name,
        line=found.line,
    )


def _without(project: Project, section: str, name: str) -> Callable[[], Project]:
    rest = {other: value for other, value in getattr(project, section).items() if other != name}
    if section == "configs":
        return lambda: _with_configs(replace(project, configs=rest))
    if section == "volumes":
        return lambda: replace(project, volumes=rest)
    return lambda: replace(project, networks=rest)


def _of_content(project: Project, name: str, config: Value, content: Value) -> Iterator[Mutant]:
    for found in text_mutants(content, (name,)):
        yield Mutant(
            path=project.path,
            operator=found.operator,
            service=None,
            field="configs",
            key=name,
            kind=("configs", name, found.kind),
            at=found.at,
            says=found.says,
            make=_with_content(project, name, config, found),
            name=found.name,
            line=found.line,
        )


def _with_content(project: Project, name: str, config: Value, found: ValueMutant) -> Callable[[], Project]:
    def make() -> Project:
        data = config.mapping()
        changed = replace(config, data={**data, "content": found.make()})
        return _with_configs(replace(project, configs={**project.configs, name: changed}))

    return make


def _with_configs(project: Project) -> Project:
    """The same project whose services see its configs as they are now."""
    services = {
        name: replace(service, configs=project.configs) if service.config_files else service
        for name, service in project.services.items()
    }
    return replace(project, services=services)


class Relevance:
    """Which contracts may look at what a mutant changes: only then does it mean something that it lives.

    `chosen` are the services that each contract selects as the files are, by its id.
    """

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
        if compiled.contract.each is not Each.SERVICE or compiled.looks_at("file_services"):
            return True
        there = self._chosen.get(compiled.contract.id, ())
        if mutant.service is not None and mutant.field != "services":
            return (mutant.path, mutant.service) in there
        if mutant.field == "configs":
            users = [name for name, service in project.services.items() if mutant.key in service.bodies]
            return any((mutant.path, name) in there for name in users)
        return True


def concerns(compiled: Compiled, mutant: Mutant) -> bool:
    if compiled.takes_whole:
        return True
    if mutant.field == "services":
        return mutant.key in compiled.literals
    if mutant.service is None:
        return _concerns_section(compiled, mutant)
    derived = {name for name, fields in SOURCES.items() if mutant.field in fields}
    if compiled.words & derived:
        return True
    if mutant.kind[-1] == "form":
        return "form" in compiled.words and mutant.field in compiled.words
    asked = mutant.field in compiled.words
    return asked and (mutant.operator is Operator.ADD or _says(compiled, mutant.key)) and _says_within(compiled, mutant)


def _concerns_section(compiled: Compiled, mutant: Mutant) -> bool:
    if compiled.contract.each is Each.CONFIG or "bodies" in compiled.words:
        asked = mutant.field == "configs"
    else:
        asked = mutant.field in compiled.words or (mutant.field == "configs" and bool(compiled.words & set(FACTS)))
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
    """So many of each kind and folder, of those that some contract looks at, with those contracts."""
    taken: Counter[tuple[object, ...]] = Counter()
    found = []
    for mutant in mutants:
        kind = (mutant.operator, dirname(mutant.path), *mutant.kind)
        if taken[kind] >= each:
            continue
        contracts = relevance.of(mutant, projects[mutant.path])
        if contracts:
            taken[kind] += 1
            found.append((mutant, contracts))
    return found
