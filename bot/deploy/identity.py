"""What a container was made from: the fields that decide whether `up` recreates it."""

from __future__ import annotations

from typing import Any

from bot.model.service import Service

# docker/compose pkg/compose/hash.go leaves these out of a service's hash, and the number of replicas.
_LEFT_OUT = frozenset({"build", "pull_policy", "scale", "depends_on", "profiles"})


def made_from(service: Service) -> dict[str, Any]:
    """The resolved service without what Compose's hash leaves out."""
    fields = {name: value for name, value in service.value.plain().items() if name not in _LEFT_OUT}
    if isinstance(fields.get("deploy"), dict):
        fields["deploy"] = {name: value for name, value in fields["deploy"].items() if name != "replicas"}
    return fields


def differing(before: Service, after: Service) -> tuple[str, ...]:
    """The top-level fields for which `up` recreates the container; empty when it keeps it."""
    old, new = made_from(before), made_from(after)
    return tuple(sorted(name for name in {*old, *new} if name not in old or name not in new or old[name] != new[name]))
