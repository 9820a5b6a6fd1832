"""Timings that are worth comparing: both sides of a ratio in the same run, in turn, and the median of the pairs."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Paired:
    """Medians in seconds, and the median of the ratios of neighbouring runs."""

    ours: float
    peer: float
    ratio: float


def paired(ours: Callable[[], object], peer: Callable[[], object], times: int = 7) -> Paired:
    """Each side once to warm up, then in turn: what else the machine does meets both."""
    ours(), peer()
    pairs = [(seconds(ours), seconds(peer)) for _ in range(times)]
    return Paired(
        statistics.median(mine for mine, _ in pairs),
        statistics.median(its for _, its in pairs),
        statistics.median(mine / its for mine, its in pairs),
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def command(arguments: Sequence[str | Path], folder: Path | None = None) -> Callable[[], object]:
    """A program as a user starts it; its output goes nowhere, and any exit code is fine."""
    return lambda: subprocess.run(
        list(map(str, arguments)), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
