"""`compose-review config`: the resolved model, and where each value of it was written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bot.compose.active import NoSuchService, by_profiles, selected
from bot.compose.assemble import Request, load
from bot.compose.context import Context, Sources, Unset
from bot.compose.dotenv import DotenvError, parse_dotenv
from bot.compose.render import rendered
from bot.compose.select import DEFAULT_NAMES, OVERRIDES
from bot.document.parse import parse
from bot.exit import Exit
from bot.facts.read import read_facts
from bot.model.node import YamlFile
from bot.model.project import Project
from bot.model.value import Value


class NoFiles(Exception):
    """No Compose file was named, and none of the default names is there."""


@click.command("config")
@click.argument("files", nargs=-1)
@click.option("--origins", is_flag=True, help="Print each value with the file and line it comes from.")
@click.option("--format", "format_", type=click.Choice(["yaml", "json"]), default="yaml")
@click.option("--profile", "profiles", multiple=True, help="Enable a profile; default: all of them.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A variable as it is set at deploy time.")
def command(
    files: tuple[str, ...], origins: bool, format_: str, profiles: tuple[str, ...], pairs: tuple[str, ...]
) -> int:
    """Print what we understand of Compose FILES: the resolved model, or with --origins where it comes from.

    Variables that nothing sets stay as they are written. Exit status 2 when Compose would refuse the files.
    """
    variables = dict(pair.partition("=")[::2] for pair in pairs)
    try:
        project, context = from_disk(files, Path(), variables, Unset.KEEP, profiles=profiles or ("*",))
    except NoFiles as error:
        raise click.ClickException(str(error)) from None
    services = selected(project, profiles or ("*",))
    if origins:
        for line in _origins(project):
            click.echo(line)
    else:
        model = rendered(project, services, escape=False)
        click.echo(
            json.dumps(model, indent=2, ensure_ascii=False) if format_ == "json" else _yaml(model), nl=format_ == "json"
        )
    for problem in project.problems:
        click.echo(f"{problem.at}: {problem.says}", err=True)
    for warning in context.warnings:
        click.echo(f"warning: {warning}", err=True)
    return Exit.INCOMPLETE if project.problems else Exit.REVIEWED


def from_disk(
    files: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    unset: Unset,
    *,
    env_files: tuple[str, ...] = (),
    name: str | None = None,
    profiles: tuple[str, ...] = (),
    interpolate: bool = True,
    resolve_paths: bool = True,
    resolve_environment: bool = True,
    names: tuple[str, ...] = (),
) -> tuple[Project, Context]:
    """A project of files on this machine, and the context it was loaded in. Raises NoFiles."""
    home = os.path.abspath(folder)
    paths = tuple(os.path.abspath(folder / file) for file in files) or _default_files(home)
    below = os.path.dirname(paths[0])
    variables = _variables(below, folder, environment, env_files)
    context = Context(
        Sources(_Yaml(), _text),
        unset,
        variables,
        dict(variables),
        home=environment.get("HOME"),
        interpolate=interpolate,
        resolve_paths=resolve_paths,
        resolve_environment=resolve_environment,
    )
    enabled = set(profiles) | set(filter(None, variables.get("COMPOSE_PROFILES", "").split(",")))
    active = None if "*" in enabled else by_profiles(enabled)
    project = load(Request(paths, below, name, active if not names else (lambda _: False)), context, read_facts)
    return project, context


def _default_files(folder: str) -> tuple[str, ...]:
    for default in DEFAULT_NAMES:
        path = os.path.join(folder, default)
        if os.path.isfile(path):
            others = (os.path.join(folder, other) for other in OVERRIDES[default.split(".")[0]])
            return (path, *(other for other in others if os.path.isfile(other)))
    raise NoFiles("no configuration file provided: not found")


def _variables(below: str, folder: Path, environment: Mapping[str, str], env_files: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in [os.path.abspath(folder / each) for each in env_files] or [os.path.join(below, ".env")]:
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


def _yaml(model: Mapping[str, Any]) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    writer = YAML()
    writer.default_flow_style = False
    writer.width = 4096
    out = StringIO()
    writer.dump(model, out)
    return out.getvalue()


def _origins(project: Project) -> Iterator[str]:
    """`path = value  # file:line`, one line a value."""
    here = os.getcwd()
    for path, value in _values(project):
        text = json.dumps(value.plain(), ensure_ascii=False)
        shown = text if len(text) <= 100 else text[:97] + "…"
        at = value.key_at if value.key_at is not None and value.key_at.line > value.at.line else value.at
        unknown = f", {', '.join(value.unknown)} not set" if value.unknown else ""
        yield f"{'.'.join(path)} = {shown}  # {os.path.relpath(at.file, here)}:{at.line}{unknown}"


def _values(project: Project) -> Iterator[tuple[tuple[str, ...], Value]]:
    for service in project.services.values():
        yield from service.value.walk(("services", service.name))
    for kind in ("networks", "volumes", "configs", "secrets"):
        for name, value in getattr(project, kind).items():
            yield from value.walk((kind, name))


__all__ = ["DotenvError", "NoFiles", "NoSuchService", "command", "from_disk"]
