"""Conventions of a tree: what all, or nearly all, services of one role and files of one folder have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from bot.model.facts import Role
from bot.model.place import Place
from bot.model.project import Estate
from rules._peers import FEWEST, nearly_all
from rules._traits import Trait, project_traits, service_traits

_UNTOLD = (Role.OTHER, Role.MAINTENANCE)  # of these nobody knows what they are for


class Group(Struct, frozen=True):
    """Peers: the services of a role in a folder, or (without a role) the files of a folder."""

    folder: str  # empty for the root
    role: str

    @property
    def of_files(self) -> bool:
        return not self.role


class Without(Struct, frozen=True):
    """A peer that goes without."""

    name: str
    at: Place


class Convention(Struct, frozen=True):
    group: Group
    trait: Trait
    having: int
    peers: int
    without: tuple[Without, ...]

    @property
    def whole(self) -> bool:
        return not self.without


def conventions(estate: Estate) -> tuple[Convention, ...]:
    """By support, the strongest first; none for fewer than four peers."""
    found = [each for group, peers in _groups(estate).items() for each in _mined(group, peers)]
    found.sort(key=lambda each: (bool(each.without), -each.having, each.group.folder, each.group.role, each.trait))
    return tuple(found)


Peer = tuple[Without, Mapping[Trait, Place]]


def _groups(estate: Estate) -> dict[Group, list[Peer]]:
    groups: dict[Group, list[Peer]] = defaultdict(list)
    for path, project in estate.projects.items():
        folder = path.rpartition("/")[0]
        if project.problems or not project.services:
            continue  # what it holds is not known well enough to learn from
        first = next(iter(project.services.values()))
        groups[Group(folder, "")].append((Without(path, first.at), project_traits(project)))
        for service in project.services.values():
            role = service.facts.role
            if role not in _UNTOLD and not service.profiles:
                groups[Group(folder, role.value)].append((Without(service.name, service.at), service_traits(service)))
    return {group: peers for group, peers in groups.items() if len(peers) >= FEWEST}


def _mined(group: Group, peers: list[Peer]) -> Iterator[Convention]:
    for trait in sorted(_all(traits for _, traits in peers)):
        without = tuple(peer for peer, traits in peers if trait not in traits)
        having = len(peers) - len(without)
        if nearly_all(having, len(peers)):
            yield Convention(group, trait, having, len(peers), without)


def _all(each: Iterable[Mapping[Trait, Place]]) -> set[Trait]:
    return {trait for traits in each for trait in traits}
