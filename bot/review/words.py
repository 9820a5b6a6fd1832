"""Our own phrases that several pages say: the verdict, who asked, when."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.model.finding import Finding, Status
from bot.model.pull import Trigger
from bot.model.review import Activity, Review, Verdict
from bot.model.text import code, counted

STACK_FIRST = "its stack must be put right first"
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00)")

# What an event's action means to somebody who reads the activity table.
_ACTIONS: Mapping[str, str] = {
    "opened": "pull request opened",
    "reopened": "pull request reopened",
    "synchronize": "push",
    "ready_for_review": "marked ready for review",
    "converted_to_draft": "made a draft",
    "edited": "pull request edited",
    "closed": "pull request closed",
}
_EVENTS: Mapping[str, str] = {
    "issue_comment": "comment",
    "workflow_dispatch": "run by hand",
    "workflow_run": "workflow run",
    "merge_group": "merge queue",
    "stack": "change in its stack",
    "schedule": "scheduled sweep",
    "push": "push",
    "local": "local run",
}


def headline(review: Review) -> str:
    """The verdict in one line, without the tool's name."""
    blocking, follow_ups = len(review.blocking), len(review.follow_ups)
    parts = []
    if review.verdict is Verdict.INCOMPLETE:
        parts.append("could not see everything")
    elif review.verdict is Verdict.PASS:
        parts.append("looks good to merge")
    if blocking:
        parts.append(counted(blocking, "blocking finding"))
    if review.stack.blocks:
        parts.append(STACK_FIRST)
    if follow_ups:
        parts.append(counted(follow_ups, "optional follow-up"))
    if review.draft:
        parts.append("draft")
    return " · ".join(parts)


def unseen(review: Review) -> str:
    """How much was not seen, empty when all was."""
    parts = []
    if review.gaps:
        parts.append(f"{counted(len(review.gaps), 'part')} could not be read")
    if review.conflicts:
        parts.append(
            f"{counted(len(review.conflicts), 'file')} {'does' if len(review.conflicts) == 1 else 'do'} not merge with the live base"
        )
    if review.crashes:
        parts.append(f"{counted(len(review.crashes), 'rule run')} failed")
    return ", ".join(parts)


def outcome(row: Activity) -> str:
    """A round's result in two or three words."""
    if row.verdict is Verdict.INCOMPLETE:
        return "⚠️ incomplete"
    if row.verdict is Verdict.FAIL:
        return f"❌ {row.blocking} blocking" if row.blocking else "❌ blocked"
    return "✅ reviewed"


def when(at: str) -> str:
    """`2026-09-23T19:20:18Z` as `2026-09-23 19:20 UTC`; as it is, as code, where it is no such time."""
    found = _TIME.fullmatch(at)
    if found:
        return f"{found[1]} {found[2]} UTC"
    return code(at) if at else ""


def asked(trigger: Trigger) -> str:
    """Why a round ran and who asked for it, names between backticks."""
    if trigger.action == "review_requested":
        said = f"review requested of {code(trigger.requested)}" if trigger.requested else "review requested"
    else:
        said = _EVENTS.get(trigger.event) or _ACTIONS.get(trigger.action) or code(trigger.action or trigger.event)
    return f"{said} by {code(trigger.actor)}" if trigger.actor else said


def age(finding: Finding) -> str:
    return f"open since round {finding.since}" if finding.status is Status.OPEN else ""


def sha(text: str) -> str:
    return text[:7] if re.fullmatch(r"[0-9a-f]{12,64}", text) else text
