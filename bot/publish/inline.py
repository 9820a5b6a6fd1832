"""Which findings get a comment on a line of the diff, and which of our threads are settled. Pure."""

from __future__ import annotations

from msgspec import Struct

from bot.model.finding import Finding, Level
from bot.model.marker import line_marked
from bot.model.place import Place
from bot.model.remote import Remote
from bot.model.review import Review


class OnLine(Struct, frozen=True):
    finding: Finding
    at: Place


class Lines(Struct, frozen=True):
    comments: tuple[OnLine, ...]
    resolve: tuple[str, ...]  # ids of threads


def decide_inline(review: Review, remote: Remote, most: int) -> Lines:
    """At most so many new comments, only where the diff shows the line, and none where a thread stands already.

    A thread whose finding is gone is resolved, unless people talk in it.
    """
    here = {finding.fingerprint: finding for finding in review.findings}
    ours = {}
    for thread in remote.threads:
        mark = line_marked(thread.body)
        if mark is not None and remote.account.wrote(thread.author):
            ours[mark] = thread
    settled = tuple(
        thread.id for mark, thread in ours.items() if mark not in here and not thread.resolved and not thread.replies
    )
    shown = [
        OnLine(finding, at)
        for finding in review.findings
        if finding.level >= Level.WARNING and not finding.inherited and finding.fingerprint not in ours
        for at in (_visible(finding, review),)
        if at is not None
    ]
    return Lines(tuple(shown[:most]), settled)


def _visible(finding: Finding, review: Review) -> Place | None:
    """The first of the finding's places that the diff shows. GitHub refuses a whole review for one line outside."""
    lines = review.diff_lines
    for at in (finding.at, *finding.twins):
        shown = lines.get(at.file, ())
        if any(first <= at.line and at.end_line <= last for first, last in shown):
            return at
    return None
