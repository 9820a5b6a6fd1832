"""What many reviews say together: rules by hits and by pull requests, and how loud a usual one is."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from bot.model.finding import Level
from bot.replay.run import Replayed


class Row(Struct, frozen=True):
    """A rule at one level: its findings, in how many pull requests, and the share of these (0 to 1)."""

    rule: str
    level: Level
    hits: int
    pulls: int
    share: float


class Table(Struct, frozen=True):
    """`loud` and `loudest` count warnings and errors of one pull request: the median and the 90th percentile."""

    rows: tuple[Row, ...]
    pulls: int
    loud: float
    loudest: int
    blocked: int  # pull requests with an error
    gaps: int
    crashes: int
    seconds: float  # the median of one review


def table_of(results: Sequence[Replayed]) -> Table:
    """Findings that base had already are left out: they are not about the pull request."""
    hits: Counter[tuple[str, Level]] = Counter()
    pulls: dict[tuple[str, Level], set[int]] = defaultdict(set)
    loud, blocked = [], 0
    for index, each in enumerate(results):
        new = [finding for finding in each.findings if not finding.inherited]
        for finding in new:
            hits[finding.rule, finding.level] += 1
            pulls[finding.rule, finding.level].add(index)
        loud.append(sum(finding.level >= Level.WARNING for finding in new))
        blocked += any(finding.level >= Level.ERROR for finding in new)
    count = len(results)
    rows = (
        Row(rule, level, hits[rule, level], len(pulls[rule, level]), len(pulls[rule, level]) / count)
        for rule, level in sorted(hits, key=lambda key: (-key[1], -hits[key], key[0]))
    )
    return Table(
        rows=tuple(rows),
        pulls=count,
        loud=median(loud) if loud else 0.0,
        loudest=sorted(loud)[math.ceil(0.9 * count) - 1] if loud else 0,
        blocked=blocked,
        gaps=sum(len(each.gaps) for each in results),
        crashes=sum(len(each.crashes) for each in results),
        seconds=median(each.seconds for each in results) if results else 0.0,
    )
