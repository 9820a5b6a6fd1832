"""Phase 8, profiles: which services a command starts."""

from __future__ import annotations

from collections.abc import Callable, Collection

from bot.model.project import Project
from bot.model.service import Service


def by_profiles(profiles: Collection[str]) -> Callable[[Service], bool]:
    """Services without a profile, and those with one of these; `*` stands for all."""
    return lambda service: not service.profiles or "*" in profiles or bool(set(service.profiles) & set(profiles))


class NoSuchService(Exception):
    """A service that was asked for, or that one asked for needs, is not there or not enabled."""


def selected(project: Project, profiles: Collection[str], names: Collection[str] = ()) -> list[Service]:
    """The services that start, in the order written; of named ones, with all they wait for.

    Naming a service enables its profiles. Raises NoSuchService.
    """
    enabled = set(profiles)
    for name in names:
        if name not in project.services:
            raise NoSuchService(name)
        enabled.update(project.services[name].profiles)
    active = {service.name: service for service in project.services.values() if by_profiles(enabled)(service)}
    if not names:
        return list(active.values())
    wanted: set[str] = set()
    queue = list(names)
    while queue:
        name = queue.pop()
        if name in wanted:
            continue
        if name not in active:
            raise NoSuchService(name)
        wanted.add(name)
        queue.extend(wait.service for wait in active[name].waits if wait.required or wait.service in active)
    return [service for service in active.values() if service.name in wanted]
