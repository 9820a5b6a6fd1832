"""Peers of a service or a project, and what they have in common: each group is read once, however many ask."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.service import Service
from rules._traits import Trait

FEWEST = 4  # peers that have it; what three have in common may be chance
_FILES = FEWEST + 2  # whose places are kept: two may be the asking project's own

Key = tuple[str, ...]
Alike = Callable[[Service], Sequence[str]]  # the one or two things that peers of a service share one of
ServiceTraits = Callable[[Service], Mapping[Trait, Place]]
ProjectTraits = Callable[[Project], Mapping[Trait, Place]]


def nearly_all(having: int, peers: int) -> bool:
    """What at least four have and at most one in ten (but one always may) goes without."""
    return having >= FEWEST and peers - having <= max(1, peers // 10)


class Convention(NamedTuple):
    """A trait that nearly all peers have, how many, of how many, in how many files, and where one has it."""

    trait: Trait
    having: int
    peers: int
    files: int  # counted up to four
    at: Place


@dataclass
class _Group:
    """The traits of a group's members, counted; those of one file can be taken out again."""

    size: int = 0
    counts: Counter[Trait] = field(default_factory=Counter)
    places: dict[Trait, dict[str, Place]] = field(default_factory=dict)  # in the first files
    of_file: dict[str, list[Iterable[Trait]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, path: str, traits: Mapping[Trait, Place]) -> None:
        self.size += 1
        self.counts.update(traits.keys())
        self.of_file[path].append(traits.keys())
        for trait, at in traits.items():
            known = self.places.setdefault(trait, {})
            if len(known) < _FILES:
                known.setdefault(path, at)


class Peers:
    """The services and projects of a tree by what they are alike in."""

    def __init__(self, estate: Estate) -> None:
        self._projects: dict[str, list[Project]] = defaultdict(list)
        for project in estate.projects.values():
            if project.services:
                self._projects[folder_of(project.path)].append(project)
        self._indexed: dict[tuple[str, Alike], dict[Key, list[tuple[str, Service]]]] = {}
        self._groups: dict[tuple[object, ...], _Group] = {}

    def of_project(self, path: str, without: Sequence[str], traits: ProjectTraits) -> list[Convention]:
        """What nearly all projects of the folder have, those of the files `without` not counted."""
        folder = folder_of(path)
        group = self._groups.get((traits, folder))
        if group is None:
            group = self._groups[traits, folder] = _Group()
            for project in self._projects.get(folder, ()):
                group.add(project.path, traits(project))
        return _conventions([(group, 1)], without)

    def of_service(
        self, service: Service, path: str, without: Sequence[str], alike: Alike, traits: ServiceTraits
    ) -> list[Convention]:
        """What nearly all services of the folder have that are alike to this one, some files not counted."""
        keys = tuple(alike(service))
        groups = [(self._group(folder_of(path), (key,), alike, traits), 1) for key in keys]
        if len(keys) > 1:  # members of both are counted once
            groups.append((self._group(folder_of(path), keys, alike, traits), -1))
        return _conventions(groups, without)

    def _group(self, folder: str, key: Key, alike: Alike, traits: ServiceTraits) -> _Group:
        group = self._groups.get((traits, alike, folder, key))
        if group is None:
            group = self._groups[traits, alike, folder, key] = _Group()
            for file, unit in self._index(folder, alike).get(key, ()):
                group.add(file, traits(unit))
        return group

    def _index(self, folder: str, alike: Alike) -> dict[Key, list[tuple[str, Service]]]:
        index = self._indexed.get((folder, alike))
        if index is None:
            index = self._indexed[folder, alike] = defaultdict(list)
            for project in self._projects.get(folder, ()):
                for service in project.services.values():
                    keys = tuple(alike(service)) if not service.profiles else ()
                    for key in {*((each,) for each in keys), keys} - {()}:
                        index[key].append((project.path, service))
        return index


def _conventions(groups: Sequence[tuple[_Group, int]], without: Sequence[str]) -> list[Convention]:
    size, counts = 0, Counter[Trait]()
    for group, sign in groups:
        own = [traits for path in dict.fromkeys(without) for traits in group.of_file.get(path, ())]
        size += sign * (group.size - len(own))
        for trait, count in group.counts.items():
            counts[trait] += sign * count
        for traits in own:
            for trait in traits:
                counts[trait] -= sign
    if size < FEWEST:
        return []
    found = []
    for trait, count in sorted(counts.items()):
        if nearly_all(count, size):
            places = {file: at for group, _ in groups for file, at in group.places.get(trait, {}).items()}
            others = {file: at for file, at in places.items() if file not in without}
            found.append(Convention(trait, count, size, len(others), next(iter((others or places).values()))))
    return found


def folder_of(path: str) -> str:
    """The folder of a file; empty for the root."""
    return path.rpartition("/")[0]
