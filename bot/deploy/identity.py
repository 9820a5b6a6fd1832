"""What a container was made from, field by field: why `up` recreates it."""

from __future__ import annotations

from bot.compose.identity import identity
from bot.model.service import Service


def differing(before: Service, after: Service) -> tuple[str, ...]:
    """The top-level fields for which `up` recreates the container; empty when it keeps it."""
    old, new = identity(before), identity(after)
    return tuple(sorted(name for name in {*old, *new} if name not in old or name not in new or old[name] != new[name]))
