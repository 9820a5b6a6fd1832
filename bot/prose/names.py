"""How people name things in prose, and what of the model they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from bot.model.facts import Role
from bot.model.project import Project
from bot.model.service import Service

_NOT_WORD = re.compile(r"[^a-z0-9]+")

# What people call the services of a role.
ROLE_WORDS: Mapping[str, tuple[Role, ...]] = {
    "engine": (Role.ENGINE,),
    "model server": (Role.ENGINE,),
    "proxy": (Role.PROXY,),
    "gateway": (Role.PROXY, Role.WEB_SERVER),
    "router": (Role.PROXY, Role.WEB_SERVER),
    "routing": (Role.WEB_SERVER, Role.REGISTRAR),
    "nginx": (Role.WEB_SERVER,),
    "ingress": (Role.WEB_SERVER,),
    "web server": (Role.WEB_SERVER,),
    "registrar": (Role.REGISTRAR,),
    "registration": (Role.REGISTRAR,),
    "telemetry": (Role.TELEMETRY,),
    "monitoring": (Role.TELEMETRY,),
    "observability": (Role.TELEMETRY,),
    "metrics": (Role.TELEMETRY,),
    "downloader": (Role.DOWNLOADER,),
    "download": (Role.DOWNLOADER,),
    "database": (Role.DATABASE,),
    "maintenance": (Role.MAINTENANCE,),
    "service": tuple(Role),
    "container": tuple(Role),
}


def squash(text: str) -> str:
    """Letters and digits only, in lower case: `Some-2.1 Mini` and `some-2.1-mini` are one name."""
    return _NOT_WORD.sub("", text.lower())


def roles_of(word: str) -> tuple[Role, ...]:
    """The roles a word or its plural stands for, none when it stands for no role."""
    word = word.strip(" `*_").lower()
    for form in (word, word.removesuffix("s"), word.removesuffix("ies") + "y", word.removesuffix("es")):
        if form in ROLE_WORDS:
            return ROLE_WORDS[form]
    return ()


def last_part(name: str) -> str:
    """`org/name` as `name`."""
    return name.rstrip("/").rsplit("/", 1)[-1]


def model_names(service: Service) -> frozenset[str]:
    """The names that the models a service answers for go by, without their organisation, squashed."""
    return frozenset(
        squash(last_part(name)) for serving in service.facts.servings for name in serving.identities if name
    )


def serves(project: Project, squashed: str) -> bool:
    """Whether the project answers for a model of this name, or of a variant whose name begins with it."""
    return any(name.startswith(squashed) for service in project.services.values() for name in model_names(service))


def served_models(project: Project) -> frozenset[str]:
    """What clients of the project ask for: served names, squashed; the model itself where none is given."""
    found: set[str] = set()
    for service in project.services.values():
        for serving in service.facts.servings:
            names = serving.names or tuple(name for name in (serving.repository or serving.model,) if name)
            found.update(squash(last_part(name)) for name in names)
    return frozenset(found)


def paths_named(text: str, paths: Iterable[str]) -> tuple[str, ...]:
    """The files that a text names: by path, by file name, or by file name without its suffix in backticks."""
    words = {word.strip("`'\"()[]{}<>,:*_").removesuffix(".").removesuffix("'s") for word in text.split()}
    quoted = set(re.findall(r"`([^`]+)`", text))
    told = words | quoted
    return tuple(
        path for path, name, stem in _spellings(tuple(paths)) if path in told or name in told or stem in quoted
    )


@lru_cache(maxsize=8)  # one set of paths is asked about with every sentence
def _spellings(paths: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Each path with its file name and the file name without its suffix."""
    names = [last_part(path) for path in paths]
    return tuple((path, name, re.sub(r"\.ya?ml$", "", name)) for path, name in zip(paths, names, strict=True))
