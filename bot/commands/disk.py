"""Compose files on this machine as the project that one `docker compose` command would load."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.compose.active import by_profiles
from bot.compose.assemble import Request, load
from bot.compose.context import Context, Sources, Unset
from bot.compose.dotenv import parse_dotenv
from bot.compose.select import DEFAULT_NAMES, OVERRIDES
from bot.document.parse import parse
from bot.facts.read import read_facts
from bot.model.node import YamlFile
from bot.model.project import Project


class NoFiles(Exception):
    """No Compose file was named, and none of the default names is there."""


def from_disk(
    files: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    unset: Unset,
    *,
    env_files: tuple[str, ...] = (),
    name: str | None = None,
    project_folder: str | None = None,
    profiles: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    interpolate: bool = True,
    normalize: bool = True,
    consistent: bool = True,
    resolve_paths: bool = True,
    resolve_environment: bool = True,
) -> tuple[Project, Context]:
    """A project, and the context it was loaded in. Without `files`, those that Compose finds. Raises NoFiles.

    `names` are the services asked for: with some, what profiles enable depends on them.
    """
    start = os.path.abspath(folder)
    known = _variables([os.path.join(start, ".env")], {}, environment) if not files else dict(environment)
    paths = tuple(os.path.abspath(folder / file) for file in files) or _stated(start, known) or _default_files(start)
    below = os.path.abspath(folder / project_folder) if project_folder is not None else os.path.dirname(paths[0])
    wanted = [os.path.abspath(folder / each) for each in env_files] or [os.path.join(below, ".env")]
    variables = _variables(wanted, {} if env_files else known, environment)
    context = Context(
        Sources(_Yaml(), _text),
        unset,
        variables,
        dict(variables),
        home=environment.get("HOME"),
        interpolate=interpolate,
        resolve_paths=resolve_paths,
        resolve_environment=resolve_environment,
        normalize=normalize,
        consistent=consistent,
    )
    enabled = {*profiles, *enabled_by(variables)}
    active = None if "*" in enabled else by_profiles(enabled)
    project = load(Request(paths, below, name, active if not names else (lambda _: False)), context, read_facts)
    return project, context


def enabled_by(variables: Mapping[str, str]) -> tuple[str, ...]:
    """The profiles that COMPOSE_PROFILES enables."""
    return tuple(filter(None, variables.get("COMPOSE_PROFILES", "").split(",")))


def _stated(start: str, variables: Mapping[str, str]) -> tuple[str, ...]:
    """The files that COMPOSE_FILE lists, outside or in the `.env` of the folder."""
    separator = variables.get("COMPOSE_PATH_SEPARATOR") or ":"
    listed = variables.get("COMPOSE_FILE", "").split(separator)
    return tuple(os.path.abspath(os.path.join(start, each)) for each in listed if each)


def _default_files(start: str) -> tuple[str, ...]:
    """A file of a default name, here or in the nearest folder above, with its override."""
    for folder in _upwards(start):
        for default in DEFAULT_NAMES:
            path = os.path.join(folder, default)
            if os.path.isfile(path):
                others = (os.path.join(folder, other) for other in OVERRIDES[default.split(".")[0]])
                return (path, *(other for other in others if os.path.isfile(other)))
    raise NoFiles("no configuration file provided: not found")


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _variables(files: list[str], known: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """What the files set, each over the ones before it, below the environment."""
    found = dict(known)
    for file in files:
        text = _text(file)
        if text is not None:
            values = parse_dotenv(text, {**found, **environment})
            found.update({name: value for name, value in values.items() if value is not None})
    return {**found, **environment}


class _Yaml:
    """Files parsed once."""

    def __init__(self) -> None:
        self._known: dict[str, YamlFile | None] = {}

    def __call__(self, path: str) -> YamlFile | None:
        if path not in self._known:
            self._known[path] = parse(path, Path(path).read_bytes()) if os.path.isfile(path) else None
        return self._known[path]


def _text(path: str) -> str | None:
    return Path(path).read_text(encoding="utf-8", errors="replace") if os.path.isfile(path) else None
