"""Phase 9, check: what the real thing refuses although every part is well formed. All faults, not the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.compose.context import Context
from bot.model.place import Place
from bot.model.project import ProblemKind
from bot.model.service import Service
from bot.model.value import Value

_SOURCES = {"configs": ("file", "environment", "content"), "secrets": ("file", "environment")}
# Two places for one limit: where both are stated, they must agree.
_SAME: Mapping[str, tuple[str, ...]] = {
    "scale": ("deploy", "replicas"),
    "cpus": ("deploy", "resources", "limits", "cpus"),
    "mem_limit": ("deploy", "resources", "limits", "memory"),
    "mem_reservation": ("deploy", "resources", "reservations", "memory"),
    "pids_limit": ("deploy", "resources", "limits", "pids"),
}
_EXTERNAL_ALSO = {"external", "name"}


# Kinds of reference whose name or definitions are not simply those of a section.
_KINDS = {"build secrets": "build secret"}
_DEFINED = {"build secrets": "secrets"}


class _Fault(NamedTuple):
    says: str
    at: Place
    subject: tuple[str, ...]


def check_services(
    services: Mapping[str, Service],
    known: Mapping[str, Service],
    resources: Mapping[str, Mapping[str, Value]],
    context: Context,
) -> None:
    """`services` are looked at, the active ones; `known` are all that the files hold."""
    for service in services.values():
        for fault in _faults(service, known, resources, context):
            context.refuse(ProblemKind.REFERENCE, fault.says, fault.at, *fault.subject)
    check_together(services, known, context)


def check_together(services: Mapping[str, Service], known: Mapping[str, Service], context: Context) -> None:
    """What depends on which services are active: whom they wait for, and the names that they share."""
    for service in services.values():
        for fault in _waits(service, known, services):
            context.refuse(ProblemKind.REFERENCE, fault.says, fault.at, *fault.subject)
    _container_names(services, context)
    _cycles(services, context)


def _waits(service: Service, known: Mapping[str, Service], present: Mapping[str, Service]) -> Iterator[_Fault]:
    for wait in service.waits:
        other = wait.service
        if other not in present and (wait.required or other not in known) and "$" not in other:
            says = f'service "{service.name}" depends on undefined service "{other}": invalid compose project'
            if other in known:
                says += f" (it is behind the profile {', '.join(known[other].profiles)})"
            yield _Fault(says, wait.at, ("depends_on", service.name, other))


def _faults(
    service: Service,
    services: Mapping[str, Service],
    resources: Mapping[str, Mapping[str, Value]],
    context: Context,
) -> Iterator[_Fault]:
    name, value = service.name, service.value
    shapeless = context.is_misshapen("services", name)
    if not shapeless and not value.get("image") and not value.get("build") and not value.get("provider"):
        says = f'service "{name}" has neither an image nor a build context specified: invalid compose project'
        yield _Fault(says, service.at, ("image", name))
    mode = value.get("network_mode")
    if mode is not None and value.mapping("networks"):
        says = f"service {name} declares mutually exclusive `network_mode` and `networks`: invalid compose project"
        yield _Fault(says, mode.whole, ("network_mode", name))
    for kind, names in _references(service):
        for key, at in names:
            if key not in resources[_DEFINED.get(kind, kind)] and "$" not in key:
                says = (
                    f'service "{name}" refers to undefined {_KINDS.get(kind, kind[:-1])} {key}: invalid compose project'
                )
                yield _Fault(says, at, (kind, name, key))
    for key, stated in value.mapping("build", "additional_contexts").items():
        other = stated.as_text.removeprefix("service:")
        if other != stated.as_text and other not in services and "$" not in other:
            says = f'service "{name}" declares unknown service "{other}" as additional contexts {key}'
            yield _Fault(says, stated.whole, ("additional_contexts", name, other))
    yield from _scaled(service)
    yield from _distinct(service)


def _distinct(service: Service) -> Iterator[_Fault]:
    """Two fields that mean the same and say different things."""
    for name, path in _SAME.items():
        one, other = service.value.get(name), service.value.get(*path)
        if one is not None and other is not None and not one.unknown and not other.unknown and one.data != other.data:
            both = f"'{name}' and '{'.'.join(path)}'"
            says = f"services.{service.name}: can't set distinct values on {both}: invalid compose project"
            yield _Fault(says, one.whole, ("distinct", service.name, name))


def _references(service: Service) -> Iterator[tuple[str, list[tuple[str, Place]]]]:
    networks = service.value.mapping("networks")
    yield "networks", [(key, inner.key_at or inner.at) for key, inner in networks.items()]
    yield "volumes", [(mount.source, mount.at) for mount in service.mounts if mount.kind == "volume" and mount.source]
    yield "configs", [(grant.source, grant.at) for grant in service.config_files]
    yield "secrets", [(grant.source, grant.at) for grant in service.secret_files]
    built = service.value.sequence("build", "secrets")
    yield "build secrets", [(grant.text("source") or "", grant.at) for grant in built]
    models = service.value.mapping("models")
    yield "models", [(key, inner.key_at or inner.at) for key, inner in models.items()]


def _scaled(service: Service) -> Iterator[_Fault]:
    for path in (("deploy", "replicas"), ("scale",)):
        stated = service.value.get(*path)
        if stated is not None and isinstance(stated.data, int) and stated.data > 1 and service.container_name:
            says = (
                f"services.{'.'.join(path)}: can't set container_name and {service.name} as container name must be unique: "
                "invalid compose project"
            )
            yield _Fault(says, stated.whole, ("replicas", service.name))


def _container_names(services: Mapping[str, Service], context: Context) -> None:
    taken: dict[str, Service] = {}
    for service in services.values():
        name = service.container_name
        if name is None or "$" in name:
            continue
        if name in taken:
            says = f'services.{service.name}: container name "{name}" is already in use by service "{taken[name].name}"'
            at = (service.value.get("container_name") or service.value).whole
            context.refuse(ProblemKind.REFERENCE, says, at, "container_name", name)
        taken.setdefault(name, service)


def _cycles(services: Mapping[str, Service], context: Context) -> None:
    done: set[str] = set()
    for start in services:
        stack: list[str] = []
        _visit(start, services, stack, done, context)


def _visit(name: str, services: Mapping[str, Service], stack: list[str], done: set[str], context: Context) -> None:
    """Depth first, with a stack of our own: a chain may be as long as a file."""
    work: list[tuple[str, Iterator[str]]] = []
    if name in done or name not in services:
        return
    stack.append(name)
    work.append((name, iter([wait.service for wait in services[name].waits])))
    while work:
        here, rest = work[-1]
        following = next(rest, None)
        if following is None:
            work.pop()
            stack.pop()
            done.add(here)
        elif following in stack:
            loop = [*stack[stack.index(following) :], following]
            wait = services[here].wait_for(following)
            assert wait is not None
            says = f"dependency cycle detected: {' -> '.join(loop)}"
            context.refuse(ProblemKind.CYCLE, says, wait.at, "cycle", *sorted(set(loop)))
        elif following in services and following not in done:
            stack.append(following)
            work.append((following, iter([wait.service for wait in services[following].waits])))


def check_resources(resources: Mapping[str, Mapping[str, Value]], context: Context) -> None:
    """Where a config's or secret's text comes from, and what an external resource may not state."""
    for kind in ("configs", "secrets"):
        for key, value in resources[kind].items():
            sources = _SOURCES[kind]
            stated = [name for name in sources if value.get(name) is not None]
            external = value.text("external") == "true"
            if len(stated) > 1:
                says = f"{kind}.{key}: {'|'.join(sources)} attributes are mutually exclusive"
                context.refuse(ProblemKind.VALUE, says, value.whole, kind, key, "exclusive")
            elif not stated and not external and value.get("driver") is None:
                says = f"{kind}.{key}: one of {'|'.join(sources)} must be set"
                context.refuse(ProblemKind.VALUE, says, value.whole, kind, key, "empty")
    for key, value in resources["volumes"].items():
        for name in _more(value.mapping()) if value.text("external") == "true" else ():
            says = f'volumes.{key}: conflicting parameters "external" and "{name}" specified'
            context.refuse(ProblemKind.VALUE, says, value.whole, "volumes", key, "external", name)


def _more(stated: Iterable[str]) -> list[str]:
    return [name for name in stated if name not in _EXTERNAL_ALSO and not name.startswith("x-")]
