"""The top of the comment: verdict, activity table, what changes."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Gap
from bot.model.review import ResourceLine, Review, ServiceLine
from bot.review import words
from bot.review.engine import rendered
from bot.review.escape import Safe, code, joined, ours, prose
from bot.review.links import Links
from bot.review.shed import Items, Name, Part, Whole


def verdict(review: Review, links: Links) -> Iterator[Part]:
    first = _first_gap(review.gaps[0], links) if review.gaps else None
    unseen = words.unseen(review)
    yield Whole(Name.VERDICT, rendered("verdict", headline=words.headline(review), unseen=unseen, first=first))


def _first_gap(gap: Gap, links: Links) -> Safe:
    place = [links.place(gap.at)] if gap.at else []
    return joined(" ", [ours("First,"), prose(gap.what), *place, ours("·"), prose(gap.why)])


def activity(review: Review, links: Links) -> Iterator[Part]:
    rows = [
        {
            "number": row.round,
            "outcome": words.outcome(row),
            "when": words.when(row.at),
            "commit": links.commit(row.commit),
            "base": row.base,
            "asked": words.asked(row.trigger),
        }
        for row in review.activity
    ]
    if rows:
        yield Whole(Name.ACTIVITY, rendered("activity", rows=rows), (rendered("activity", rows=rows[-1:]), Safe("")))


def changes(review: Review, links: Links) -> Iterator[Part]:
    summary = review.summary
    if not summary.text:
        return
    text = prose(summary.text, links.in_summary())
    statements = [line for line in summary.statements if not line.told]
    short = rendered("changes", text=text, statements=[])
    yield Whole(Name.CHANGES, rendered("changes", text=text, statements=statements), (short, Safe("")))
    if not summary.all_told:
        yield _every_change(review, links)


def _every_change(review: Review, links: Links) -> Items:
    services, resources = review.summary.services, review.summary.resources
    lines = [*(_service(line, links) for line in services), *(_resource(line, links) for line in resources)]
    opening = rendered("every_change", count=len(lines))
    return Items(Name.EVERY_CHANGE, opening, tuple(lines), closing=rendered("fold_end"))


def _service(line: ServiceLine, links: Links) -> Safe:
    detail = joined(", ", [code(each) for each in line.detail[:8]])
    return rendered("service", line=line, file=links.file(line.file), detail=detail)


def _resource(line: ResourceLine, links: Links) -> Safe:
    return rendered("resource", line=line, file=links.file(line.file))
