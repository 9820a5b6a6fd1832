"""Workflow commands, the summary on the page of the run, and the line of the commit status."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.finding import Findings, Gap, Level
from bot.review.comment.page import step_summary
from bot.review.github import annotate
from bot.review.status import status_line
from tests.review.factory import PULL, change, finding, review
from tests.review.stories import (
    a_clean_change_is_short,
    a_stack_that_must_be_put_right_fails,
    everywhere,
    twins_are_one_item,
    what_blocks_comes_first,
    what_was_not_seen_is_said_loudly,
)


def test_a_clean_review_annotates_nothing() -> None:
    assert annotate(a_clean_change_is_short()) == "Compose review: looks good to merge\n"


def test_levels_become_commands_with_their_place() -> None:
    lines = annotate(what_blocks_comes_first()).split("\n")
    assert [line.split(" ")[0] for line in lines[:4]] == ["::error", "::warning", "::warning", "::notice"]
    assert lines[0].startswith(
        "::error file=prod/meadow-2-mini-sgl-tp4.yaml,line=340,endLine=340,title=An engine reads"
    )


def test_properties_and_data_are_escaped_as_the_runner_reads_them() -> None:
    odd = finding(
        where="prod/a,b:c%.yaml:3", title="one, two: 100%", says="50% of it,\nor ::error::more ##[error]x", do="Look."
    )
    (line, _, _) = annotate(review(change(), Findings(findings=(odd,)))).split("\n")
    assert line == (
        "::warning file=prod/a%2Cb%3Ac%25.yaml,line=3,endLine=3,title=one%2C two%3A 100%25 (cold-start-coupling)"
        "::50%25 of it, or ::error::more # #[error]x Look."
    )


def test_what_a_step_has_no_room_for_is_counted() -> None:
    many = tuple(finding(where=f"prod/a.yaml:{number}") for number in range(1, 31))
    out = annotate(review(change(), Findings(findings=many)))
    assert out.count("::warning ") == 10
    assert "and 20 more, in the job summary" in out


def test_what_was_not_seen_is_an_error() -> None:
    out = annotate(what_was_not_seen_is_said_loudly())
    assert out.count("::error") == 4
    assert "::error file=prod/odd.yaml,line=7::Not looked at: " in out


def test_what_the_parent_owes_is_no_error() -> None:
    owed = finding(level=Level.ERROR, inherited=True)
    assert annotate(review(change(), Findings(findings=(owed,)))).startswith("::warning ")


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (a_clean_change_is_short, "Looks good to merge · against main@0a1b2c3"),
        (twins_are_one_item, "Looks good to merge · 2 optional follow-ups · against main@0a1b2c3"),
        (what_blocks_comes_first, "1 blocking finding · 2 optional follow-ups · against main@0a1b2c3"),
        (what_was_not_seen_is_said_loudly, "Could not see everything · 1 optional follow-up · against main@0a1b2c3"),
        (a_stack_that_must_be_put_right_fails, "Its stack must be put right first · against main@0a1b2c3"),
    ],
)
def test_the_status_names_verdict_and_base(made, line: str) -> None:  # type: ignore[no-untyped-def]
    assert status_line(made()) == line


def test_a_status_is_never_refused_for_its_length() -> None:
    long = review(change(pull=replace(PULL, base_ref="x" * 300, draft=True)), Findings(gaps=(Gap("x", "y"),)))
    assert len(status_line(long)) <= 140
    assert status_line(long).endswith("…@0a1b2c3")
    assert len(status_line(everywhere("x" * 300))) <= 140


def test_the_summary_of_the_run_holds_the_review_without_marker_and_state() -> None:
    page = step_summary(twins_are_one_item())
    assert page.startswith("### Compose review: looks good to merge")
    assert "<!--" not in page
