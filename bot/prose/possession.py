"""What a phrase such as "fetches the Mini-FP8 snapshot" means, as a test of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from bot.model.change import Move
from bot.model.facts import Download
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.text import code, codes
from bot.prose.names import last_part, squash

_FETCHING = re.compile(
    r"(?:fetch|download|pull|pre-?stage|pre-?fetch|pre-?load|stage|get|ha[sv]e?|need|keep|includ|contain|carr)",
    re.I,
)
_NOUN = re.compile(
    r"(?:the|an?|its|their|this|that|new|also|same|corrected|snapshots?|weights?|checkpoints?|models?|repo(?:sitory)?|files?|"
    r"downloads?|templates?|images?|at|from|revision|copy)$",
    re.IGNORECASE,
)
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_FLAG = re.compile(r"--[a-z][\w-]*")
_VARIABLE = re.compile(r"\b([A-Z][A-Z0-9_]{3,})(?:=([^\s`]+))?")


class Possession(Struct, frozen=True):
    """`identity` names the thing without prose; `spoken` is how to show it; `find` gives its place."""

    identity: str
    spoken: str
    find: Callable[[Project], Place | None]


def possession(phrase: str, estate: Estate, moves: tuple[Move, ...]) -> Possession | None:
    """What the phrase says one has; None when the model knows nothing by that name."""
    verb, _, rest = phrase.partition(" ")
    if flag := _FLAG.search(rest):
        name = flag.group()
        return Possession(name, code(name), lambda project: _flag(project, name))
    if _FETCHING.match(verb):
        repositories = _repositories(rest, estate, moves)
        if repositories:
            spoken = codes(sorted(repositories))
            return Possession(
                " ".join(sorted(repositories)),
                f"a download of {spoken}",
                lambda p: _download(p, repositories),
            )
    variable = _VARIABLE.search(rest)
    if variable and "_" in variable[1]:
        name, value = variable[1], variable[2]
        stated = f"{name}={value}" if value else name
        return Possession(stated, code(stated), lambda project: _variable(project, name, value))
    return None


def _repositories(rest: str, estate: Estate, moves: tuple[Move, ...]) -> frozenset[str]:
    known = {download.repository for project in estate.projects.values() for download in downloads(project)}
    exact = frozenset(name for name in _REPOSITORY.findall(rest) if name in known)
    if exact:
        return exact
    words = [word for word in re.split(r"[\s`\"'()]+", rest) if word and not _NOUN.match(word)]
    wanted = squash("".join(words[:4]))
    if len(wanted) < 3:
        return frozenset()
    named = frozenset(name for name in known if wanted in squash(last_part(name)))
    # The phrase is about what this change brings, where it brings any of the things so named.
    return (named & _added(moves)) or named


def _added(moves: tuple[Move, ...]) -> frozenset[str]:
    found: set[str] = set()
    for move in moves:
        before = {download.repository for download in downloads(move.base)}
        found |= {download.repository for download in downloads(move.head)} - before
    return frozenset(found)


def downloads(project: Project | None) -> Iterator[Download]:
    for service in project.services.values() if project is not None else ():
        yield from service.facts.downloads


def _download(project: Project, repositories: frozenset[str]) -> Place | None:
    return next((each.at for each in downloads(project) if each.repository in repositories), None)


def _flag(project: Project, name: str) -> Place | None:
    for service in project.services.values():
        for serving in service.facts.servings:
            if name in serving.flags:
                return serving.flags[name][0].at
    return None


def _variable(project: Project, name: str, value: str | None) -> Place | None:
    for service in project.services.values():
        found = service.environment.get(name)
        if found is not None and (value is None or found.as_text == value):
            return found.whole
    return None
