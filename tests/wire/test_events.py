"""What each event leads to: one comment, one status, and nothing where nothing is due."""

from __future__ import annotations

from tests.fake_github.state import BOT, Comment
from tests.wire.stage import BLOCKED, QUIET, Stage, opened

CONFIG = ".github/compose-review.yaml"


def statuses(staged: Stage, number: int = 7) -> list[str]:
    sha = staged.hub.head_of(staged.hub.pulls[number])
    return [each.state for each in staged.hub.statuses.get(sha, [])]


def body(staged: Stage, number: int = 7) -> str:
    (comment,) = staged.hub.sticky(number)
    return comment.body


def writes(staged: Stage) -> int:
    return sum(call.stored for call in staged.hub.log)


def test_a_quiet_change_gets_one_comment_and_a_success(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 0
    assert "looks good to merge" in body(staged)
    assert statuses(staged) == ["pending", "success"]
    assert "looks good to merge" in ran.summary
    assert [each.content for each in staged.hub.pulls[7].reactions] == ["+1"]


def test_a_blocking_finding_fails_the_status_and_the_run(staged: Stage) -> None:
    opened(staged, {"compose.yaml": BLOCKED})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 1
    assert statuses(staged) == ["pending", "failure"]
    assert staged.hub.pulls[7].reactions == []


def test_what_could_not_be_read_is_an_error_and_never_a_success(staged: Stage) -> None:
    opened(staged, {"compose.yaml": "services: [\n"})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert (ran.code, statuses(staged)) == (2, ["pending", "error"])


def test_the_next_round_edits_the_same_comment(staged: Stage) -> None:
    opened(staged, {"compose.yaml": BLOCKED})
    staged.run("pull_request", staged.event(7, "opened"))
    staged.push("change-7", {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "synchronize"))
    assert "Resolved since the last round" in body(staged)
    assert "| 2 |" in body(staged)


def test_the_same_commit_again_writes_nothing_into_the_comment(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "opened"))
    before = len(staged.hub.log)
    staged.run("pull_request", staged.event(7, "opened"))
    stored = {call.route for call in staged.hub.log[before:] if call.stored}
    assert not [route for route in stored if "comments" in route]


def test_a_usual_review_takes_at_most_twelve_calls_however_many_files(staged: Stage) -> None:
    many = {f"stacks/{number}.yaml": QUIET for number in range(150)}
    opened(staged, {**many, "compose.yaml": BLOCKED})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert len(staged.hub.log) <= 12
    assert f"{len(staged.hub.log)} calls to GitHub." in ran.out


