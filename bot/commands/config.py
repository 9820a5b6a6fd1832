"""`compose-review config`: the resolved model, and where each value of it was written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bot.commands.disk import NoFiles, from_disk
from bot.compose.active import NoSuchService, selected
from bot.compose.context import Unset
from bot.compose.dotenv import DotenvError
from bot.compose.render import Form, rendered
from bot.exit import Exit
from bot.model.project import Project
from bot.model.value import Value


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
