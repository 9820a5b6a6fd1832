"""How fast files are parsed and loaded, against PyYAML's C loader, and how loading grows with the estate."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from bench.estate import write_estate
from bench.paired import paired, seconds
from bot.compose.load import Cache, load_estate
from bot.document.parse import parse
from bot.facts.read import read_facts
from bot.local.folder_tree import FolderTree
from bot.model.settings import Settings

SIZES = (250, 500, 1000, 2000)


def parsing(folder: Path) -> Iterator[str]:
    import yaml

    files = {path.name: path.read_bytes() for path in sorted(folder.rglob("*.y*ml"))}
    size = sum(map(len, files.values())) / 1e6
    gc.disable()
    found = paired(
        lambda: [parse(name, data) for name, data in files.items()],
        lambda: [yaml.load(data, yaml.CSafeLoader) for data in files.values()],
    )
    yield f"parse {size:.2f} MB in {len(files)} files: {found.ratio:.2f} x PyYAML's C loader, which keeps no places ({size / found.ours:.1f} MB/s)"
    loaded = paired(lambda: _load(folder), lambda: [yaml.load(data, yaml.CSafeLoader) for data in files.values()])
    yield f"load and resolve the same:  {loaded.ratio:.2f} x PyYAML's C loader ({size / loaded.ours:.1f} MB/s)"
    gc.enable()


def growth(folder: Path) -> Iterator[str]:
    """Seconds for each further service, by size: a constant when loading is linear."""
    times = {}
    for size in SIZES:
        estate = write_estate(folder / str(size), size)
        times[size] = min(seconds(lambda estate=estate: _load(estate)) for _ in range(3))  # type: ignore[misc]
    first = times[SIZES[0]] / SIZES[0]
    yield "load a service, relative to an estate of 250: " + ", ".join(
        f"{size}: {times[size] / size / first:.2f}" for size in SIZES
    )
    tracemalloc.start()
    _load(folder / str(SIZES[-1]))
    yield f"peak memory for {SIZES[-1]} services: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB"
    tracemalloc.stop()


def _load(folder: Path) -> object:
    return load_estate(FolderTree(folder), Settings(), read_facts, Cache())
