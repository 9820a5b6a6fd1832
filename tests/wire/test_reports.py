"""What bit other people's bots, as reported in public: the inputs that are kept with the cases."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.fake_github.faults import Fault, Faults
from tests.fake_github.state import Comment
from tests.support.cases import case_folder
from tests.support.run import compose_review
from tests.wire.stage import BLOCKED, QUIET, Stage, opened
from tests.wire.test_story import files


def facts(report: str, name: str) -> Any:
    return json.loads((case_folder(f"reports/{report}") / name).read_text())


def test_only_our_own_comment_is_touched(staged: Stage) -> None:
    listed = facts("bot-01-sticky-same-bot-other-comment", "comments.json")
    pull = opened(staged, {"compose.yaml": QUIET})
    ours = next(each for each in listed if each["id"] == 502)
    first = ours["body"].split("\n")[0]
    for each in listed:
        body = each["body"].replace(first.replace("pr=7", "pr=7"), "<!-- compose-review:sticky v1 pr=7 -->")
        pull.comments.append(Comment(each["id"], each["user"]["login"], body))
    before = {each.id: each.body for each in pull.comments}
    staged.run("pull_request", staged.event(7, "opened"))
    after = {each.id: each.body for each in pull.comments}
    assert {number for number in after if after[number] != before.get(number)} == {502}


def test_a_fork_is_reviewed_and_nothing_is_tried(staged: Stage) -> None:
    event = facts("bot-05-fork-read-only-token", "event.json")
    assert event["pull_request"]["head"]["ref"] == "main"
    pull = opened(staged, {"compose.yaml": BLOCKED}, head_repository="mallory/deployments")
    pull.body = ""
    payload = staged.event(7, "opened")
    payload["pull_request"]["head"]["repo"] = None
    ran = staged.run("pull_request", payload)
    assert ran.code == 1
    assert "1 blocking finding" in ran.summary
    assert not [call for call in staged.hub.log if call.method != "GET" and call.route != "/graphql"]


def test_foreign_markup_notifies_nobody(staged: Stage) -> None:
    case = case_folder("reports/bot-09-markup-from-the-pr-in-comments")
    staged.push("main", files(case / "base"))
    opened(staged, files(case / "head"))
    staged.run("pull_request", staged.event(7, "opened"))
    (comment,) = staged.hub.sticky(7)
    bare = re.sub(r"(`+).*?\1", "", comment.body, flags=re.DOTALL)
    assert comment.body.count("compose-review:sticky") == 1
    assert "@acme" not in bare
    assert not re.search(r"(?<!\w)#\d", bare)
    assert "<img" not in bare


def test_documents_alone_leave_a_required_check_green(staged: Stage) -> None:
    case = case_folder("reports/bot-11-required-check-on-docs-only-pr")
    staged.push("main", files(case / "base"))
    pull = opened(staged, files(case / "head"))
    ran = staged.run("pull_request", staged.event(7, "opened"))
    assert ran.code == 0
    assert staged.hub.statuses[staged.hub.head_of(pull)][-1].state == "success"
    assert pull.comments == []


def test_a_lost_answer_makes_no_second_comment(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    staged.hub.faults = Faults({8: Fault.STORED_502})
    staged.run("pull_request", staged.event(7, "opened"))
    assert len(staged.hub.pulls[7].comments) == 1


def test_four_hundred_findings_fit_and_the_high_ones_stay(tmp_path: Path) -> None:
    base = "services:\n" + "".join(f"  s{number}:\n    image: registry.example/s:{number}\n" for number in range(400))
    head = base.replace("registry.example/s:180\n", "registry.example/s:180\n    depends_on: [gone]\n")
    for side, text in (("base", base), ("head", head.replace("registry.example/s:", "registry.example/t:"))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "compose.yaml").write_text(text)
    body = compose_review("review", "--case", tmp_path, "--format", "markdown").out
    assert len(body) < 65_536
    assert body.startswith("<!-- compose-review:sticky")
    assert body.count("```") % 2 == 0
    assert body.count("<details>") == body.count("</details>")
    assert 'depends on undefined service "gone"' in body
