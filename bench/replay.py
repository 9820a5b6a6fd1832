"""Replays the review over the recorded history: noise over its pull requests, recall at its known defects.

python -m bench.replay            the table
python -m bench.replay --hits     every hit as a line, then the table
python -m bench.replay --defects  what the review says at each known defect, and how many it names
"""

from __future__ import annotations

import os
import sys
from typing import Any

from bench.history import History, history
from bot.model.finding import Finding
from bot.model.settings import Settings
from bot.replay.page import terminal
from bot.replay.pulls import PastPull
from bot.replay.run import examined, replay
from bot.replay.table import table_of


def noise(recorded: History, hits: bool) -> None:
    pulls = [PastPull(each["merge_base"], each["head"], each["number"], each["title"]) for each in recorded.pulls]
    results = replay(recorded.repository, pulls, jobs=os.cpu_count() or 1)
    print(terminal(results, table_of(results), hits), end="")


def defects(recorded: History) -> None:
    """Base is the pull request's own where it is recorded, else the commit's first parent."""
    bases = {pull["number"]: pull["merge_base"] for pull in recorded.pulls}
    named = 0
    for defect in recorded.defects:
        base = bases.get(defect["bad_pr"], f"{defect['bad']}^")
        result = examined(recorded.repository, PastPull(base, defect["bad"]), Settings())
        here = [each for each in result.findings.findings if _speaks_of(each, defect)]
        named += bool(here)
        print(f"{'+' if here else '-'} {defect['id']}: {defect['defect']}")
        for each in result.findings.findings:
            mark = "*" if each in here else " "
            print(f"    {mark} {each.level.word} {each.rule} {each.at}: {each.says[:200]}")
    print(
        f"\n{named} of {len(recorded.defects)} with a finding in the defect's file (read above whether it is the cause)"
    )


def _speaks_of(finding: Finding, defect: dict[str, Any]) -> bool:
    places = [finding.at, *(related.at for related in finding.related)]
    return any(place.file in defect["files"] for place in places)


def main() -> None:
    with history() as recorded:
        if "--defects" in sys.argv:
            defects(recorded)
        else:
            noise(recorded, "--hits" in sys.argv)


if __name__ == "__main__":
    main()
