"""The text of a comment on a line of the diff."""

from __future__ import annotations

from bot.model.finding import Finding
from bot.model.marker import line_marker
from bot.model.place import Place
from bot.model.remote import Inline
from bot.model.text import counted
from bot.review.engine import rendered
from bot.review.escape import block, hidden


def inline_of(finding: Finding, at: Place) -> Inline:
    """What, why, what to do; with a suggestion that GitHub can apply where one edit is right."""
    suggested = block(finding.suggestion, "suggestion") if finding.suggestion is not None and at == finding.at else None
    body = rendered("line", mark=hidden(line_marker(finding.fingerprint)), finding=finding, suggestion=suggested)
    line = at.end_line if at.end_line - at.line < MAX_LINES else at.line
    return Inline(at.file, at.line, line, body)


MAX_LINES = 30  # a longer range hides the code it speaks of


def inline_summary(count: int) -> str:
    return f"{counted(count, 'finding')} at {'its line' if count == 1 else 'their lines'}; the whole review is in its own comment."
