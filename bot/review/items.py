"""One finding as an item of the comment."""

from __future__ import annotations

from bot.model.finding import Certainty, Finding, Status
from bot.model.place import Place
from bot.review.engine import rendered
from bot.review.escape import Safe, prose
from bot.review.links import Links

MAX_GROUPS = 4


def item(finding: Finding, number: int, links: Links) -> Safe:
    places = [finding.at, *finding.twins, *(each.at for each in finding.related)]
    known = links.in_findings(places)
    return rendered(
        "finding",
        number=number,
        finding=finding,
        likely=finding.certainty is Certainty.LIKELY,
        open=finding.status is Status.OPEN,
        says=prose(finding.says, known),
        where=_where(finding, links),
        do=prose(finding.do, known),
    )


def brief(finding: Finding, number: int, links: Links) -> Safe:
    return rendered("brief", number=number, finding=finding, place=links.place(finding.at))


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
