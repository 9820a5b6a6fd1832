"""Resolved Compose projects, and all of them that one tree holds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from bot.model.node import YamlFile
from bot.model.place import Place
from bot.model.service import Condition, Service, Wait
from bot.model.value import Value


class ProblemKind(StrEnum):
    """The loader's phase, or kind of check, that a problem belongs to."""

    ENCODING = "encoding"
    YAML = "yaml"
    LIMIT = "limit"
    DUPLICATE_KEY = "duplicate-key"
    SCHEMA = "schema"
    INTERPOLATION = "interpolation"
    INCLUDE = "include"
    EXTENDS = "extends"
    MERGE = "merge"
    REFERENCE = "reference"
    CYCLE = "cycle"
    VALUE = "value"


_UNPARSED = (ProblemKind.ENCODING, ProblemKind.YAML, ProblemKind.LIMIT, ProblemKind.DUPLICATE_KEY)


class Problem(Struct, frozen=True):
    """Why Compose refuses a file. `subject` is what it is about, without prose: the problem's identity."""

    kind: ProblemKind
    says: str
    at: Place
    subject: tuple[str, ...]


class VariableUse(NamedTuple):
    """One `${NAME…}` somewhere in the project's files, also in `x-` blocks and disabled profiles."""

    name: str
    required: bool  # `:?` or `?`
    default: str | None  # the default's text; None when there is none
    at: Place
    presence: str | None = None  # what stands in its place when it is set (`:+` or `+`)


class Project(Struct, frozen=True, dict=True):
    """Files that one `docker compose` command loads together, resolved.

    `services` holds every service, those behind a profile too, in the order written. A project with
    problems keeps what could be resolved all the same: `services` may then be incomplete.
    """

    path: str  # the first file, its key in the estate
    files: tuple[str, ...]  # in merge order, with includes and extends parents after them
    name: str  # the project name Compose would use without -p
    name_at: Place | None  # of the top-level `name:`; None when the folder names the project
    services: Mapping[str, Service]
    networks: Mapping[str, Value]
    volumes: Mapping[str, Value]
    configs: Mapping[str, Value]
    secrets: Mapping[str, Value]
    problems: tuple[Problem, ...]
    variables: tuple[VariableUse, ...]
    extensions: Mapping[str, Value] = field(default_factory=dict)  # top-level `x-…` and `models`
    together: tuple[str, ...] = ()  # of `files`: the ones that the command loads itself, in order

    @property
    def unread(self) -> Problem | None:
        """Why a file of the project could not be parsed: then nothing is known of what it holds."""
        return next((problem for problem in self.problems if problem.kind in _UNPARSED), None)

    @cached_property
    def waiting(self) -> Mapping[str, tuple[tuple[Service, Wait], ...]]:
        """For each awaited service, who waits for it and how."""
        found: dict[str, list[tuple[Service, Wait]]] = {}
        for service in self.services.values():
            for wait in service.waits:
                found.setdefault(wait.service, []).append((service, wait))
        return {name: tuple(edges) for name, edges in found.items()}

    @property
    def named_by_checkout(self) -> bool:
        """Whether the folder of the checkout names the project, which no file of the tree can tell."""
        return self.name_at is None and "/" not in self.path

    def shown(self, name: str) -> str:
        """A name on the host as it can be shown: what the checkout's folder gives to it is left open."""
        own = f"{self.name}_"
        return f"…_{name.removeprefix(own)}" if self.named_by_checkout and name.startswith(own) else name

    def host_names(self, section: str) -> dict[str, str]:
        """The names on the host of the project's "volumes" or "networks", by key."""
        defined = self.volumes if section == "volumes" else self.networks
        return {key: value.text("name") or f"{self.name}_{key}" for key, value in defined.items()}

    @cached_property
    def gates(self) -> tuple[Service, ...]:
        """Services that others wait for to finish or to be healthy."""
        return tuple(
            self.services[name]
            for name, edges in self.waiting.items()
            if name in self.services and any(wait.condition is not Condition.STARTED for _, wait in edges)
        )

    def kept_down_by(self, gate: str) -> tuple[Service, ...]:
        """Everything that a failing gate keeps from starting, through edges of any condition.

        Optional edges (`required: false`) let the start go on.
        """
        found: dict[str, Service] = {}
        queue = [gate]
        while queue:
            for service, wait in self.waiting.get(queue.pop(), ()):
                if wait.required and service.name not in found and service.name != gate:
                    found[service.name] = service
                    queue.append(service.name)
        return tuple(service for service in self.services.values() if service.name in found)


class Estate(Struct, frozen=True, dict=True):
    """Every Compose project of one tree, by the path of its first file."""

    projects: Mapping[str, Project]
    files: Mapping[str, YamlFile]  # every Compose file that could be read, for its comments and lines

    def project_of(self, path: str) -> Project | None:
        """The project whose first file this is, else the first one that reads it."""
        if path in self.projects:
            return self.projects[path]
        return next((project for project in self.projects.values() if path in project.files), None)

    @cached_property
    def services(self) -> tuple[tuple[Project, Service], ...]:
        return tuple((project, service) for project in self.projects.values() for service in project.services.values())
