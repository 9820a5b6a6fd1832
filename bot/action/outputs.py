"""What a run leaves for the steps after it: outputs, a report, and the summary on the page of the run."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bot.action.log import say
from bot.intake.environment import Surroundings
from bot.model.review import Review
from bot.review.as_json import as_json
from bot.review.comment.page import step_summary

MAX_SUMMARY = 1_000_000  # bytes; over 1 MiB the runner drops all of it
# In the checkout, since that is the one folder that this container and the steps after it both know; not
# hidden, since uploads leave hidden files out.
REPORT = "compose-review-report.json"
# What `action.yml` must declare; a test of the packaging compares the two.
NAMES = ("verdict", "round", "findings", "blocking", "follow-ups", "report", "comment-url")


def leave(around: Surroundings, review: Review, comment_url: str = "") -> None:
    """All of it. Files that cannot be written are said, and cost no review."""
    append(around.summary, step_summary(review))
    write_outputs(around, outputs_of(review, comment_url, write_report(around.folder, review)))


def append(path: Path | None, text: str) -> None:
    """Add to a file of the runner, if there is one and it has room."""
    if path is None:
        return
    data = f"{text}\n".encode("utf-8", "replace")
    try:
        there = path.stat().st_size if path.exists() else 0
        if there + len(data) <= MAX_SUMMARY:
            with path.open("ab") as file:
                file.write(data)
    except OSError as error:
        say(f"The summary of the run cannot be written: {error.strerror}.")


def write_outputs(around: Surroundings, values: Mapping[str, str]) -> None:
    """`name<<random` for every value: nothing that a value holds can begin another output."""
    if around.output is None:
        return
    try:
        with around.output.open("a", encoding="utf-8", errors="replace") as file:
            for name, value in values.items():
                end = f"end-{secrets.token_hex(16)}"
                file.write(f"{name}<<{end}\n{value}\n{end}\n")
    except OSError as error:
        say(f"The outputs cannot be written: {error.strerror}.")


def write_report(folder: Path, review: Review) -> str:
    """The review as JSON; its path from the workspace, empty when it cannot be written.

    The workspace holds files of others: the report takes the place of what stands under its name, and is
    never written through a link that stands there.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f"{REPORT}.", dir=folder)
    except OSError as error:
        say(f"The report cannot be written: {error.strerror}.")
        return ""
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(as_json(review))
        os.chmod(name, 0o644)  # the steps after this one run as another user
        os.replace(name, folder / REPORT)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        say(f"The report cannot be written: {error.strerror}.")
        return ""
    return REPORT


def outputs_of(review: Review, comment_url: str, report: str) -> dict[str, str]:
    return {
        "verdict": review.verdict.value,
        "round": str(review.round),
        "findings": str(len(review.findings)),
        "blocking": str(len(review.blocking)),
        "follow-ups": str(len(review.follow_ups)),
        "report": report,
        "comment-url": comment_url,
    }
