"""The facts of one service, each read at its first use and then kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from bot.facts import servings as serving_facts
from bot.facts.body_faults import body_faults
from bot.facts.cuts import cuts
from bot.facts.downloads import downloads
from bot.facts.embedded import embedded
from bot.facts.images import image
from bot.facts.programs import Ran, what_it_runs
from bot.facts.role import role
from bot.facts.scrapes import scrapes
from bot.facts.snapshots import snapshots
from bot.facts.steps import steps
from bot.facts.upstreams import upstreams
from bot.model.facts import (
    BodyFault,
    Command,
    Cut,
    Download,
    Embedded,
    Facts,
    ImageRef,
    Role,
    Scrape,
    Serving,
    Snapshot,
    Step,
    Upstream,
)
from bot.model.place import Place
from bot.model.service import Service


def read_facts(service: Service) -> Facts:
    return ServiceFacts(service)


def reader(roles: Mapping[str, Role]) -> ReadFacts:
    """As `read_facts`, with roles that the configuration states by glob of service names."""
    return ReadFacts(roles)


class ReadFacts:
    def __init__(self, roles: Mapping[str, Role]) -> None:
        self._roles = roles

    def __call__(self, service: Service) -> Facts:
        stated = next((role for glob, role in self._roles.items() if fnmatchcase(service.name, glob)), None)
        return ServiceFacts(service, stated)


class ServiceFacts:
    """See bot/model/facts.py for what each fact is."""

    def __init__(self, service: Service, stated_role: Role | None = None) -> None:
        self._service = service
        self._stated_role = stated_role

    @cached_property
    def _ran(self) -> Ran:
        return what_it_runs(self._service)

    @property
    def commands(self) -> tuple[Command, ...]:
        return self._ran.commands

    @cached_property
    def image(self) -> ImageRef | None:
        return image(self._service)

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        return cuts(self._service)

    @cached_property
    def downloads(self) -> tuple[Download, ...]:
        return downloads(self._ran)

    @cached_property
    def snapshots(self) -> tuple[Snapshot, ...]:
        return snapshots(self._service)

    @cached_property
    def servings(self) -> tuple[Serving, ...]:
        return serving_facts.servings(self._service, self.commands, self.image)

    @cached_property
    def embedded(self) -> tuple[Embedded, ...]:
        return embedded(self._service)

    @cached_property
    def body_faults(self) -> tuple[BodyFault, ...]:
        return body_faults(self._service)

    @cached_property
    def scrapes(self) -> tuple[Scrape, ...]:
        return scrapes(self.embedded)

    @cached_property
    def upstreams(self) -> tuple[Upstream, ...]:
        return upstreams(self._service)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return steps(self.commands, self.downloads)

    @cached_property
    def role(self) -> Role:
        if self._stated_role is not None:
            return self._stated_role
        return role(self._service, self)

    def uses(self, repository: str) -> Place | None:
        """Where the service reads a repository; a download of its own is no use of it."""
        for snapshot in self.snapshots:
            if snapshot.repository == repository:
                return snapshot.at
        for serving in self.servings:
            if repository in (serving.repository, serving.model):
                return serving.at
        if self.downloads:
            return None
        return next((at for text, at in self._words() if repository in text.split()), None)

    def _words(self) -> Iterator[tuple[str, Place]]:
        for name in ("entrypoint", "command"):
            for word in self._service.argv(name):
                yield word.as_text.replace("=", " ").replace(",", " "), word.at
        for value in self._service.environment.values():
            yield value.as_text.replace(",", " "), value.whole
