"""The review as Markdown: the comment, and the summary on the page of the run."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.marker import marker
from bot.model.review import Review
from bot.review.comment import ahead, bottom, findings, folds, top
from bot.review.escape import hidden
from bot.review.links import Links
from bot.review.shed import Name, Part, Whole, fitted

COMMENT_BYTES = 60_000  # GitHub takes 65,536; whether that counts bytes or characters is not documented
SUMMARY_BYTES = 1_000_000  # a job summary over 1 MiB is thrown away

# In the order of the page.
PARTS = (
    top.verdict,
    top.activity,
    top.changes,
    findings.findings,
    ahead.deployment,
    ahead.prerequisites,
    ahead.stack,
    folds.checks,
    folds.excluded,
    folds.ignored,
    folds.resolved,
    folds.not_rechecked,
    bottom.gaps,
    bottom.foot,
)


def markdown(review: Review, limit: int = COMMENT_BYTES) -> str:
    """The comment: the marker is its first line, the hidden state its last."""
    first = Whole(Name.MARKER, hidden(marker(review.number)))
    return fitted([first, *_body(review), bottom.state(review)], limit)


def step_summary(review: Review) -> str:
    """The same without marker and state, and with room for what the comment has to leave out."""
    return fitted(_body(review), SUMMARY_BYTES)


def _body(review: Review) -> Iterator[Part]:
    links = Links(review)
    for part in PARTS:
        yield from part(review, links)
