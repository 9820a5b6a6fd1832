"""The resolved model as `docker compose config` prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.model.project import Project
from bot.model.service import Service

_USED_BY: Mapping[str, Callable[[Service], Iterable[str]]] = {
    "networks": lambda service: service.value.mapping("networks"),
    "volumes": lambda service: [mount.source for mount in service.mounts if mount.kind == "volume" and mount.source],
    "configs": lambda service: [grant.source for grant in service.config_files],
    "secrets": lambda service: [
        *(grant.source for grant in service.secret_files),
        *(item.text("source") or "" for item in service.value.sequence("build", "secrets")),
    ],
}


def rendered(project: Project, services: Iterable[Service], escape: bool = True) -> dict[str, Any]:
    """The model of these services and of what they use. With `escape`, every `$` is doubled, as in Compose."""
    chosen = list(services)
    model: dict[str, Any] = {"name": project.name, "services": {service.name: _service(service) for service in chosen}}
    for kind, used_by in _USED_BY.items():
        used = {key for service in chosen for key in used_by(service)}
        found = {key: value.plain() for key, value in getattr(project, kind).items() if key in used}
        if found:
            model[kind] = found
    model.update({key: value.plain() for key, value in project.extensions.items()})
    return _escaped(model) if escape else model


def _service(service: Service) -> dict[str, Any]:
    plain = service.value.plain()
    found: dict[str, Any] = {"command": None, "entrypoint": None, **plain}
    waits = dict(plain.get("depends_on") or {})
    for wait in service.waits:
        if wait.via != "depends_on" and wait.service not in waits:
            waits[wait.service] = {
                "condition": str(wait.condition),
                "required": True,
                **({"restart": True} if wait.restart else {}),
            }
    if waits:
        found["depends_on"] = waits
    build = found.get("build")
    if isinstance(build, dict):
        args = {name: value for name, value in (build.get("args") or {}).items() if value is not None}
        found["build"] = {"dockerfile": "Dockerfile", **build, **({"args": args} if args else {})}
    for watch in (found.get("develop") or {}).get("watch") or ():
        watch.setdefault("exec", {"command": None})
    return found


def _escaped(data: Any) -> Any:
    if isinstance(data, str):
        return data.replace("$", "$$")
    if isinstance(data, dict):
        return {key.replace("$", "$$"): _escaped(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_escaped(value) for value in data]
    return data
