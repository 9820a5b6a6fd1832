"""What a run leaves for the steps after it: outputs, and the summary on the page of the run."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from bot.intake.environment import Surroundings
from bot.model.review import Review
from bot.review.comment.page import step_summary

MAX_SUMMARY = 1_000_000  # bytes; over 1 MiB the runner drops all of it


def write_summary(around: Surroundings, review: Review) -> None:
    append(around.summary, step_summary(review))


def append(path: Path | None, text: str) -> None:
    """Add to a file of the runner, if there is one and it has room."""
    if path is None:
        return
    data = f"{text}\n".encode("utf-8", "replace")
    there = path.stat().st_size if path.exists() else 0
    if there + len(data) <= MAX_SUMMARY:
        with path.open("ab") as file:
            file.write(data)


def write_outputs(around: Surroundings, values: Mapping[str, str]) -> None:
    """`name<<random` for every value: nothing that a value holds can begin another output."""
    if around.output is None:
        return
    with around.output.open("a", encoding="utf-8", errors="replace") as file:
        for name, value in values.items():
            end = f"end-{secrets.token_hex(16)}"
            file.write(f"{name}<<{end}\n{value}\n{end}\n")


def outputs_of(review: Review, comment_url: str) -> dict[str, str]:
    return {
        "verdict": review.verdict.value,
        "round": str(review.round),
        "blocking": str(len(review.blocking)),
        "follow-ups": str(len(review.follow_ups)),
        "comment-url": comment_url,
    }
