"""The bottom of the comment: what was not seen, the foot, and the state for the next round."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.review import Review
from bot.review import words
from bot.review.engine import rendered
from bot.review.escape import hidden, ours
from bot.review.links import Links
from bot.review.shed import Items, Name, Part, Whole
from bot.rounds.memory import fewer, remembered, without_texts
from bot.rounds.state import written
from bot.version import VERSION

STATE_BYTES = 16_000
KNOWN_AT_LEAST = 100  # findings that even the shortest state remembers


def gaps(review: Review, links: Links) -> Iterator[Part]:
    lines = [
        *(rendered("gap", gap=each, place=links.place(each.at) if each.at else None) for each in review.gaps),
        *(rendered("conflict", file=file) for file in review.conflicts),
        *(rendered("crash", crash=each) for each in review.crashes),
    ]
    if lines:
        yield Items(Name.GAPS, rendered("heading", heading=ours("Not looked at")), tuple(lines))


def foot(review: Review, links: Links) -> Iterator[Part]:  # noqa: ARG001 - one signature for all parts
    text = rendered(
        "foot",
        note=review.note,
        version=VERSION,
        base=review.base_name,
        base_sha=words.sha(review.base_sha),
        asks=review.number is not None,
    )
    yield Whole(Name.FOOT, text)


def state(review: Review) -> Part:
    memory = remembered(review)
    forms = [hidden(written(each)) for each in (memory, without_texts(memory), fewer(memory, KNOWN_AT_LEAST))]
    usual = next((form for form in forms if len(form) <= STATE_BYTES), forms[-1])
    shorter = tuple(form for form in forms if len(form) < len(usual))
    return Whole(Name.STATE, usual, shorter)
