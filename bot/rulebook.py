"""Declare, find and run rules; subtract what base already had; show crashes."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from msgspec import Struct

from bot.model.change import Change, Move
from bot.model.finding import (
    Check,
    CheckStatus,
    Crash,
    Excluded,
    Failed,
    Finding,
    Findings,
    Found,
    Level,
    Outcome,
    Passed,
    Related,
    Skipped,
)
from bot.model.project import Project

S = TypeVar("S", Project, Move, Change)


class Rule(Struct, frozen=True):
    """One rule of the catalogue. `id` is its file's name, `page` its docstring."""

    id: str
    page: str
    subject: type
    level: Level
    apart: bool
    check: Callable[[Any], Iterable[Outcome]]

    @property
    def title(self) -> str:
        return self.page.strip().split("\n", 1)[0].rstrip(".")


class _Hit(Struct, frozen=True):
    """A `Found` with the rule that made it and the path its subject had in base."""

    rule: Rule
    home: str
    found: Found


class _Declared:
    def __init__(self, subject: type, level: Level, apart: bool) -> None:
        self.subject, self.level, self.apart = subject, level, apart


def rule(
    subject: type[S], *, level: Level, apart: bool = False
) -> Callable[[Callable[[S], Iterable[Outcome]]], Callable[[S], Iterable[Outcome]]]:
    """Declare the one `check` function of a rule module.

    It is called with each `Project` or `Move` that the change touches, or once with the `Change`. What a
    `Project` rule finds in base too is inherited and not shown; the other two judge the difference
    themselves. Findings with the same `about` are one finding with its places, unless `apart`.
    """

    def declare(check: Callable[[S], Iterable[Outcome]]) -> Callable[[S], Iterable[Outcome]]:
        check.declared = _Declared(subject, level, apart)  # type: ignore[attr-defined]
        return check

    return declare


@cache
def catalogue() -> tuple[Rule, ...]:
    """Every rule, by id."""
    package = import_module("rules")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(_load(name) for name in names if not name.startswith("_"))


def _load(name: str) -> Rule:
    module = import_module(f"rules.{name}")
    declared: _Declared = module.check.declared
    return Rule(
        id=name.replace("_", "-"),
        page=module.__doc__ or "",
        subject=declared.subject,
        level=declared.level,
        apart=declared.apart,
        check=module.check,
    )


def run(change: Change, rules: Iterable[Rule] | None = None) -> Findings:
    """Everything the rules say about a change, in the order a reader needs it."""
    hits: list[_Hit] = []
    excluded: list[tuple[str, Excluded]] = []
    checks: list[Check] = []
    crashes: list[Crash] = []
    inherited = 0
    for each in catalogue() if rules is None else rules:
        if each.id in change.settings.levels and change.settings.levels[each.id] is None:
            continue
        for home, name, subject, before in _subjects(each, change):
            outcomes, crash = _ask(each, name, subject)
            # Base is asked only where there is something to compare with it.
            asked = before if any(isinstance(outcome, Found) for outcome in outcomes) else None
            known = {found.about for found in _ask(each, name, asked)[0] if isinstance(found, Found)}
            crashes.extend(crash)
            for outcome in outcomes:
                if isinstance(outcome, Excluded):
                    excluded.append((each.id, outcome))
                elif isinstance(outcome, Passed):
                    checks.append(Check(outcome.name, CheckStatus.PASSED, outcome.detail))
                elif isinstance(outcome, Failed):
                    checks.append(Check(outcome.name, CheckStatus.FAILED, outcome.detail))
                elif isinstance(outcome, Skipped):
                    checks.append(Check(outcome.name, CheckStatus.SKIPPED, why=outcome.why))
                elif outcome.about in known:
                    inherited += 1
                elif (stated := _left_out(change, each, outcome)) is not None:
                    excluded.append((each.id, stated))
                else:
                    hits.append(_Hit(each, home, outcome))
    return Findings(
        findings=tuple(sorted(_grouped(hits, change), key=lambda found: _order(found, change))),
        excluded=tuple(dict.fromkeys(excluded)),
        checks=_merged(checks),
        crashes=tuple(crashes),
        inherited=inherited,
    )


