"""The top of the comment: verdict, activity table, what changes."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import FileStatus
from bot.model.review import ResourceLine, Review, ServiceLine
from bot.model.text import codes
from bot.review import words
from bot.review.engine import rendered
from bot.review.escape import NOTHING, Safe, code, joined, prose
from bot.review.links import Links
from bot.review.shed import Items, Name, Part, Whole

MAX_SERVICES = 8
MAX_STATEMENTS = 3  # that hold, before they are folded


def verdict(review: Review, links: Links) -> Iterator[Part]:
    gap = review.gaps[0] if review.gaps else None
    text = rendered(
        "verdict",
        headline=words.headline(review),
        unseen=words.unseen(review),
        gap=gap,
        place=links.place(gap.at) if gap and gap.at else None,
    )
    yield Whole(Name.VERDICT, text)


def activity(review: Review, links: Links) -> Iterator[Part]:
    rows = [
        {
            "number": row.round,
            "outcome": words.outcome(row),
            "when": words.when(row.at),
            "commit": links.commit(row.commit) if row.commit else None,
            "base": row.base,
            "asked": words.asked(row.trigger),
        }
        for row in review.activity
    ]
    if rows:
        yield Whole(Name.ACTIVITY, rendered("activity", rows=rows), (rendered("activity", rows=rows[-1:]), NOTHING))


def answer(review: Review, links: Links) -> Iterator[Part]:  # noqa: ARG001 - one signature for all parts
    found = review.answer
    if found is not None:
        paragraphs = [prose(part) for part in found.text.split("\n\n")]
        text = rendered("answer", asked=found.asked, by=found.by, text=joined("\n\n", paragraphs))
        yield Whole(Name.ANSWER, text, (NOTHING,))


def changes(review: Review, links: Links) -> Iterator[Part]:
    summary = review.summary
    if not summary.text:
        return
    text = prose(summary.text, links.in_summary())
    statements = [line for line in summary.statements if not line.told]
    # What the files do not bear out is read first; a long row of statements that hold is there for who wants it.
    statements.sort(key=lambda line: line.holds)
    holding = [line for line in statements if line.holds]
    folded = holding if len(holding) > MAX_STATEMENTS else []
    shown = [line for line in statements if line not in folded]
    short = rendered("changes", text=text, statements=[], folded=[])
    yield Whole(Name.CHANGES, rendered("changes", text=text, statements=shown, folded=folded), (short, NOTHING))
    if not summary.all_told:
        yield _every_change(review, links)


def _every_change(review: Review, links: Links) -> Items:
    summary = review.summary
    whole = {file.path for file in summary.files if file.status in (FileStatus.ADDED, FileStatus.DELETED)}
    lines = [
        *(_file(path, [line for line in summary.services if line.file == path], links) for path in sorted(whole)),
        *(_service(line, links) for line in summary.services if line.file not in whole),
        *(_resource(line, links) for line in summary.resources),
    ]
    lines = [line for line in lines if line]
    opening = rendered("every_change", count=len(lines))
    return Items(Name.EVERY_CHANGE, opening, tuple(lines), closing=rendered("fold_end"))


def _file(path: str, services: list[ServiceLine], links: Links) -> Safe:
    """A file that comes or goes with all its services."""
    if not services:
        return NOTHING
    names = prose(codes([line.service for line in services], MAX_SERVICES))
    return rendered("whole_file", file=links.file(path), change=services[0].change, count=len(services), names=names)


def _service(line: ServiceLine, links: Links) -> Safe:
    detail = joined(", ", [code(each) for each in line.detail[:8]])
    return rendered("service", line=line, file=links.file(line.file), detail=detail)


def _resource(line: ResourceLine, links: Links) -> Safe:
    return rendered("resource", line=line, file=links.file(line.file))
