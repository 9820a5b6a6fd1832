"""What the operator must see to before the deploy: what head needs and base did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from bot.deploy.command import read_command
from bot.deploy.disk import Figure, Said, figures
from bot.deploy.state import State, state_of, states_of
from bot.model.change import Move
from bot.model.facts import Download
from bot.model.place import Place
from bot.model.plan import Prerequisite, PrerequisiteKind
from bot.model.project import Estate, Project
from bot.model.prose import Medium
from bot.model.pull import Pull
from bot.model.service import Service
from bot.model.settings import Settings
from bot.model.text import code, codes, listed

_NEAR = 8  # lines above a download whose comment may speak of it


class _Need(Struct, frozen=True):
    """One thing a project needs: its identity, the place that asks for it, and the service, where one does."""

    kind: PrerequisiteKind
    key: tuple[str, ...]
    text: str
    at: Place
    service: str = ""
    blocks: bool = False


def prerequisites(
    base: Estate,
    head: Estate,
    moves: tuple[Move, ...],
    settings: Settings,
    pull: Pull,
    texts: Mapping[str, tuple[str, ...]],
) -> tuple[Prerequisite, ...]:
    """Each once, in the order of the files. A new file is held against everything that base needs anywhere."""
    command = read_command(settings.deploy)
    anywhere = cache(
        lambda: {need.key for each in base.projects.values() for need in _needs(state_of(each, command, settings))}
    )
    found: dict[tuple[str, str, str], Prerequisite] = {}
    for move in moves:
        if move.head is None or move.head.problems:
            continue
        if move.base is None:
            known, state = anywhere(), state_of(move.head, command, settings)
        else:
            old, state = states_of(move.base, move.head, command, settings)
            known = {need.key for need in _needs(old)}
        needs = [need for need in _needs(state) if need.key not in known]
        for each in (*_grouped(needs), *_downloads(base, head, move, pull, texts)):
            found.setdefault((each.kind, each.text, each.at.file), each)
    return tuple(found.values())


def _needs(state: State) -> Iterator[_Need]:
    yield from _variables(state.project)
    for section, kind in (("volumes", PrerequisiteKind.VOLUME), ("networks", PrerequisiteKind.NETWORK)):
        for key in dict.fromkeys(key for name in state.services for key in _used(state, section, name)):
            value = state.definition(section, key)
            if value is not None and value.text("external") == "true":
                name = state.resource(section, key)
                text = f"the external {kind} {code(name)} must be there"
                yield _Need(kind, (kind, name), text, value.whole)
    for service in state.services.values():
        image = service.value.get("image")
        if image is not None and image.as_text:
            kind = PrerequisiteKind.IMAGE
            yield _Need(kind, (kind, image.as_text), f"a new image, {code(image.as_text)}", image.at, service.name)
        yield from _ports(service)


def _used(state: State, section: str, name: str) -> Iterable[str]:
    return state.networks(name) if section == "networks" else state.volumes(name)


def _variables(project: Project) -> Iterator[_Need]:
    """Variables without a default. They are read in the whole file, whatever is started."""
    required = {use.name for use in project.variables if use.required}
    for use in project.variables:
        kind = PrerequisiteKind.VARIABLE
        if use.required:
            yield _Need(kind, (kind, use.name, "required"), f"{code(use.name)} must be set", use.at, blocks=True)
        elif use.default is None and use.name not in required:
            yield _Need(kind, (kind, use.name), f"{code(use.name)} has no default: unset, it is blank", use.at)


def _ports(service: Service) -> Iterator[_Need]:
    for port in service.ports:
        if port.published:
            address = f"{port.host_ip}:{port.published}" if port.host_ip else port.published
            kind = PrerequisiteKind.PORT
            text = f"the host port {code(f'{address}/{port.protocol}')}, newly published"
            yield _Need(kind, (kind, port.published, port.protocol, port.host_ip or ""), text, port.at, service.name)


def _grouped(needs: list[_Need]) -> Iterator[Prerequisite]:
    """Each need once; an image or a port names the services that ask for it."""
    groups: dict[tuple[str, ...], list[_Need]] = {}
    for need in needs:
        groups.setdefault(need.key, []).append(need)
    for first, *others in groups.values():
        names = dict.fromkeys(need.service for need in (first, *others) if need.service)
        by = f", for {codes(names)}" if first.kind is PrerequisiteKind.IMAGE else f" by {codes(names)}"
        yield Prerequisite(first.kind, f"{first.text}{by if names else ''}", first.at, first.blocks)


def _downloads(
    base: Estate, head: Estate, move: Move, pull: Pull, texts: Mapping[str, tuple[str, ...]]
) -> Iterator[Prerequisite]:
    """New downloads, with the room that somebody said they need."""
    touched = [each for each in move.changed if each.after is not None and not each.after.profiles]
    had = {each.ref for pair in touched if pair.before for each in pair.before.facts.downloads}
    new = [
        (pair.after, each)
        for pair in touched
        if pair.after is not None
        for each in pair.after.facts.downloads
        if each.ref not in had
    ]
    if new:  # it may only have moved here: the others are read when it is worth it
        others = move.base.services.values() if move.base is not None else [each for _, each in base.services]
        known = {each.ref for service in others for each in service.facts.downloads}
        new = [(service, each) for service, each in new if each.ref not in known]
    for service, each in new:
        said = [*_comment(head, each), *_prose(pull, texts)]
        stated = figures(each, said, alone=len(new) == 1)
        yield Prerequisite(PrerequisiteKind.DISK, _room(service, each, stated), each.step)


def _room(service: Service, download: Download, stated: tuple[Figure, ...]) -> str:
    said = f"{code(service.name)} downloads {code(download.ref)}"
    if not stated:
        return f"{said}; no size is stated"
    by_place: dict[str, list[str]] = {}
    for figure in stated[:4]:
        by_place.setdefault(figure.where, []).append(code(figure.text))
    return f"{said}: {'; '.join(f'{listed(found)} ({where})' for where, found in by_place.items())}"


def _comment(head: Estate, download: Download) -> Iterator[Said]:
    """The comments above a download and inside it."""
    file = head.files.get(download.step.file)
    if file is None:
        return
    first = max(1, download.step.line - _NEAR)
    lines = file.lines[first - 1 : download.step.end_line]
    text = "\n".join(line.split("#", 1)[1].strip() for line in lines if "#" in line)
    yield Said(f"{Medium.COMMENT} {code(f'{download.step.file}:{first}')}", " ".join(text.split("\n")), near=True)


def _prose(pull: Pull, texts: Mapping[str, tuple[str, ...]]) -> Iterator[Said]:
    yield Said(str(Medium.PULL_REQUEST), "\n".join(text for _, text in pull.texts))
    for path, lines in texts.items():
        yield Said(code(path), "\n".join(lines))
