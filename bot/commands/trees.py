"""What commands about one tree share: the tree by its name, its configuration and contracts, and plain output."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import Struct

from bot.contracts.load import Loaded, load
from bot.contracts.packs import pack_names
from bot.intake.config import ConfigError, settings_file, settings_of
from bot.local.failure import WrongRequest
from bot.local.folder_tree import FolderTree
from bot.local.git_tree import tree_of
from bot.local.side import FolderSide, Sides
from bot.model.settings import Settings
from bot.ports import Tree
from bot.review.escape import plain
from bot.rulebook import catalogue


class Asked(Struct, frozen=True):
    """A tree, its configuration, and the contracts of that."""

    tree: Tree
    settings: Settings
    loaded: Loaded


def asked(name: str, config: Path | None) -> Asked:
    """ClickException for what the user must repair, LocalError for what cannot be read."""
    ids = {rule.id for rule in catalogue()}
    try:
        tree = _tree(name)
        settings = (
            settings_file(config, ids, pack_names()) if config is not None else settings_of(tree, ids, pack_names())
        )
    except (WrongRequest, ConfigError) as error:
        raise click.ClickException(safe(str(error))) from None
    loaded = load(settings)
    if loaded.problems:
        raise click.ClickException(safe("\n".join(f"{each.at}: {each.says}" for each in loaded.problems)))
    return Asked(tree, settings, loaded)


def _tree(name: str) -> Tree:
    side = Sides(Path()).named(name)
    return FolderTree(side.path) if isinstance(side, FolderSide) else tree_of(side.repository.store, side.commit)


def safe(text: str) -> str:
    """What others wrote may hold anything: line by line through the door, with our own indent kept."""
    lines = (line.rstrip() for line in text.split("\n"))
    return "\n".join(line[: len(line) - len(line.lstrip())] + plain(line.lstrip()) for line in lines)
