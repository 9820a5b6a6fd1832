"""Replays the review over recorded pull requests: rules x hits x pull requests, and every hit to read.

python -m bench.replay            the table
python -m bench.replay --hits     every hit as a line, then the table
python -m bench.replay --defects  what the review says at each known defect, and how many it names
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.history import History, history
from bot.app import Examined, examine
from bot.local.source import read_local
from bot.model.finding import Level
from bot.model.settings import Settings


def examined(repository: Path, base: str, head: str, number: int | None = None, title: str = "") -> Examined:
    reading = read_local(base=base, head=head, repo=repository)
    reading = replace(reading, pull=replace(reading.pull, number=number, title=title, body=""))
    return examine(reading, Settings())


def replay(recorded: History, show: bool) -> None:
    hits: Counter[tuple[str, str]] = Counter()
    pulls: dict[tuple[str, str], set[int]] = defaultdict(set)
    loud, seconds, gaps, crashes = [], [], 0, 0
    for pull in recorded.pulls:
        start = time.perf_counter()
        result = examined(recorded.repository, pull["merge_base"], pull["head"], pull["number"], pull["title"])
        seconds.append(time.perf_counter() - start)
        found = result.findings
        gaps, crashes = gaps + len(found.gaps), crashes + len(found.crashes)
        loud.append(sum(each.level >= Level.WARNING for each in found.findings))
        for each in found.findings:
            hits[each.rule, each.level.word] += 1
            pulls[each.rule, each.level.word].add(pull["number"])
            if show:
                print(
                    f"#{pull['number']} {pull['title'][:60]}\n    {each.level.word} {each.rule} {each.at}\n    {each.says}"
                )
        for crash in found.crashes:
            print(f"#{pull['number']} CRASH {crash.rule}: {crash.error}")
        for gap in found.gaps:
            print(f"#{pull['number']} GAP {gap.what}: {gap.why}")
    print(f"\n{'rule':<28} {'level':<8} {'hits':>5} {'pulls':>6} {'share':>6}")
    for (rule, level), count in sorted(hits.items()):
        share = len(pulls[rule, level]) / len(recorded.pulls)
        print(f"{rule:<28} {level:<8} {count:>5} {len(pulls[rule, level]):>6} {share:>6.0%}")
    ninth = statistics.quantiles(loud, n=10)[-1]
    print(
        f"\n{len(recorded.pulls)} pull requests; warnings and errors: median {statistics.median(loud)}, 90th percentile {ninth:.0f}"
    )
    print(
        f"gaps {gaps}, crashes {crashes}; seconds each: median {statistics.median(seconds):.2f}, most {max(seconds):.2f}"
    )


def defects(recorded: History) -> None:
    """Base is the pull request's own where it is recorded, else the commit's first parent."""
    bases = {pull["number"]: pull["merge_base"] for pull in recorded.pulls}
    named = 0
    for defect in recorded.defects:
        base = bases.get(defect["bad_pr"], f"{defect['bad']}^")
        result = examined(recorded.repository, base, defect["bad"])
        here = [each for each in result.findings.findings if _speaks_of(each, defect)]
        named += bool(here)
        print(f"{'+' if here else '-'} {defect['id']}: {defect['defect']}")
        for each in result.findings.findings:
            mark = "*" if each in here else " "
            print(f"    {mark} {each.level.word} {each.rule} {each.at}: {each.says[:200]}")
    print(
        f"\n{named} of {len(recorded.defects)} with a finding in the defect's file (read above whether it is the cause)"
    )


def _speaks_of(finding: Any, defect: dict[str, Any]) -> bool:
    places = [finding.at, *(related.at for related in finding.related)]
    return any(place.file in defect["files"] for place in places)


def main() -> None:
    with history() as recorded:
        if "--defects" in sys.argv:
            defects(recorded)
        else:
            replay(recorded, "--hits" in sys.argv)


if __name__ == "__main__":
    main()
