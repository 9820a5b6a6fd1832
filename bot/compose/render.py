"""The resolved model as `docker compose config` prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

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


class Form(Struct, frozen=True):
    """How much of the model is printed, and in which form; the default is what `config` does without options."""

    escape: bool = True  # every `$` doubled
    interpolated: bool = True  # False: as written, values in no form of their own
    normalized: bool = True
    unused: bool = False  # resources that no service uses, too


def rendered(project: Project, services: Iterable[Service], form: Form = Form()) -> dict[str, Any]:
    """The model of these services and of what they use."""
    chosen = list(services)
    model: dict[str, Any] = {"name": project.name} if form.interpolated or form.normalized else {}
    model["services"] = {service.name: _service(service, form) for service in chosen}
    for kind, used_by in _USED_BY.items():
        used = {key for service in chosen for key in used_by(service)}
        every = form.unused or not form.interpolated
        found = {key: value.plain() for key, value in getattr(project, kind).items() if every or key in used}
        if found:
            model[kind] = found
    model.update({key: value.plain() for key, value in project.extensions.items()})
    return _escaped(model) if form.escape and form.interpolated else model


def _service(service: Service, form: Form) -> dict[str, Any]:
    plain = service.value.plain()
    found: dict[str, Any] = {"command": None, "entrypoint": None, **plain} if form.interpolated else plain
    waits = dict(plain.get("depends_on") or {})
    for wait in service.waits if form.normalized else ():
        if wait.via != "depends_on" and wait.service not in waits:
            waits[wait.service] = {
                "condition": str(wait.condition),
                "required": True,
                **({"restart": True} if wait.restart else {}),
            }
    if waits:
        found["depends_on"] = waits
    if isinstance(found.get("build"), dict) and form.normalized:
        found["build"] = _build(found["build"])
    if form.interpolated:
        _as_go_prints(found)
    return found


def _as_go_prints(service: dict[str, Any]) -> None:
    """What Compose's own printing adds: an empty command of a watch, and the fields of devices in capitals."""
    for watch in (service.get("develop") or {}).get("watch") or ():
        watch.setdefault("exec", {"command": None})
    for name, entries in (service.get("blkio_config") or {}).items():
        if isinstance(entries, list):
            service["blkio_config"][name] = [{key.capitalize(): each for key, each in one.items()} for one in entries]


def _build(build: Mapping[str, Any]) -> dict[str, Any]:
    """With the default file; arguments that nothing sets are left out."""
    stated = build.get("args") or {}
    args: Any
    if isinstance(stated, list):
        args = [each for each in stated if "=" in str(each)]
    else:
        args = {name: value for name, value in stated.items() if value is not None}
    file = {} if "dockerfile_inline" in build else {"dockerfile": "Dockerfile"}
    return {**file, **build, **({"args": args} if args else {})}


def _escaped(data: Any) -> Any:
    if isinstance(data, str):
        return data.replace("$", "$$")
    if isinstance(data, dict):
        return {key.replace("$", "$$"): _escaped(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_escaped(value) for value in data]
    return data
