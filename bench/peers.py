"""What the rule that compares peers costs in a large repository, against loading it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

from bench.estate import write_estate
from bench.paired import seconds
from bot.app import change_of
from bot.compose.load import Cache, load_estate
from bot.facts.read import read_facts
from bot.local.folder_tree import FolderTree
from bot.model.pull import Pull
from bot.model.settings import Settings
from bot.ports import Reading
from bot.rulebook import catalogue, run

FILES, PER_FILE = 2_000, 4


def peers(folder: Path) -> Iterator[str]:
    """A new file beside 2,000 others: the rule reads the facts of all of them."""
    base, head = folder / "base", folder / "head"
    for side, files in ((base, FILES), (head, FILES + 1)):
        write_estate(side, files * PER_FILE, PER_FILE)
    gc.disable()
    loading = min(seconds(lambda: _load(base)) for _ in range(2))
    reading = Reading(Pull(title="A pool more"), FolderTree(base), FolderTree(head), "base", "head")
    change, _ = change_of(reading, Settings())
    rule = [each for each in catalogue() if each.id == "peer-convention-broken"]
    asking = seconds(lambda: run(change, rule))
    gc.enable()
    yield f"peer-convention-broken beside {FILES} files: {asking / loading:.2f} x loading them"


def _load(folder: Path) -> object:
    return load_estate(FolderTree(folder), Settings(), read_facts, Cache())
