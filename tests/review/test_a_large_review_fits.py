"""A comment never grows over what GitHub takes, and never loses what matters most."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.model.finding import Check, CheckStatus, Finding, Findings, Gap, Level
from bot.review.comment.page import COMMENT_BYTES, SUMMARY_BYTES, markdown, step_summary
from bot.rounds.state import recalled
from tests.review.factory import PULL, change, finding, review
from tests.review.markup import assert_inert, assert_whole
from tests.review.stories import first_round_findings, prefetch, twins_are_one_item

CASES = Path(os.environ.get("COMPOSE_REVIEW_CASES", Path(__file__).parents[3] / "shared" / "cases"))
REPORT = CASES / "reports" / "bot-03-comment-too-long" / "findings.json"

WORDY = "lorem `code` 🚀 " * 14


def many(count: int, level: Level = Level.WARNING) -> tuple[Finding, ...]:
    return tuple(
        finding(
            level=level,
            where=f"prod/file-{number % 40}.yaml:{number + 1}",
            title=f"Finding {number} 🚨 with | and ``` in it",
            says=WORDY,
            about=(str(number), level.word),
        )
        for number in range(count)
    )


def test_a_usual_review_loses_nothing() -> None:
    page = markdown(twins_are_one_item())
    assert len(page.encode()) < 15_000
    assert "job summary" not in page


def test_four_hundred_findings_keep_what_blocks() -> None:
    found = Findings(
        findings=(*many(2, Level.ERROR), *many(398)), checks=(Check("a check", CheckStatus.PASSED, "x" * 900),)
    )
    page = markdown(review(change(), found))
    assert len(page.encode()) <= COMMENT_BYTES
    assert_whole(page)
    assert_inert(page)
    assert "### Compose review: 2 blocking findings · 398 optional follow-ups" in page
    assert page.count(WORDY.strip()) > 50
    shown = page.count("→ Accept it knowingly.")
    assert f"and {400 - shown} more (see the job summary)" in page


@pytest.mark.skipif(not REPORT.exists(), reason=f"no case at {REPORT}")
def test_the_reported_comment_that_was_too_long() -> None:
    data = json.loads(REPORT.read_text())
    level = {"high": Level.ERROR, "low": Level.WARNING}
    found = tuple(
        finding(
            f"rule-{each['severity']}",
            level[each["severity"]],
            f"{each['file']}:{each['line']}",
            title=f"{each['id']} {each['title']}",
            says=each["detail"],
            about=(each["id"],),
        )
        for each in data
    )
    whole = review(change(), Findings(findings=found))
    page = markdown(whole)
    assert len(page) <= 65_536
    assert "F180" in page
    assert "F395" in page
    assert_whole(page)
    assert_inert(page)
    summary = step_summary(whole)
    assert all(each["id"] in summary for each in data)


def test_blocking_findings_lose_their_text_before_their_title() -> None:
    found = Findings(findings=many(250, Level.ERROR), gaps=(Gap("`x.yaml`", "is too large"),))
    page = markdown(review(change(), found))
    assert len(page.encode()) <= COMMENT_BYTES
    assert all(f"Finding {number} " in page for number in range(250))
    assert "is too large" in page
    assert_whole(page)


def test_even_titles_that_cannot_fit_are_counted() -> None:
    page = markdown(review(change(), Findings(findings=many(3_000, Level.ERROR))))
    assert len(page.encode()) <= COMMENT_BYTES
    assert "3000 blocking findings" in page
    assert "more (see the job summary)" in page
    assert_whole(page)


def test_the_job_summary_has_a_limit_too() -> None:
    page = step_summary(review(change(), Findings(findings=many(4_000))))
    assert len(page.encode()) <= SUMMARY_BYTES


def test_the_same_review_is_cut_the_same_way() -> None:
    found = Findings(findings=many(400))
    assert markdown(review(change(), found)) == markdown(review(change(), found))


@settings(max_examples=60, deadline=None)
@given(st.integers(9_000, 40_000), st.integers(0, 6), st.integers(0, 30), st.integers(0, 30))
def test_whatever_the_room_the_page_stays_whole(limit: int, errors: int, warnings: int, notes: int) -> None:
    found = first_round_findings()
    findings = (*many(errors, Level.ERROR), *many(warnings), *many(notes, Level.NOTE))
    page = markdown(
        review(prefetch(PULL), replace(found, findings=findings, gaps=(Gap("`x.yaml`", "is too large"),))), limit
    )
    assert_whole(page)
    assert_inert(page)
    assert "could not see everything" in page
    assert "is too large" in page
    if not errors:
        assert len(page.encode()) <= limit


def test_what_had_to_go_from_the_comment_is_still_remembered() -> None:
    found = many(400)
    page = markdown(review(change(), Findings(findings=found)))
    memory, why = recalled(page, 12)
    assert memory is not None, why
    assert len(memory.open) >= 100
    assert {each.fingerprint for each in memory.open} <= {each.fingerprint for each in found}
