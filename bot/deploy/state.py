"""What one `up` of a project brings about: its services, and the names of their containers and resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from bot.deploy.command import DeployCommand
from bot.model.facts import Role
from bot.model.project import Project
from bot.model.service import Condition, Service, Wait
from bot.model.settings import Settings
from bot.model.value import Value


class State(Struct, frozen=True, dict=True):
    """A project under the profiles and the project name of a deploy command."""

    project: Project
    command: DeployCommand
    profiles: frozenset[str]
    profile: str = ""  # of these, the one that is taken for enabled since nothing starts without it

    @property
    def name(self) -> str:
        return self.command.project or self.project.name

    @property
    def said_name(self) -> str:
        """The project name, empty where the folder of the checkout gives it."""
        return "" if self.command.project is None and self.project.named_by_checkout else self.name

    def shown(self, name: str) -> str:
        """A network's or volume's name on the host, as it can be shown."""
        return name if self.command.project is not None else self.project.shown(name)

    @cached_property
    def services(self) -> Mapping[str, Service]:
        """The services that run once it is deployed, each after everything it waits for."""
        started = {name: each for name, each in self.project.services.items() if self._starts(each)}
        return {name: started[name] for name in _ordered(started)}

    def _starts(self, service: Service) -> bool:
        if not service.profiles or service.name in self.command.services or "*" in self.profiles:
            return True
        return not self.profiles.isdisjoint(service.profiles)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The services that the command acts on: all, or the named ones and what they wait for."""
        if not self.command.services:
            return frozenset(self.services)
        found: set[str] = set()
        queue = [name for name in self.command.services if name in self.services]
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue.extend(wait.service for wait in self.waits(name) if not self.command.alone)
        return frozenset(found)

    def waits(self, name: str) -> Iterator[Wait]:
        """What a service waits for, as far as it is started too."""
        return (wait for wait in self.services[name].waits if wait.service in self.services)

    @cached_property
    def one_shots(self) -> frozenset[str]:
        """Services that end by themselves, so that every `up` runs them again."""
        awaited = {
            wait.service for name in self.services for wait in self.waits(name) if wait.condition is Condition.COMPLETED
        }
        return frozenset(name for name, each in self.services.items() if name in awaited or _ends(each))

    def replicas(self, name: str) -> int:
        service = self.project.services[name].value
        stated = service.text("scale") or service.text("deploy", "replicas") or "1"
        return self.command.scale.get(name, int(stated) if stated.isdecimal() and len(stated) < 6 else 1)

    def containers(self, name: str) -> frozenset[str]:
        """The container names of a service."""
        own = self.project.services[name].container_name
        count = max(1, self.replicas(name))
        return frozenset({own} if own else (f"{self.name}-{name}-{number}" for number in range(1, count + 1)))

    def volumes(self, name: str) -> dict[str, str]:
        """The named volumes a service mounts: the name on the host by the volume's key."""
        mounts = self.project.services[name].mounts
        return {
            mount.source: self.resource("volumes", mount.source)
            for mount in mounts
            if mount.kind == "volume" and mount.source
        }

    def networks(self, name: str) -> dict[str, str]:
        """The networks a service is attached to: the name on the host by the network's key."""
        return {key: self.resource("networks", key) for key in self.project.services[name].networks}

    def resource(self, section: str, key: str) -> str:
        """The name on the host of a network or volume."""
        value = self.definition(section, key)
        stated = value.text("name") if value is not None else None
        own = f"{self.project.name}_{key}"
        return f"{self.name}_{key}" if stated is None or stated == own else stated

    def definition(self, section: str, key: str) -> Value | None:
        return (self.project.volumes if section == "volumes" else self.project.networks).get(key)


def state_of(project: Project, command: DeployCommand, settings: Settings, *, assume: bool = True) -> State:
    """A project as a command deploys it.

    A file in which every service is behind a profile starts nothing by itself: it is deployed with a profile, and
    the one that most of its services name is taken for it, unless told not to `assume` that.
    """
    stated = (settings.variables.get("COMPOSE_PROFILES") or "").split(",")
    enabled = command.profiles | frozenset(filter(None, stated))
    profile = _only_way(project) if assume and not enabled else None
    if profile is None:
        return State(project, command, enabled)
    return State(project, command.enabling(profile), frozenset({profile}), profile)


def states_of(before: Project, after: Project, command: DeployCommand, settings: Settings) -> tuple[State, State]:
    """One file before and after a change. A profile that it gains with the change is not taken for enabled."""
    old = state_of(before, command, settings)
    same = before.path != after.path or _only_way(before) is not None
    return old, state_of(after, command, settings, assume=same)


def _only_way(project: Project) -> str | None:
    """The profile without which nothing of the file starts."""
    services = project.services.values()
    if not services or not all(service.profiles for service in services):
        return None
    named = Counter(profile for service in services for profile in service.profiles)
    return min(named, key=lambda name: (-named[name], name))


def _ends(service: Service) -> bool:
    """Whether a service that nobody waits for is made to end all the same."""
    return service.restart.split(":")[0] in ("no", "on-failure") and service.facts.role is Role.DOWNLOADER


def _ordered(services: Mapping[str, Service]) -> list[str]:
    """Each service after what it waits for, else in the order written. A cycle is entered somewhere."""
    found: dict[str, None] = {}
    entered: set[str] = set()
    stack = [(name, False) for name in reversed(list(services))]
    while stack:
        name, done = stack.pop()
        if done:
            found[name] = None
        elif name not in entered and name in services:
            entered.add(name)
            stack.append((name, True))
            stack.extend((wait.service, False) for wait in reversed(services[name].waits))
    return list(found)
