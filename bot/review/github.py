"""Workflow commands that become annotations on the run and the diff.

Source of the escapes: actions/runner, `ActionCommand.cs` and `ActionCommandManager.cs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Finding, Level
from bot.model.review import Review, blocks
from bot.review import words
from bot.review.escape import PROSE_LIMIT, cut, plain, visible

PER_LEVEL = 10  # more than these GitHub does not show for one step

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def annotate(review: Review) -> str:
    """One command a line, then a line for people. What is over the limit is said as plain text."""
    return "".join(f"{line}\n" for line in _lines(review))


def _lines(review: Review) -> Iterator[str]:
    used = dict.fromkeys(_COMMANDS.values(), 0)
    unseen = list(_unseen(review))
    yield from unseen[:PER_LEVEL]
    used["error"] = len(unseen)
    left = max(0, len(unseen) - PER_LEVEL)
    for finding in review.findings:
        command = "error" if blocks(finding) else _COMMANDS[min(finding.level, Level.WARNING)]
        used[command] += 1
        if used[command] <= PER_LEVEL:
            yield _annotation(command, finding)
        else:
            left += 1
    if left:
        yield f"and {left} more, in the job summary"
    yield plain(f"Compose review: {words.headline(review)}")


def _unseen(review: Review) -> Iterator[str]:
    for gap in review.gaps:
        place = f" file={_property(gap.at.file)},line={gap.at.line}" if gap.at else ""
        yield f"::error{place}::{_data(f'Not looked at: {gap.what}: {gap.why}')}"
    for path in review.conflicts:
        yield f"::error file={_property(path)}::Does not merge with the live base: what would land is not known"
    for crash in review.crashes:
        yield f"::error::{_data(f'Rule {crash.rule} failed on {crash.subject}: {crash.error}')}"


def _annotation(command: str, finding: Finding) -> str:
    at = finding.at
    where = f"file={_property(at.file)},line={at.line},endLine={at.end_line}"
    title = f"{cut(visible(finding.title), 120)} ({finding.rule})"
    twins = f" (and {len(finding.twins)} more like it)" if finding.twins else ""
    return f"::{command} {where},title={_property(title)}::{_data(f'{finding.says}{twins} {finding.do}')}"


def _data(text: str) -> str:
    """The text of a command, on one line."""
    return _harmless(cut(visible(text), PROSE_LIMIT)).replace("%", "%25")


def _property(text: str) -> str:
    return _harmless(visible(text)).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")


def _harmless(text: str) -> str:
    """The old form of a command counts anywhere in a line."""
    return text.replace("##[", "# #[")
