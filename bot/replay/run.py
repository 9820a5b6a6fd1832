"""Reviews of past pull requests, one after the other or in several processes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bot.app import Examined, examine
from bot.intake.config import ConfigError, settings_file, settings_of
from bot.local.failure import LocalError, WrongRequest
from bot.local.source import read_local
from bot.model.finding import Crash, Finding, Gap
from bot.model.settings import Settings
from bot.replay.pulls import PastPull
from bot.rulebook import catalogue

AT_ONCE = 4  # pull requests that one process is handed at a time


class Replayed(Struct, frozen=True):
    """What a review of one past pull request says. One that could not be made is a gap."""

    pull: PastPull
    findings: tuple[Finding, ...] = ()
    gaps: tuple[Gap, ...] = ()
    crashes: tuple[Crash, ...] = ()
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        return not self.gaps and not self.crashes


def examined(repository: Path, pull: PastPull, settings: Settings | None = None) -> Examined:
    """The change as it would have landed, with the configuration of its base unless another one is given.

    Raises WrongRequest for a revision that is not there, LocalError and ConfigError as a review does.
    """
    reading = read_local(base=pull.base, head=pull.head, repo=repository)
    told = replace(reading.pull, number=pull.number, title=pull.title, body=pull.body)
    reading = replace(reading, pull=told)
    if settings is None:
        settings = settings_of(reading.base, {rule.id for rule in catalogue()})
    return examine(reading, settings)


def replayed(repository: Path, config: Path | None, pull: PastPull) -> Replayed:
    """One of them. Whatever keeps it from being reviewed is a gap of it, and the rest goes on."""
    begin = time.perf_counter()
    try:
        settings = settings_file(config, {rule.id for rule in catalogue()}) if config is not None else None
        found = examined(repository, pull, settings).findings
    except (WrongRequest, LocalError, ConfigError) as error:
        return Replayed(pull, gaps=(Gap("the pull request", str(error)),))
    return Replayed(pull, found.findings, found.gaps, found.crashes, time.perf_counter() - begin)


def replay(
    repository: Path, pulls: Sequence[PastPull], config: Path | None = None, jobs: int = 1
) -> tuple[Replayed, ...]:
    """All of them, in their order; how far it has come is said on standard error."""
    work = partial(replayed, repository, config)
    return tuple(_told(_in_turn(work, pulls, jobs), len(pulls)))


def _in_turn(work: Callable[[PastPull], Replayed], pulls: Sequence[PastPull], jobs: int) -> Iterator[Replayed]:
    if jobs <= 1:
        yield from map(work, pulls)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, pulls, chunksize=AT_ONCE)


def _told(results: Iterator[Replayed], count: int) -> Iterator[Replayed]:
    live = sys.stderr.isatty()
    for index, each in enumerate(results, start=1):
        if live or index % 20 == 0 or index == count:
            sys.stderr.write(f"{chr(13) if live else ''}reviewed {index} of {count}{'' if live else chr(10)}")
            sys.stderr.flush()
        yield each
    if live:
        sys.stderr.write("\n")
