"""Mutants of projects: each is a project with one small, likely mistake that a contract might notice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.mutate_text import Operator
from bot.contracts.mutate_values import ValueMutant, text_mutants, value_mutants
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.value import Value


class Mutant(Struct, frozen=True):
    """`field` is what of a service, or which section of the file, is mutated; `key` an entry's key below it."""

    path: str
    operator: Operator
    service: str | None
    field: str
    key: str
    kind: tuple[str, ...]  # mutants of one kind, in one folder, teach the same
    whole: bool  # a service, a config or a field of one is gone
    at: Place
    says: str
    make: Callable[[], Project]
    name: str = ""  # the key that is mutated within a text
    line: str = ""  # or the line


def mutants_of(project: Project, texts: Collection[str] = ()) -> Iterator[Mutant]:
    """Every mutant. `texts` are values that contracts speak of, and that may stand where they should not."""
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
            yield Mutant(project.path, Operator.DROP, None, section, name, kind, True, at, f"{section}.{name}", make)
            content = value.get("content") if section == "configs" else None
            if content is not None:
                yield from _of_content(project, name, value, content, texts)


def _whole(project: Project, service: Service) -> Mutant:
    def make() -> Project:
        rest = {name: each for name, each in project.services.items() if name != service.name}
        return replace(project, services=rest)

    kind = ("services", service.name)
    name, at = service.name, service.at
    return Mutant(project.path, Operator.DROP, name, "services", name, kind, True, at, name, make)


def _awaiting(project: Project, service: Service) -> Iterator[Mutant]:
    """The service waits for one more: of each family of names, the first."""
    block = service.value.get("depends_on")
    there = service.value.mapping("depends_on")
    families: set[str] = set()
    for other in project.services:
        family = _family(other)
        if other == service.name or other in there or family in families:
            continue
        families.add(family)
        at = block.whole if block is not None else service.at
        edge = Value({"condition": Value("service_started", at), "required": Value(True, at)}, at, at)
        changed = Value({**there, other: edge}, at, at)
        found = ValueMutant(
            Operator.ADD, ("depends_on", other), family, at, f"depends_on {other}", _with_field(service, changed)
        )
        yield replace(_of_service(project, service, found), kind=(service.name.split("-")[0], "depends_on", family))


def _family(name: str) -> str:
    """`model-sg` of `model-sg-large-r1`: services of one family have one task."""
    return "-".join(name.split("-")[:2])


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
        whole=len(found.path) == 1 and found.operator is Operator.DROP and not found.line,
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


def _of_content(project: Project, name: str, config: Value, content: Value, texts: Collection[str]) -> Iterator[Mutant]:
    for found in text_mutants(content, (name,), texts):
        yield Mutant(
            path=project.path,
            operator=found.operator,
            service=None,
            field="configs",
            key=name,
            kind=("configs", name, found.kind),
            whole=False,
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
