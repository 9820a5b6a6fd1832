"""What only some readers look for: checks, what was left out, what became of earlier findings."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Check, CheckStatus
from bot.model.review import Ending, Review
from bot.review.engine import rendered
from bot.review.escape import Safe, ours, prose
from bot.review.links import Links
from bot.review.shed import Items, Name, Part

_MARKS = {CheckStatus.FAILED: "❌", CheckStatus.PASSED: "✅", CheckStatus.SKIPPED: "⏭"}


def checks(review: Review, links: Links) -> Iterator[Part]:
    if not review.checks and not review.inherited:
        return
    order = list(_MARKS)
    found = sorted(review.checks, key=lambda check: order.index(check.status))
    names = links.in_summary()
    lines = [
        rendered("check", check=each, detail=prose(links.listed(each.detail), names), mark=_MARKS[each.status])
        for each in found
    ]
    if review.inherited:
        lines.append(rendered("inherited", count=review.inherited))
    opening = rendered("checks", **_counts(review.checks))
    yield Items(Name.CHECKS, opening, tuple(lines), closing=rendered("fold_end"))


def _counts(found: tuple[Check, ...]) -> dict[str, int]:
    return {status.value: sum(check.status is status for check in found) for status in CheckStatus}


def excluded(review: Review, links: Links) -> Iterator[Part]:
    lines = [rendered("excluded", rule=rule, file=links.file(each.file), line=each) for rule, each in review.excluded]
    yield from _fold(Name.EXCLUDED, ours("Left out, as stated"), lines)


def ignored(review: Review, links: Links) -> Iterator[Part]:
    lines = [
        rendered("ignored", finding=each.finding, ignore=each.ignore, place=links.place(each.finding.at))
        for each in review.ignored
    ]
    yield from _fold(Name.IGNORED, ours("Ignored on request"), lines)


def resolved(review: Review, links: Links) -> Iterator[Part]:  # noqa: ARG001 - one signature for all parts
    lines = [
        rendered("resolved", known=each.known, excluded=each.ending is Ending.EXCLUDED) for each in review.resolved
    ]
    yield from _fold(Name.RESOLVED, ours("Resolved since the last round"), lines)


def not_rechecked(review: Review, links: Links) -> Iterator[Part]:  # noqa: ARG001 - one signature for all parts
    lines = [rendered("not_rechecked", known=each.known, why=each.why) for each in review.not_rechecked]
    yield from _fold(Name.NOT_RECHECKED, ours("Not re-checked this round"), lines)


def _fold(name: Name, heading: Safe, lines: list[Safe]) -> Iterator[Part]:
    if lines:
        opening = rendered("fold", heading=heading, count=len(lines))
        yield Items(name, opening, tuple(lines), closing=rendered("fold_end"))
