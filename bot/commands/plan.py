"""`compose-review plan`: what a host goes through when it moves from one file, or one revision, to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path

import click

from bot.app import moves_of
from bot.change.files import changed_files
from bot.compose.load import Cache, load_estate
from bot.deploy.plans import plans, switch
from bot.exit import Exit
from bot.facts.read import reader
from bot.intake.config import ConfigError, settings_file, settings_of
from bot.local.failure import LocalError, WrongRequest
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import tree_of
from bot.local.side import FolderSide, Sides
from bot.model.plan import Plan
from bot.model.project import Estate, Project
from bot.model.settings import Settings
from bot.ports import Tree
from bot.rulebook import catalogue


class Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"


@click.command("plan")
@click.argument("before")
@click.argument("after")
@click.option("--services", default="", help="Only these, and what they wait for: as if the command named them.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="Instead of the one beside BEFORE.")
@click.option("--format", "format_", type=click.Choice([each.value for each in Format]), default="terminal")
def command(before: str, after: str, services: str, config: Path | None, format_: str) -> int:
    """Say what the deploy does when a host that runs BEFORE is given AFTER.

    Each is a Compose file, REVISION:FILE, or a revision or folder: then every file that differs is planned.

    Exit status: 0 planned; 2 a plan could not be made; 64 wrong usage.
    """
    named = tuple(filter(None, (name.strip() for name in services.split(","))))
    try:
        made = _plans(before, after, named, config)
    except (WrongRequest, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    from bot.review import plan_page

    printers = {
        Format.TERMINAL: plan_page.terminal,
        Format.MARKDOWN: plan_page.markdown,
        Format.JSON: plan_page.as_json,
    }
    click.echo(printers[Format(format_)](made) if made else "Nothing differs.", nl=not made)
    return Exit.INCOMPLETE if any(plan.unknown for plan in made) else Exit.REVIEWED


def _plans(before: str, after: str, named: tuple[str, ...], config: Path | None) -> tuple[Plan, ...]:
    sides = Sides(Path())
    old, old_file = _located(before, sides)
    new, new_file = _located(after, sides)
    if (old_file is None) != (new_file is None):
        raise WrongRequest(f"name two files, or two revisions or folders: {before} and {after} are one of each")
    ids = {rule.id for rule in catalogue()}
    settings = settings_file(config, ids) if config is not None else settings_of(old, ids)
    cache, read_facts = Cache(), reader(settings.roles)
    base = load_estate(old, settings, read_facts, cache)[0]
    head = base if new is old else load_estate(new, settings, read_facts, cache)[0]
    if old_file is not None and new_file is not None:
        projects = _project(base, old_file), _project(head, new_file)
        _known(named, projects[1])
        return (switch(*projects, settings, named),)
    moves = moves_of(base, head, changed_files(old, new))
    return plans(base, head, moves, _narrowed(settings, named))


def _narrowed(settings: Settings, named: tuple[str, ...]) -> Settings:
    return replace(settings, deploy=" ".join((settings.deploy, *named)))


def _located(text: str, sides: Sides) -> tuple[Tree, str | None]:
    """The tree that an argument names, and the file in it where it names one."""
    path = Path(text)
    if path.is_file():
        return _tree_of_file(path)
    revision, colon, file = text.partition(":")
    if colon and file and not path.exists():
        commit = sides.repository.commit(revision)
        return tree_of(sides.repository.store, commit), file
    side = sides.named(text)
    if isinstance(side, FolderSide):
        return FolderTree(side.path), None
    return tree_of(side.repository.store, side.commit), None


def _tree_of_file(path: Path) -> tuple[Tree, str]:
    """The working tree that a file lies in, or its folder where there is none."""
    full = path.resolve()
    try:
        side = Sides(full.parent).working_tree()
    except WrongRequest:
        return FolderTree(full.parent), full.name
    top = side.repository.top
    assert top is not None  # it has a working tree
    return tree_of(side.repository.store, side.commit), full.relative_to(top.resolve()).as_posix()


def _project(estate: Estate, path: str) -> Project:
    found = estate.project_of(path)
    if found is None:
        close = get_close_matches(path, estate.projects, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise WrongRequest(f"{path} is no Compose file that could be read{hint}")
    return found


def _known(named: tuple[str, ...], project: Project) -> None:
    names: Mapping[str, object] = project.services
    for name in named:
        if name not in names:
            close = get_close_matches(name, names, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise WrongRequest(f"{project.path} has no service {name}{hint}")
