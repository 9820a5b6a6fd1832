"""`compose-review config`: the resolved model, and where each value of it was written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.commands.disk import NoFiles, from_disk
from bot.compose.active import NoSuchService, selected
from bot.compose.context import Unset
from bot.compose.dotenv import DotenvError
from bot.compose.render import Form, rendered
from bot.exit import Exit
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.value import Value

LONGEST_SHOWN = 300  # characters of a value in a line of --origins: more than a path has


@click.command("config")
@click.argument("files", nargs=-1)
@click.option("--origins", is_flag=True, help="Print each value with the file, line and column it comes from.")
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
        found = _origins(project, services)
        if format_ == "json":
            click.echo(json.dumps([each.record() for each in found], indent=2, ensure_ascii=False))
        else:
            click.echo("".join(f"{each.line()}\n" for each in found), nl=False)
    else:
        model = rendered(project, services, Form(escape=False))
        click.echo(
            json.dumps(model, indent=2, ensure_ascii=False) if format_ == "json" else _yaml(model), nl=format_ == "json"
        )
    for problem in project.problems:
        click.echo(f"{problem.at}: {problem.says}", err=True)
    for warning in context.warnings:
        click.echo(f"warning: {warning}", err=True)
    return Exit.INCOMPLETE if project.problems else Exit.REVIEWED


def _yaml(model: Mapping[str, Any]) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    writer = YAML()
    writer.default_flow_style = False
    writer.width = 4096
    out = StringIO()
    writer.dump(model, out)
    return out.getvalue()


def _origins(project: Project, services: Iterable[Service]) -> Iterator[_Origin]:
    for service in services:
        for path, value in service.value.walk():
            yield _Origin(("services", service.name, *path), value)
    for kind in ("networks", "volumes", "configs", "secrets"):
        for name, value in getattr(project, kind).items():
            for path, inner in value.walk():
                yield _Origin((kind, name, *path), inner)


class _Origin(NamedTuple):
    """One scalar of the model. An alias has two places: where it is used, and where its anchor was written."""

    path: tuple[str, ...]
    value: Value

    @property
    def used_at(self) -> Place | None:
        key = self.value.key_at
        return key if key is not None and key.file == self.value.at.file and key.line > self.value.at.line else None

    def line(self) -> str:
        """`path = value  # file:line:column`"""
        text = json.dumps(self.value.plain(), ensure_ascii=False)
        shown = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
        used = f" (used at line {self.used_at.line})" if self.used_at is not None else ""
        unknown = f", {', '.join(self.value.unknown)} not set" if self.value.unknown else ""
        return f"{'.'.join(self.path)} = {shown}  # {_place(self.value.at)}{used}{unknown}"

    def record(self) -> dict[str, Any]:
        at = self.value.at
        found = {"path": list(self.path), "value": self.value.plain()}
        found |= {"file": os.path.relpath(at.file), "line": at.line, "column": at.column}
        if self.used_at is not None:
            found["used_at"] = self.used_at.line
        return found | {"unset": list(self.value.unknown)}


def _place(at: Place) -> str:
    return f"{os.path.relpath(at.file)}:{at.line}:{at.column}"


__all__ = ["DotenvError", "NoFiles", "NoSuchService", "command", "from_disk"]
