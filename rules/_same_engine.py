"""Engines of one kind that serve one model, of which some are changed and others stay."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change, ServiceMove
from bot.model.facts import Role
from bot.model.finding import Certainty, Excluded, Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes, listed
from rules._traits import engine_of, is_tuning

_LONGEST = 60


class _Step(Struct, frozen=True):
    """What engines of one model gain, or lose, in one change."""

    what: tuple[str, ...]
    gained: bool
    models: frozenset[str]


def same_engines(change: Change, touched: set[str]) -> Iterator[Outcome]:
    """What one engine gains and another one, of the same kind and model in a file that stays, may need as well: context.

    What one loses and the other one still has weighs more: it was taken away for a reason.
    """
    steps: dict[_Step, list[tuple[Project, Service]]] = {}
    for move in change.moves:
        for each in move.changed:
            for step in _steps(each):
                if move.head is not None and each.after is not None:
                    steps.setdefault(step, []).append((move.head, each.after))
    for step, done in steps.items():
        left = []
        for project, service in _left(change, step, done, touched):
            stated = change.left_out(project.path)
            if stated is not None:
                yield Excluded(project.path, stated.said_in, stated.quote)
            else:
                left.append((project, service))
        if left:
            yield _found(step, done, left)


def _steps(each: ServiceMove) -> Iterator[_Step]:
    """Nothing of an engine that was replaced, and nothing that goes and comes at once: that is a move to other settings."""
    before, after = each.before, each.after
    if before is None or after is None or after.facts.role is not Role.ENGINE or after.profiles:
        return
    if not _models(after) or _models(before) != _models(after) or _image(before) != _image(after):
        return
    had, has = _has(before), _has(after)
    gained = tuple(what for what in has if what not in had)
    lost = tuple(what for what in had if what not in has)
    if gained:
        yield _Step(gained, True, _models(after))
    elif lost:
        yield _Step(lost, False, _models(after))


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
    change: Change, step: _Step, done: list[tuple[Project, Service]], touched: set[str]
) -> Iterator[tuple[Project, Service]]:
    first = done[0][1]
    folders = {project.path.rpartition("/")[0] for project, _ in done}
    for project, service in change.head.services:
        if project.path in touched or project.path.rpartition("/")[0] not in folders or service.profiles:
            continue
        if engine_of(service) == engine_of(first) and _models(service) & step.models:
            shared = _has(service).keys() & set(step.what)
            if not shared if step.gained else len(shared) == len(step.what):
                yield project, service


def _found(step: _Step, done: list[tuple[Project, Service]], left: list[tuple[Project, Service]]) -> Found:
    one, alone = len(done) == 1, len(left) == 1
    files: dict[str, list[str]] = {}
    for project, service in left:
        files.setdefault(project.path, []).append(service.name)
    names = listed([f"{codes(services)} in {code(path)}" for path, services in files.items()])
    verb = ("gain" if step.gained else "lose") + ("s" if one else "")
    serves = f"{'serves' if alone else 'serve'} the same model by the same engine"
    still = "without" if step.gained else ("and still has it" if alone else "and still have it")
    return Found(
        at=left[0][1].at,
        about=("engine", *step.what),
        title="Another engine of the same model stays as it was",
        says=f"{codes(service.name for _, service in done)} {verb} {listed(list(step.what))}; {names} {serves} {still}.",
        do="Change it there too if the reason holds there.",
        service=left[0][1].name if alone else None,
        related=tuple(Related(service.at, "changed here") for _, service in done),
        level=Level.NOTE if step.gained else Level.WARNING,
        certainty=Certainty.LIKELY,
    )


def _image(service: Service) -> str | None:
    image = service.facts.image
    return image.text if image is not None and image.known else None


def _models(service: Service) -> frozenset[str]:
    """What it serves, by every name: the weights of one model come in several repositories."""
    return frozenset(name for serving in service.facts.servings if serving.engine for name in serving.identities)
