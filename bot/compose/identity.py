"""The recreate identity: what `up` compares to decide whether a container must be made anew."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from bot.model.project import Project
from bot.model.service import Service

# What Compose's hash leaves out: these act on the next start, or elsewhere, and recreate nothing.
_LEFT_OUT = ("build", "pull_policy", "pull_refresh_after", "scale", "depends_on", "profiles", "extends")
# Lists whose order means nothing to the hash; every other list is compared in order.
_UNORDERED = ("extra_hosts",)


class Fate(StrEnum):
    """What becomes of a service's definition between two models."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


def identity(service: Service) -> Any:
    """The part of a service that a recreate depends on, in JSON's shapes: compare with `==`."""
    plain = {name: value for name, value in service.value.plain().items() if name not in _LEFT_OUT}
    if isinstance(plain.get("deploy"), dict):
        plain["deploy"] = {name: value for name, value in plain["deploy"].items() if name != "replicas"}
    for name in _UNORDERED:
        if isinstance(plain.get(name), list):
            plain[name] = sorted(plain[name])
    return plain


def fates(base: Project, head: Project) -> dict[str, Fate]:
    """For every service of either model, what `up` finds: only `changed` recreates a container that runs."""
    found = {}
    for name in sorted({*base.services, *head.services}):
        before, after = base.services.get(name), head.services.get(name)
        if before is None:
            found[name] = Fate.ADDED
        elif after is None:
            found[name] = Fate.REMOVED
        else:
            found[name] = Fate.SAME if identity(before) == identity(after) else Fate.CHANGED
    return found


def recreated(base: Project, head: Project) -> tuple[str, ...]:
    """The services whose running containers `up` makes anew because their own definition changed."""
    return tuple(name for name, fate in fates(base, head).items() if fate is Fate.CHANGED)
