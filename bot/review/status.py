"""The one line of the commit status."""

from __future__ import annotations

from bot.model.review import Review
from bot.review import words
from bot.review.escape import cut, visible

MAX_LENGTH = 140  # GitHub refuses a longer description


def status_line(review: Review) -> str:
    """The verdict, and the base it was judged against: a status for an old base must not look current."""
    base = f"{cut(visible(review.base_name), 40)}@{words.sha(review.base_sha)}" if review.base_sha else ""
    against = f" · against {base or cut(visible(review.base_name), 40)}" if base or review.base_name else ""
    headline = words.headline(review)
    return f"{cut(headline[:1].upper() + headline[1:], MAX_LENGTH - len(against))}{against}"
