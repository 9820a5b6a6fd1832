"""What becomes of findings from one round to the next."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.model.finding import Crash, Excluded, Finding, Findings, Gap, Level, Status
from bot.model.place import Place
from bot.model.pull import Pull, Trigger
from bot.model.review import Ending, IgnoreRequest, Round, Verdict, verdict_of
from bot.review.comment.page import markdown
from bot.rounds.advance import advance
from tests.review.factory import PULL, change, finding, review

FIRST = PULL
SECOND = replace(
    PULL, head_sha="c" * 40, trigger=Trigger("pull_request", "synchronize", "dana", "", "2026-03-03T08:00:00Z")
)

ONE = finding(about=("one",), title="The first")
TWO = finding("overstated-claim", about=("two",), title="The second", where="README.md:3")


def said(*findings: Finding, pull: Pull = FIRST, **more: object) -> str:
    """The comment that a run with these findings leaves."""
    return markdown(review(change(pull=pull), Findings(findings=findings, **more)))  # type: ignore[arg-type]


def ran(pull: Pull, previous: str | None, *findings: Finding, **more: object) -> Round:
    found = Findings(findings=findings, **more)  # type: ignore[arg-type]
    return advance(replace(pull, previous=previous), found, verdict_of(found))


def titles(round_: Round) -> dict[str, Status]:
    return {each.title: each.status for each in round_.findings}


def test_without_a_previous_comment_all_is_new() -> None:
    first = ran(FIRST, None, ONE)
    assert (first.number, first.note) == (1, "")
    assert titles(first) == {"The first": Status.NEW}
    assert not first.resolved
    assert not first.not_rechecked


def test_the_next_commit_is_the_next_round() -> None:
    second = ran(SECOND, said(ONE, TWO), ONE, finding(about=("three",), title="The third"))
    assert second.number == 2
    assert titles(second) == {"The first": Status.OPEN, "The third": Status.NEW}
    assert [each.known.title for each in second.resolved] == ["The second"]
    assert [each.since for each in second.findings] == [1, 2]


def test_the_same_commit_is_the_same_round() -> None:
    again = ran(FIRST, said(ONE), ONE, TWO)
    assert again.number == 1
    assert titles(again) == {"The first": Status.NEW, "The second": Status.NEW}
    assert len(again.activity) == 1


def test_identity_survives_moved_lines_renamed_files_and_other_words() -> None:
    moved = replace(ONE, at=Place.of_line("prod/renamed.yaml", 99), says="Otherwise.", title="Renamed")
    second = ran(SECOND, said(ONE), moved)
    assert titles(second) == {"Renamed": Status.OPEN}
    assert not second.resolved


def test_what_was_resolved_stays_so_when_the_round_runs_again() -> None:
    pushed = replace(SECOND, previous=said(ONE, TWO))
    second = said(ONE, pull=pushed)
    again = ran(SECOND, second, ONE)
    assert [each.known.title for each in again.resolved] == ["The second"]
    third = ran(replace(SECOND, head_sha="d" * 40), second, ONE)
    assert third.number == 3
    assert not third.resolved


def test_what_comes_back_is_new_again() -> None:
    second = said(pull=replace(SECOND, previous=said(ONE)))
    third = ran(replace(SECOND, head_sha="d" * 40), second, ONE)
    assert titles(third) == {"The first": Status.NEW}


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (Findings(gaps=(Gap("`x.yaml`", "is too large"),)), "this run could not read everything"),
        (Findings(crashes=(Crash(ONE.rule, "x.yaml", "KeyError"),)), "its rule failed in this run"),
    ],
)
def test_nothing_is_resolved_by_a_run_that_did_not_see_it(run: Findings, why: str) -> None:
    second = advance(replace(SECOND, previous=said(ONE)), run, Verdict.INCOMPLETE)
    assert [(each.known.title, each.why) for each in second.not_rechecked] == [("The first", why)]
    assert not second.resolved


def test_another_rules_crash_hides_nothing() -> None:
    run = Findings(crashes=(Crash("gpu-overlap", "x.yaml", "KeyError"),))
    second = advance(replace(SECOND, previous=said(ONE)), run, Verdict.INCOMPLETE)
    assert [each.known.title for each in second.resolved] == ["The first"]


def test_conflicts_and_switched_off_rules_resolve_nothing() -> None:
    pull = replace(SECOND, previous=said(ONE))
    assert advance(pull, Findings(), Verdict.INCOMPLETE, conflicts=("x.yaml",)).not_rechecked
    (off,) = advance(pull, Findings(), Verdict.PASS, off=(ONE.rule,)).not_rechecked
    assert off.why == "its rule is switched off"


def test_what_was_not_rechecked_is_remembered_until_it_is() -> None:
    gap = (Gap("`x.yaml`", "is too large"),)
    second = markdown(review(change(pull=replace(SECOND, previous=said(ONE))), Findings(gaps=gap)))
    third = ran(replace(SECOND, head_sha="d" * 40), second, ONE)
    assert [(each.status, each.since) for each in third.findings] == [(Status.OPEN, 1)]
    gone = ran(replace(SECOND, head_sha="d" * 40), second)
    assert [each.known.title for each in gone.resolved] == ["The first"]


def test_what_words_now_leave_out_is_said_so() -> None:
    left_out = ((ONE.rule, Excluded(ONE.at.file, "pull request text", "it stays")),)
    second = ran(SECOND, said(ONE), excluded=left_out)
    assert [each.ending for each in second.resolved] == [Ending.EXCLUDED]


def test_memory_never_decides_the_verdict() -> None:
    error = finding(level=Level.ERROR, about=("error",))
    found = Findings(findings=(error,))
    wish = IgnoreRequest(error.rule, "", "dana", "we know")
    round_ = advance(replace(SECOND, previous=said(error)), found, verdict_of(found), ignore=(wish,))
    assert [each.rule for each in round_.findings] == [error.rule], "what blocks is shown, whoever asks"
    assert round_.activity[-1].verdict is Verdict.FAIL


def test_an_ignore_lasts_while_the_finding_is_the_same() -> None:
    wish = IgnoreRequest(ONE.rule, "prod/meadow.yaml", "dana", "we know", "2026-03-02T10:00:00Z")
    first = markdown(review(change(), Findings(findings=(ONE, TWO)), ignore=(wish,)))
    second = ran(SECOND, first, ONE, TWO)
    assert titles(second) == {"The second": Status.OPEN}
    assert [(each.finding.title, each.ignore.by, each.ignore.because) for each in second.ignored] == [
        ("The first", "dana", "we know")
    ]
    other = ran(SECOND, first, finding(about=("another",), title="Another"), TWO)
    assert not other.ignored
    assert "Another" in titles(other)


def test_an_ignore_of_another_file_or_rule_hides_nothing() -> None:
    for wish in (IgnoreRequest(ONE.rule, "prod/other.yaml", "dana", "x"), IgnoreRequest("other-rule", "", "dana", "x")):
        assert not advance(FIRST, Findings(findings=(ONE,)), Verdict.PASS, ignore=(wish,)).ignored


def test_every_round_has_its_row() -> None:
    second = ran(SECOND, said(ONE), ONE, TWO)
    assert [(row.round, row.follow_ups, row.trigger.action) for row in second.activity] == [
        (1, 1, "opened"),
        (2, 2, "synchronize"),
    ]


def test_the_same_result_gives_the_same_comment() -> None:
    """A run that nobody asked for and that finds the same must not write."""
    first = said(ONE)
    later = Trigger("pull_request", "edited", "robin", "", "2026-03-02T12:00:00Z")
    assert said(ONE, pull=replace(FIRST, previous=first, trigger=later)) == first
    assert said(ONE, TWO, pull=replace(FIRST, previous=first, trigger=later)) != first


@pytest.mark.parametrize(
    "trigger",
    [
        Trigger("pull_request", "review_requested", "robin", "bot", "t"),
        Trigger("issue_comment", "created", "robin", "", "t"),
    ],
)
def test_who_asks_is_shown_also_when_nothing_changed(trigger: Trigger) -> None:
    again = ran(replace(FIRST, trigger=trigger), said(ONE), ONE)
    assert [row.trigger.actor for row in again.activity] == ["robin"]


def test_many_rounds_keep_the_latest_rows() -> None:
    comment, pull = None, FIRST
    for number in range(25):
        pull = replace(FIRST, head_sha=f"{number:040x}", previous=comment)
        comment = said(ONE, pull=pull)
    last = ran(replace(FIRST, head_sha="f" * 40), comment, ONE)
    assert (last.number, len(last.activity), last.activity[-1].round) == (26, 20, 26)
