"""What a service, or a project, has by name: the material of conventions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.model.facts import Role
from bot.model.node import MappingNode
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service


class Trait(NamedTuple):
    """`kind` in our words, `name` as the files write it."""

    kind: str
    name: str


def service_traits(service: Service) -> dict[Trait, Place]:
    """Names of variables, labels, mounts, configs, log options and switches; values are left out."""
    found: dict[Trait, Place] = {}
    if service.facts.role is not Role.ENGINE:  # an engine's variables and mounts go with its model
        for name, value in service.environment.items():
            found[Trait("the variable", name)] = value.whole
        for mount in service.mounts:
            found[Trait("a mount at", mount.target)] = mount.at
    for name, value in service.labels.items():
        found[Trait("the label", name)] = value.whole
    for grant in service.config_files:
        found[Trait("a config at", grant.target)] = grant.at
    for name, value in service.value.mapping("logging", "options").items():
        found[Trait("the log option", name)] = value.whole
    for name in ("healthcheck", "stop_grace_period", "restart", "init"):
        stated = service.value.get(name)
        if stated is not None:
            found[Trait("the field", name)] = stated.whole
    return found


def project_traits(project: Project) -> dict[Trait, Place]:
    """Roles that are filled, and the receivers and pipelines of its collectors."""
    found: dict[Trait, Place] = {}
    for service in project.services.values():
        role = service.facts.role
        if role not in (Role.OTHER, Role.MAINTENANCE) and not service.profiles:
            found.setdefault(Trait("a service that is a", role), service.at)
        for trait, at in _collector(service):
            found.setdefault(trait, at)
    return found


def _collector(service: Service) -> Iterator[tuple[Trait, Place]]:
    for body in service.facts.embedded:
        root = body.root
        if not isinstance(root, MappingNode):
            continue
        for section, kind in (
            ("receivers", "the receiver"),
            ("exporters", "the exporter"),
            ("processors", "the processor"),
        ):
            parts = root.get(section)
            for pair in parts.pairs if isinstance(parts, MappingNode) else ():
                yield Trait(kind, pair.key.text), pair.key.at
        rest = root.get("service")
        pipelines = rest.get("pipelines") if isinstance(rest, MappingNode) else None
        for pair in pipelines.pairs if isinstance(pipelines, MappingNode) else ():
            yield Trait("the pipeline", pair.key.text), pair.key.at