def test_a_checkout_that_has_the_commits_is_read_instead_of_the_api(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    ran = staged.run("pull_request", staged.event(7, "opened"), GITHUB_WORKSPACE=str(staged.work.folder))
    assert ran.code == 0
    assert not [call for call in staged.hub.log if "/git/" in call.route]
    assert "changes the value of `LOG_LEVEL`" in body(staged)


def test_a_shallow_checkout_is_no_basis_for_an_answer(staged: Stage) -> None:
    from tests.support.repo import clone

    opened(staged, {"compose.yaml": QUIET})
    shallow = clone(staged.work, staged.folder / "shallow", "--depth", "1", "--branch", "change-7")
    staged.run("pull_request", staged.event(7, "opened"), GITHUB_WORKSPACE=str(shallow.folder))
    assert [call for call in staged.hub.log if "/git/trees" in call.route]
    assert "changes the value of `LOG_LEVEL`" in body(staged)


def test_what_lands_is_reviewed_not_what_was_pushed(staged: Stage) -> None:
    opened(staged, {"other.yaml": QUIET})
    staged.work.git("checkout", "-q", "main")
    staged.push("main", {"compose.yaml": QUIET.replace("debug", "warning")})
    staged.run("pull_request", staged.event(7, "synchronize"))
    (summary,) = (line for line in body(staged).split("\n") if line.startswith("**What changes.**"))
    assert "other.yaml" in summary
    assert "LOG_LEVEL" not in summary


def test_a_conflict_with_the_live_base_is_no_pass(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.push("main", {"compose.yaml": QUIET.replace("debug", "warning")})
    ran = staged.run("pull_request_target", staged.event(7, "synchronize"))
    assert ran.code == 2
    assert statuses(staged)[-1] == "error"


def test_a_change_of_documents_alone_gets_a_success_and_no_comment(staged: Stage) -> None:
    opened(staged, {"README.md": "Two services.\n"})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 0
    assert statuses(staged) == ["pending", "success"]
    assert staged.hub.pulls[7].comments == []


def test_a_comment_that_stands_there_is_brought_up_to_date_even_when_nothing_is_left_to_say(staged: Stage) -> None:
    opened(staged, {"compose.yaml": BLOCKED, "README.md": "x\n"})
    staged.run("pull_request", staged.event(7, "opened"))
    from tests.wire.stage import BASE

    staged.push("change-7", {"compose.yaml": BASE})
    staged.run("pull_request", staged.event(7, "synchronize"))
    assert "looks good to merge" in body(staged)


def test_comments_of_others_are_left_alone(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "opened"))
    ours = pull.comments[0].body
    pull.comments[:] = [
        Comment(501, BOT, "<!-- coverage -->\n80 %"),
        Comment(502, BOT, ours),
        Comment(503, "kim", f"> {ours.splitlines()[0]}\nI disagree"),
        Comment(504, BOT, ours.replace("pr=7", "pr=70")),
        Comment(505, "mallory", ours),
    ]
    others = {each.id: each.body for each in pull.comments if each.id != 502}
    staged.push("change-7", {"compose.yaml": BLOCKED})
    staged.run("pull_request", staged.event(7, "synchronize"))
    assert len(pull.comments) == 5
    assert {each.id: each.body for each in pull.comments if each.id != 502} == others
    assert "1 blocking finding" in pull.comments[1].body


def test_our_comment_is_found_on_a_later_page(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": QUIET})
    pull.comments += [Comment(next(staged.hub.ids), "kim", f"remark {number}") for number in range(250)]
    staged.run("pull_request", staged.event(7, "opened"))
    pull.comments += [Comment(next(staged.hub.ids), "kim", f"more {number}") for number in range(150)]
    staged.push("change-7", {"compose.yaml": BLOCKED})
    staged.run("pull_request", staged.event(7, "synchronize"))
    assert "1 blocking finding" in body(staged)


def test_an_edit_by_somebody_else_is_overwritten_and_said(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": BLOCKED})
    staged.run("pull_request", staged.event(7, "opened"))
    pull.comments[0].body = pull.comments[0].body.replace("1 blocking finding", "all is fine")
    pull.comments[0].editor = "mallory"
    staged.run("pull_request", staged.event(7, "reopened"))
    assert "all is fine" not in body(staged)
    assert "edited by somebody else" in body(staged)


def test_a_draft_is_reviewed_and_said_to_be_one(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET}, draft=True)
    staged.run("pull_request", staged.event(7, "opened"))
    assert "draft" in body(staged).split("\n")[2]


def test_drafts_can_be_left_alone(staged: Stage) -> None:
    staged.push("main", {CONFIG: "review:\n  drafts: false\n"})
    opened(staged, {"compose.yaml": QUIET}, draft=True)
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert (ran.code, staged.hub.pulls[7].comments, statuses(staged)[-1]) == (0, [], "pending")


def test_a_broken_configuration_is_an_error(staged: Stage) -> None:
    staged.push("main", {CONFIG: "reviews: {}\n"})
    opened(staged, {"compose.yaml": QUIET})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert (ran.code, statuses(staged)[-1]) == (64, "error")
    assert f"{CONFIG}:1" in ran.out


def test_a_merge_group_gets_its_status_and_no_comment(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    base, head = staged.hub.git.tip("main"), staged.hub.git.tip("change-7")
    group = {"head_sha": head, "head_ref": "refs/heads/queue/1", "base_sha": base, "base_ref": "refs/heads/main"}
    payload = {"action": "checks_requested", "merge_group": group, "repository": {"full_name": staged.hub.full_name}}
    ran = staged.run("merge_group", payload)
    assert ran.code == 0
    assert [each.state for each in staged.hub.statuses[head]] == ["pending", "success"]
    assert staged.hub.pulls[7].comments == []


def test_a_review_asked_of_a_configured_person_is_a_round(staged: Stage) -> None:
    staged.push("main", {CONFIG: "review:\n  reviewers: [deploy-bot]\n"})
    opened(staged, {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "review_requested", requested_reviewer={"login": "kim"}))
    assert (staged.hub.pulls[7].comments, statuses(staged)) == ([], [])
    staged.run("pull_request", staged.event(7, "review_requested", requested_reviewer={"login": "Deploy-Bot"}))
    assert "review requested of `Deploy-Bot` by `dana`" in body(staged)
    assert statuses(staged) == ["pending", "success"]


def test_a_finished_run_without_rights_is_published_by_the_second_workflow(staged: Stage) -> None:
    pull = opened(staged, {"compose.yaml": BLOCKED}, head_repository="mallory/deployments")
    first = staged.run("pull_request", staged.event(7, "opened"))
    assert (first.code, pull.comments, writes(staged)) == (1, [], 0)
    assert "1 blocking finding" in first.summary
    assert "two-step set-up" in first.out
    run = {
        "event": "pull_request",
        "head_sha": staged.hub.head_of(pull),
        "head_branch": pull.head,
        "head_repository": {"full_name": "mallory/deployments"},
    }
    payload = {"action": "completed", "workflow_run": run, "repository": {"full_name": staged.hub.full_name}}
    second = staged.run("workflow_run", payload)
    assert second.code == 1
    assert "1 blocking finding" in body(staged)
    assert statuses(staged)[-1] == "failure"


def test_a_token_that_may_not_write_is_tried_once(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.hub.read_only = True
    ran = staged.run("pull_request", staged.event(7, "opened"))
    refused = [call for call in staged.hub.log if call.status == 403]
    assert ran.code == 0
    assert len({call.route for call in refused}) == len(refused) <= 3
    assert "looks good to merge" in ran.summary
    assert "pull-requests: write" in ran.out


def test_a_closed_pull_request_is_left_alone(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET}, state="closed", head_sha=staged.hub.git.tip("main"))
    payload = staged.event(7, "synchronize")
    payload["pull_request"]["state"] = "open"
    assert staged.run("pull_request", payload).code == 0
    assert writes(staged) == 0


def test_an_old_run_does_not_overwrite_a_newer_one(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.run("pull_request", staged.event(7, "opened"), GITHUB_RUN_ID="900")
    newer = body(staged)
    staged.run("pull_request", staged.event(7, "edited", changes={"body": {"from": "x"}}), GITHUB_RUN_ID="800")
    assert body(staged) == newer


def test_a_head_that_moves_during_the_run_is_reviewed_instead(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.hub.faults.before[7] = lambda: staged.push("change-7", {"compose.yaml": BLOCKED})
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 1
    assert "1 blocking finding" in body(staged)
    assert statuses(staged)[-1] == "failure"


def test_a_body_that_github_finds_too_long_is_cut_further(staged: Stage) -> None:
    staged.hub.max_body = 7_000
    many = {f"stacks/{number}.yaml": BLOCKED for number in range(60)}
    opened(staged, many)
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 1
    assert len(body(staged)) <= 7_000
    assert "not taken at" in ran.out


def test_the_token_appears_nowhere(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.hub.read_only = True
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert "secret-token" not in ran.out + ran.summary + ran.outputs


def test_workflow_commands_in_foreign_names_stay_text(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    payload = staged.event(7, "::set-output name=x::y\n::error::z")
    ran = staged.run("pull_request", payload)
    assert not [line for line in ran.out.splitlines() if line.lstrip().startswith("::")]