def _subjects(each: Rule, change: Change) -> Iterator[tuple[str, str, object, object]]:
    """What to call a rule with: its home path, its name for people, head's subject and base's."""
    if each.subject is Change:
        yield "", "the change", change, None
        return
    for move in change.moves:
        if each.subject is Move:
            yield move.home, move.path, move, None
        elif move.head is not None:
            yield move.home, move.path, move.head, move.base


def _ask(each: Rule, name: str, subject: object) -> tuple[list[Outcome], list[Crash]]:
    if subject is None:
        return [], []
    try:
        return list(each.check(subject)), []
    except Exception as error:  # noqa: BLE001 - the machine's one broad except: a rule's bug must not take the review down
        return [], [Crash(each.id, name, f"{type(error).__name__}: {error}")]


def _left_out(change: Change, each: Rule, found: Found) -> Excluded | None:
    for exclusion in change.settings.exclusions:
        if exclusion.covers(found.at.file, each.id):
            return Excluded(found.at.file, "configuration", exclusion.because)
    return None


def _grouped(hits: list[_Hit], change: Change) -> Iterator[Finding]:
    groups: dict[tuple[str, ...], list[_Hit]] = {}
    for hit in hits:
        about = (hit.home or change.home(hit.found.at.file), *hit.found.about) if hit.rule.apart else hit.found.about
        groups.setdefault((hit.rule.id, *about), []).append(hit)
    for key, members in groups.items():
        members.sort(key=lambda hit: _place_order(hit.found.at.file, hit.found.at.line, change))
        first, *twins = members
        related: dict[Related, None] = dict.fromkeys(first.found.related)
        for twin in twins:
            related[Related(twin.found.at, "the same here")] = None
            related.update(dict.fromkeys(twin.found.related))
        found = first.found
        level = max(_level(change, hit) for hit in members)
        yield Finding(
            rule=first.rule.id,
            level=level,
            certainty=found.certainty,
            at=found.at,
            service=found.service if all(hit.found.service == found.service for hit in members) else None,
            title=found.title or first.rule.title,
            says=found.says,
            do=found.do,
            related=tuple(each for each in _by_place(related) if each.at != found.at),
            about=key[1:],
            twins=tuple(dict.fromkeys(twin.found.at for twin in twins)),
            suggestion=_suggestion(change, found),
        )


def _suggestion(change: Change, found: Found) -> str | None:
    """The finding's line with one text in place of another; None unless it stands there exactly once."""
    file = change.head.files.get(found.at.file)
    if found.swap is None or file is None or found.at.line > len(file.lines):
        return None
    line, (old, new) = file.lines[found.at.line - 1], found.swap
    return line.replace(old, new) if line.count(old) == 1 else None


def _by_place(related: Iterable[Related]) -> Iterator[Related]:
    """Each place once, with the first thing said of it."""
    seen: dict[object, Related] = {}
    for each in related:
        seen.setdefault(each.at, each)
    yield from seen.values()


def _level(change: Change, hit: _Hit) -> Level:
    asked = change.settings.levels.get(hit.rule.id)
    if asked is not None:
        return asked
    return hit.found.level if hit.found.level is not None else hit.rule.level


def _order(found: Finding, change: Change) -> tuple[object, ...]:
    return (
        -found.level,
        found.certainty != "sure",
        *_place_order(found.at.file, found.at.line, change),
        found.rule,
    )


def _place_order(path: str, line: int, change: Change) -> tuple[bool, str, int]:
    """Compose files before documents; `pack.yaml` before `pack-canary.yaml`."""
    return (path not in change.head.files, re.sub(r"\.[^./]+$", "", path), line)


def _merged(checks: list[Check]) -> tuple[Check, ...]:
    """One line per check and status, with what it covered."""
    groups: dict[tuple[str, CheckStatus, str | None], list[str]] = {}
    for check in checks:
        details = groups.setdefault((check.name, check.status, check.why), [])
        if check.detail and check.detail not in details:
            details.append(check.detail)
    return tuple(Check(name, status, ", ".join(details), why) for (name, status, why), details in groups.items())


__all__ = ["Rule", "catalogue", "rule", "run"]
