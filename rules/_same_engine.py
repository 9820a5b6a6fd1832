"""Engines of one model from one image, of which some are changed and others stay."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, ServiceMove
from bot.model.facts import Role
from bot.model.finding import Certainty, Found, Level, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, listed
from rules._traits import is_tuning

_LONGEST = 60


def same_engines(change: Change, touched: set[str]) -> Iterator[Found]:
    """What one engine gains and another one, of the same model and image in a file that stays, may need as well: context."""
    gains: dict[tuple[tuple[str, ...], frozenset[str]], list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            gained = _gained(each)
            if gained and move.head is not None and each.after is not None:
                gains.setdefault((gained, _models(each.after)), []).append((move.head, each.after))
    for (gained, _), done in gains.items():
        left = list(_left(change, done, touched))
        if left:
            yield _found(gained, done, left)


def _gained(each: ServiceMove) -> tuple[str, ...]:
    """Variables, mounts, configs and flags that were not there, and a script that grew; nothing of an engine that was replaced."""
    before, after = each.before, each.after
    if before is None or after is None or after.facts.role is not Role.ENGINE or after.profiles:
        return ()
    if not _models(after) or _models(before) != _models(after) or _image(before) != _image(after):
        return ()
    found = [f"the variable {code(name)}" for name in after.environment if name not in before.environment]
    mounted = {mount.target for mount in before.mounts}
    found += [f"a mount at {code(mount.target)}" for mount in after.mounts if mount.target not in mounted]
    granted = {grant.target for grant in before.config_files}
    found += [f"a config at {code(grant.target)}" for grant in after.config_files if grant.target not in granted]
    flags = {name for serving in before.facts.servings for name in serving.flags}
    new = [name for serving in after.facts.servings for name in serving.flags if name not in flags]
    found += [f"the flag {code(name)}" for name in new if not is_tuning(name)]
    ran = {command.name for command in before.facts.commands}
    found += [
        f"the command {code(command.name[:_LONGEST])}" for command in after.facts.commands if command.name not in ran
    ]
    return tuple(dict.fromkeys(found))


def _left(change: Change, done: list[tuple[Project, Service]], touched: set[str]) -> Iterator[tuple[Project, Service]]:
    first = done[0][1]
    folders = {project.path.rpartition("/")[0] for project, _ in done}
    for project, service in change.head.services:
        if project.path in touched or project.path.rpartition("/")[0] not in folders or service.profiles:
            continue
        if _image(service) == _image(first) and _models(service) & _models(first):
            yield project, service


def _found(gained: tuple[str, ...], done: list[tuple[Project, Service]], left: list[tuple[Project, Service]]) -> Found:
    names = listed([f"{code(service.name)} in {code(project.path)}" for project, service in left])
    return Found(
        at=left[0][1].at,
        about=("engine", *gained),
        title="Another engine of the same model stays as it was",
        says=f"{codes(service.name for _, service in done)} {'gains' if len(done) == 1 else 'gain'} {listed(list(gained))}; {names} {'serves' if len(left) == 1 else 'serve'} the same model from the same image without.",
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
