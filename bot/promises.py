"""Joins the contracts to a review: a repository's own, those of base and what a change makes of them."""

from __future__ import annotations

from collections.abc import Callable

from bot import rulebook
from bot.compose.load import Cache, load_estate
from bot.contracts.check import State
from bot.contracts.load import Loaded, load
from bot.contracts.packs import pack_names
from bot.contracts.review import Touch, gaps_of, results
from bot.facts.read import reader
from bot.intake.config import CONFIG_PATHS, ConfigError, settings_of
from bot.model.change import Change
from bot.model.contract import ContractResults
from bot.model.finding import Gap
from bot.model.settings import Settings
from bot.ports import EntryKind, Reading, Tree


def contracts_of(
    reading: Reading, settings: Settings, change: Change, gaps: tuple[tuple[Gap, ...], tuple[Gap, ...]]
) -> tuple[ContractResults, tuple[Gap, ...]]:
    """The contracts of base, and head's where the change edits the configuration, held against the change.

    `gaps` are what could not be read of base and of head.
    """
    paths = frozenset(path for file in change.files for path in (file.path, file.old_path))
    loaded, changed = load(settings), None
    if paths & set(CONFIG_PATHS) and settings.path in ("", *CONFIG_PATHS):
        try:
            changed = load(settings_of(reading.head, [each.id for each in rulebook.catalogue()], pack_names()))
        except ConfigError as error:
            changed = Loaded(problems=error.problems)
    base = State(change.base, gaps[0], _reader(reading.base))
    head = State(change.head, gaps[1], _reader(reading.head))
    moved = frozenset(move.head.path for move in change.moves if move.head is not None)
    touch = Touch(paths, moved, {file.path: file.old_path for file in change.files})
    return results(loaded, changed, base, head, touch), gaps_of(loaded, changed)


def state_of(tree: Tree, settings: Settings) -> State:
    """One tree as contracts see it."""
    estate, gaps = load_estate(tree, settings, reader(settings.roles), Cache())
    return State(estate, gaps, _reader(tree))


def _reader(tree: Tree) -> Callable[[str], bytes | None]:
    """Files for `text()` and `sha256()`: regular ones of the tree, nothing else."""

    def read(path: str) -> bytes | None:
        entry = tree.entries.get(path)
        if entry is None or entry.kind is not EntryKind.FILE:
            return None
        return tree.read_many((path,)).get(path)

    return read
