"""`compose-review plan`: what a host goes through when it moves from one file, or one revision, to another."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path

import click
from msgspec.structs import replace

from bot.app import moves_of
from bot.change.files import changed_files
from bot.compose.load import Cache, load_estate
from bot.deploy.plans import plans, switch
from bot.exit import Exit
from bot.facts.read import reader
from bot.intake.config import CONFIG_PATHS, ConfigError, settings_file, settings_of
from bot.local.failure import LocalError, WrongRequest
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import tree_of
from bot.local.side import FolderSide, Sides
from bot.model.plan import Plan
from bot.model.project import Project
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
@click.option("--profile", "profiles", multiple=True, help="A profile that the deploy enables.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="Instead of the repository's own.")
@click.option("--format", "format_", type=click.Choice([each.value for each in Format]), default="terminal")
def command(
    before: str, after: str, services: str, profiles: tuple[str, ...], config: Path | None, format_: str
) -> int:
    """Say what the deploy does when a host that runs BEFORE is given AFTER.

    Each is a Compose file, REVISION:FILE, or a revision or folder: then every file that differs is planned.

    Exit status: 0 planned; 2 a plan could not be made; 64 wrong usage.
    """
    named = tuple(filter(None, (name.strip() for name in services.split(","))))
    try:
        made = _Planner(config, named, profiles).plans(before, after)
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
    click.echo(printers[Format(format_)](made), nl=False)
    return Exit.INCOMPLETE if any(plan.unknown for plan in made) else Exit.REVIEWED


class _Planner:
    """Reads what the two arguments name, under one configuration."""

    def __init__(self, config: Path | None, services: tuple[str, ...], profiles: tuple[str, ...]) -> None:
        self._config, self._services, self._profiles = config, services, profiles
        self._ids = frozenset(rule.id for rule in catalogue())
        self._sides, self._cache = Sides(Path()), Cache()

    def plans(self, before: str, after: str) -> tuple[Plan, ...]:
        if _names_a_file(before) != _names_a_file(after):
            raise WrongRequest(f"name two files, or two revisions or folders: {before} and {after} are one of each")
        if not _names_a_file(before):
            return self._of_trees(before, after)
        settings = self._settings(before)
        old, new = self._project(before, settings), self._project(after, settings)
        _known(self._services, new.services, f"{new.path} has no service")
        return (switch(old, new, settings, self._services),)

    def _of_trees(self, before: str, after: str) -> tuple[Plan, ...]:
        old, new = self._tree(before), self._tree(after)
        settings = self._with_profiles(self._stated() or settings_of(old, self._ids))
        read_facts = reader(settings.roles)
        base, head = (load_estate(tree, settings, read_facts, self._cache)[0] for tree in (old, new))
        narrowed = replace(settings, deploy=" ".join((settings.deploy, *self._services)))
        names = {name for project in head.projects.values() for name in project.services}
        _known(self._services, names, f"no file of {after} has a service")
        return plans(base, head, moves_of(base, head, changed_files(old, new)), narrowed)

    def _settings(self, file: str) -> Settings:
        """The configuration stated, else that of the revision or of a folder above the file."""
        stated = self._stated()
        if stated is None and not Path(file).is_file():
            stated = settings_of(self._tree(file.partition(":")[0]), self._ids)
        folders = Path(file).resolve().parents if stated is None else ()
        there = [folder / path for folder in folders for path in CONFIG_PATHS if (folder / path).is_file()]
        return self._with_profiles(stated or (settings_file(there[0], self._ids) if there else Settings()))

    def _stated(self) -> Settings | None:
        return settings_file(self._config, self._ids) if self._config is not None else None

    def _with_profiles(self, settings: Settings) -> Settings:
        if not self._profiles:
            return settings
        return replace(settings, deploy=f"COMPOSE_PROFILES={','.join(self._profiles)} {settings.deploy}")

    def _project(self, text: str, settings: Settings) -> Project:
        if Path(text).is_file():
            return _from_disk(text, settings)
        revision, _, path = text.partition(":")
        estate, _ = load_estate(self._tree(revision), settings, reader(settings.roles), self._cache)
        found = estate.project_of(path)
        if found is None:
            raise WrongRequest(f"{path} is no Compose file of {revision}{_hint(path, estate.projects)}")
        return replace(found, path=text)

    def _tree(self, text: str) -> Tree:
        side = self._sides.named(text)
        if isinstance(side, FolderSide):
            return FolderTree(side.path)
        return tree_of(side.repository.store, side.commit)


def _names_a_file(text: str) -> bool:
    path = Path(text)
    return path.is_file() or (":" in text and not path.exists())


def _from_disk(text: str, settings: Settings) -> Project:
    from bot.commands.config import from_disk
    from bot.compose.context import Unset

    known = {name: value for name, value in settings.variables.items() if value is not None}
    project, _ = from_disk((text, *_overrides(Path(text))), Path(), known, Unset.KEEP, profiles=("*",))
    return replace(project, path=text)


def _overrides(path: Path) -> tuple[str, ...]:
    """The overlay that Compose loads by itself beside a file of the standard name."""
    from bot.compose.select import DEFAULT_NAMES, OVERRIDES

    if path.name not in DEFAULT_NAMES:
        return ()
    beside = (path.with_name(name) for name in OVERRIDES[path.name.split(".")[0]])
    return tuple(str(each) for each in beside if each.is_file())[:1]


def _known(asked: tuple[str, ...], names: Collection[str], says: str) -> None:
    for name in asked:
        if name not in names:
            raise WrongRequest(f"{says} {name}{_hint(name, names)}")


def _hint(text: str, known: Collection[str]) -> str:
    close = get_close_matches(text, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
