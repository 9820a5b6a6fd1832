"""The findings: what blocks, what is optional, and what is context."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Certainty, Finding, Status
from bot.model.place import Place
from bot.model.review import Review
from bot.review.engine import rendered
from bot.review.escape import NOTHING, Safe, code, ours, prose, shortened
from bot.review.links import Links
from bot.review.shed import Items, Name, Part

MAX_GROUPS = 4


def findings(review: Review, links: Links) -> Iterator[Part]:
    """Numbered through, so that a person can speak of the third."""
    start = 1
    for name, found, heading, folded in (
        (Name.BLOCKING, review.blocking, ours("Blocking"), False),
        (Name.FOLLOW_UPS, review.follow_ups, ours("Optional follow-ups (non-blocking)"), False),
        (Name.NOTES, review.notes, ours("Notes"), True),
        (Name.OWED_ELSEWHERE, review.owed_elsewhere, ours("Owed by the pull request this one builds on"), True),
    ):
        if found:
            yield _listing(name, list(enumerate(found, start)), heading, folded, links)
        start += len(found)


def _listing(name: Name, found: list[tuple[int, Finding]], heading: Safe, folded: bool, links: Links) -> Items:
    return Items(
        name,
        rendered("fold" if folded else "heading", heading=heading, count=len(found)),
        items=tuple(item(finding, number, links) for number, finding in found),
        briefs=tuple(brief(each, number) for number, each in found) if name is Name.BLOCKING else (),
        closing=rendered("fold_end") if folded else NOTHING,
    )


def item(finding: Finding, number: int, links: Links) -> Safe:
    known = links.in_findings([finding.at, *finding.twins, *(each.at for each in finding.related)])
    return rendered(
        "finding",
        number=number,
        finding=finding,
        likely=finding.certainty is Certainty.LIKELY,
        open=finding.status is Status.OPEN,
        says=prose(shortened(finding.says), known),
        where=_where(finding, links),
        do=prose(finding.do, known),
    )


def brief(finding: Finding, number: int) -> Safe:
    """Its title, where there is no room for more: a link would take as much again."""
    return rendered("brief", number=number, finding=finding, place=code(str(finding.at)))


def _where(finding: Finding, links: Links) -> Safe:
    groups = related(finding)
    return rendered(
        "where",
        place=links.place(finding.at),
        twins=links.places(finding.twins) if finding.twins else None,
        count=len(finding.twins),
        related=[{"says": prose(says), "places": links.places(places)} for says, places in groups[:MAX_GROUPS]],
    )


def related(finding: Finding) -> list[tuple[str, list[Place]]]:
    """What else is worth a look, places of which the same is said together; the twins left out."""
    groups: dict[str, list[Place]] = {}
    for each in finding.related:
        if each.at not in finding.twins:
            groups.setdefault(each.says, []).append(each.at)
    return list(groups.items())
