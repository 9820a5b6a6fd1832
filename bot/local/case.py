"""A case folder: one change, or the rounds of one pull request, as plain folders.

`base/` and `head/`, or `base/` and `round-1/head/`, `round-2/head/` …; beside a head, or in the case's own
folder, `pr.json` or `event.json` with the facts about the pull request. A `config.yaml` in it is not read:
the configuration is the one that stands in `base/`, or the one that `--config` names.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from bot.local.failure import WrongRequest

_ROUND = re.compile(r"round-([1-9]\d*)")
_FACTS = ("pr.json", "event.json")


class CaseRound(Struct, frozen=True):
    base: Path
    head: Path
    facts: Path | None


def rounds(case: Path) -> tuple[int, ...]:
    """The rounds there are, in order; (1,) for a case of one change."""
    if not case.is_dir():
        raise WrongRequest(f"there is no case folder {case}")
    found = {int(match[1]) for path in case.iterdir() if (match := _ROUND.fullmatch(path.name)) and path.is_dir()}
    if found:
        return tuple(sorted(found))
    if (case / "head").is_dir():
        return (1,)
    raise WrongRequest(f"{case} is no case: it has neither head/ nor round-1/")


def case_round(case: Path, number: int | None = None) -> CaseRound:
    """One round, by default the last. WrongRequest says what is missing."""
    there = rounds(case)
    if number is None:
        number = there[-1]
    if number not in there:
        raise WrongRequest(f"{case} has no round {number}; it has {', '.join(map(str, there))}")
    folder = case / f"round-{number}"
    if not folder.is_dir():
        folder = case
    for path in (case / "base", folder / "head"):
        if not path.is_dir():
            raise WrongRequest(f"the case has no folder {path}")
    places = [place / name for place in dict.fromkeys((folder, case)) for name in _FACTS]
    return CaseRound(case / "base", folder / "head", next((path for path in places if path.is_file()), None))
