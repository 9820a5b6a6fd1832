"""Findings at their lines: comments in the diff and annotations of a check run, where the settings ask for them."""

from __future__ import annotations

import re

from tests.fake_github.state import BOT, Thread, ThreadComment
from tests.wire.stage import BASE, BLOCKED, QUIET, Stage, opened

# A number that arrives as another text: the one right edit is known.
COERCED = BASE.replace("LOG_LEVEL: info", "LOG_LEVEL: info\n      API_VERSION: 1.10")


def lines_on(staged: Stage) -> list[tuple[str, int, bool]]:
    return [(each.path, each.line, each.resolved) for each in staged.hub.pulls[7].threads]


def test_without_the_setting_nothing_is_written_at_lines(staged: Stage) -> None:
    opened(staged, {"compose.yaml": COERCED})
    staged.run("pull_request", staged.event(7, "opened"))
    assert (lines_on(staged), staged.hub.check_runs) == ([], [])


def test_a_finding_gets_one_comment_at_its_line_with_the_edit_that_is_right(staged: Stage) -> None:
    opened(staged, {"compose.yaml": COERCED})
    staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "5"})
    (thread,) = staged.hub.pulls[7].threads
    assert COERCED.split("\n")[thread.line - 1].strip() == "API_VERSION: 1.10"
    assert re.search(r'```+suggestion\n      API_VERSION: "1.10"\n```+', thread.comments[0].body)


def test_the_next_round_says_nothing_twice(staged: Stage) -> None:
    opened(staged, {"compose.yaml": COERCED})
    for action in ("opened", "synchronize"):
        staged.run("pull_request", staged.event(7, action), **{"INPUT_INLINE-COMMENTS": "5"})
        staged.push("change-7", {"compose.yaml": f"# a comment\n{COERCED}"})
    assert len(lines_on(staged)) == 1


def test_a_repaired_finding_s_thread_is_resolved(staged: Stage) -> None:
    opened(staged, {"compose.yaml": COERCED})
    staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "5"})
    staged.push("change-7", {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "synchronize"), **{"INPUT_INLINE-COMMENTS": "5"})
    assert [resolved for _, _, resolved in lines_on(staged)] == [True]


def test_a_thread_that_people_talk_in_stays_as_it_is(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": COERCED})
    staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "5"})
    pull.threads[0].comments.append(ThreadComment(999, "dana", "On purpose?"))
    staged.push("change-7", {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "synchronize"), **{"INPUT_INLINE-COMMENTS": "5"})
    assert [resolved for _, _, resolved in lines_on(staged)] == [False]
    assert [each.body for each in pull.threads[0].comments][1:] == ["On purpose?"]


def test_a_thread_of_somebody_else_is_not_ours_whatever_it_holds(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": COERCED})
    staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "5"})
    copied = pull.threads[0].comments[0].body
    pull.threads[:] = [Thread("T9", "compose.yaml", 2, [ThreadComment(9, "mallory", copied)])]
    staged.run("pull_request", staged.event(7, "synchronize"), **{"INPUT_INLINE-COMMENTS": "5"})
    assert [each.comments[0].user for each in pull.threads] == ["mallory", BOT]
    assert not pull.threads[0].resolved


def test_a_line_that_the_diff_does_not_show_gets_none(staged: Stage) -> None:
    """The broken reference stands far from the edit that broke it."""
    far = BASE.replace("  api:\n", "  # a line between\n" * 12 + "  api:\n")
    staged.push("main", {"compose.yaml": far})
    opened(staged, {"compose.yaml": far.replace("  api:\n    image", "  other:\n    image")})
    ran = staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "5"})
    assert (ran.code, lines_on(staged)) == (1, [])


def test_a_file_that_base_changed_too_gets_none_since_its_lines_have_moved(staged: Stage) -> None:
    opened(staged, {"compose.yaml": COERCED})
    staged.push("main", {"compose.yaml": "# one\n# two\n# three\n# four\n# five\n" + BASE})
    ran = staged.run("pull_request", staged.event(7, "synchronize"), **{"INPUT_INLINE-COMMENTS": "5"})
    assert "number-coerced" in staged.hub.sticky(7)[0].body
    assert (ran.code, lines_on(staged)) == (0, [])


def test_there_are_at_most_as_many_as_the_setting_allows(staged: Stage) -> None:
    many = "".join(f"      VERSION_{number}: 1.{number}0\n" for number in range(1, 6))
    opened(staged, {"compose.yaml": BASE.replace("      LOG_LEVEL: info\n", many)})
    staged.run("pull_request", staged.event(7, "opened"), **{"INPUT_INLINE-COMMENTS": "2"})
    assert 1 <= len(lines_on(staged)) <= 2


def test_annotations_are_written_in_batches_and_end_with_the_verdict(staged: Stage) -> None:
    files: dict[str, str | bytes | None] = {f"stacks/{number}.yaml": BLOCKED for number in range(70)}
    opened(staged, files)
    staged.run("pull_request", staged.event(7, "opened"), INPUT_ANNOTATIONS="true")
    (run,) = staged.hub.check_runs
    assert (run.status, run.conclusion, run.sha) == ("completed", "failure", staged.hub.head_of(staged.hub.pulls[7]))
    assert len(run.annotations) >= 70
    assert {each["annotation_level"] for each in run.annotations} == {"failure"}
    assert len([call for call in staged.hub.log if "check-runs" in call.route]) >= 2


def test_annotations_of_a_quiet_change_are_a_success_without_any(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "opened"), INPUT_ANNOTATIONS="true")
    (run,) = staged.hub.check_runs
    assert (run.conclusion, run.annotations) == ("success", [])
