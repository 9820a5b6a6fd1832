"""Engines of one kind that serve one model, of which some are changed and others stay."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, ServiceMove
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, listed
from rules._traits import engine_of, is_tuning

_LONGEST = 60


def same_engines(change: Change, touched: set[str]) -> Iterator[Found]:
    """What one engine gains and another one, of the same kind and model in a file that stays, may need as well: context."""
    gains: dict[tuple[tuple[str, ...], frozenset[str]], list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            gained = _gained(each)
            if gained and move.head is not None and each.after is not None:
                gains.setdefault((gained, _models(each.after)), []).append((move.head, each.after))
    for (gained, _), done in gains.items():
        left = list(_left(change, gained, done, touched))
        if left:
            yield _found(gained, done, left)


def _gained(each: ServiceMove) -> tuple[str, ...]:
    """What was not there before; nothing of an engine that was replaced."""
    before, after = each.before, each.after
    if before is None or after is None or after.facts.role is not Role.ENGINE or after.profiles:
        return ()
    if not _models(after) or _models(before) != _models(after) or _image(before) != _image(after):
        return ()
    had = _has(before)
    return tuple(what for what in _has(after) if what not in had)


def _has(service: Service) -> dict[str, None]:
    """Variables, mounts, configs, the commands of its script, and the flags that do not fit it to its GPUs; in words."""
    found = [f"the variable {code(name)}" for name in service.environment]
    found += [f"a mount at {code(mount.target)}" for mount in service.mounts]
    found += [f"a config at {code(grant.target)}" for grant in service.config_files]
    flags = [name for serving in service.facts.servings for name in serving.flags]
    found += [f"the flag {code(name)}" for name in flags if not is_tuning(name)]
    found += [f"a call of {code(command.name[:_LONGEST])}" for command in service.facts.commands if command.name]
    return dict.fromkeys(found)


def _left(
    change: Change, gained: tuple[str, ...], done: list[tuple[Project, Service]], touched: set[str]
) -> Iterator[tuple[Project, Service]]:
    first = done[0][1]
    folders = {project.path.rpartition("/")[0] for project, _ in done}
    for project, service in change.head.services:
        if project.path in touched or project.path.rpartition("/")[0] not in folders or service.profiles:
            continue
        same = engine_of(service) == engine_of(first) and bool(_models(service) & _models(first))
        if same and not _has(service).keys() & set(gained):
            yield project, service


def _found(gained: tuple[str, ...], done: list[tuple[Project, Service]], left: list[tuple[Project, Service]]) -> Found:
    verb = "serves" if len(left) == 1 else "serve"
    files: dict[str, list[str]] = {}
    for project, service in left:
        files.setdefault(project.path, []).append(service.name)
    names = listed([f"{codes(services)} in {code(path)}" for path, services in files.items()])
    gains = "gains" if len(done) == 1 else "gain"
    return Found(
        at=left[0][1].at,
        about=("engine", *gained),
        title="Another engine of the same model stays as it was",
        says=f"{codes(service.name for _, service in done)} {gains} {listed(list(gained))}; {names} {verb} the same model by the same engine without.",
        do="Change it there too if the reason holds there.",
        service=left[0][1].name if len(left) == 1 else None,
        related=tuple(Related(service.at, "changed here") for _, service in done),
        level=Level.NOTE,
        certainty=Certainty.LIKELY,
    )


def _image(service: Service) -> str | None:
    image = service.facts.image
    return image.text if image is not None and image.known else None


def _models(service: Service) -> frozenset[str]:
    """What it serves, by every name: the weights of one model come in several repositories."""
    return frozenset(name for serving in service.facts.servings if serving.engine for name in serving.identities)
