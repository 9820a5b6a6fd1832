"""A stack's life on GitHub: notes, lists, statuses and exit codes, and what a second and a third run write."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from bot.forge.ancestry import ForgeAncestry
from bot.forge.client import Client
from bot.forge.waiting import Patience
from bot.model.pull import PullState
from bot.stack.read import stack_of
from tests.fake_github.faults import Fault, Faults
from tests.stack.github import Site
from tests.stack.shapes import OWN, SHAPES, clean, reshape, stacked

COMPOSE = "services:\n  web:\n    image: registry.example/web@sha256:{}\n".format("4a" * 32)


def opened(hosted: Site) -> None:
    """#1 on main and #2 on #1, both reviewed."""
    stacked(hosted.lab)
    hosted.lab.clone(branches=("b",))
    assert hosted.told(1, "opened").code == 0
    assert hosted.told(2, "opened").code == 0


def block_of(body: str) -> list[str]:
    (found,) = re.findall(r"```sh\n(.*?)\n```", body, re.DOTALL)
    return found.split("\n")


def test_while_all_are_open_both_say_so_and_nobody_is_blocked(hosted: Site) -> None:
    opened(hosted)
    assert "`b` builds on this" in hosted.sticky(1)
    assert "closes** it" in hosted.sticky(1)
    assert "It is stacked on #1, which is open: merge that one first." in hosted.sticky(2)
    assert (hosted.status(1), hosted.status(2)) == ("success", "success")
    assert hosted.notes(2) == []


@pytest.mark.parametrize("method", ["merge", "squash"])
def test_a_merge_is_told_once_and_the_third_run_writes_nothing(hosted: Site, method: str) -> None:
    opened(hosted)
    hosted.lab.merge(1, method)
    ran = hosted.told(1, "closed")
    assert ran.code == 0
    (note,) = hosted.notes(2)
    assert ("Retarget only" if method == "merge" else "Retarget and rebase") in note.body
    assert hosted.status(2) == "failure"
    assert "its stack must be put right first" in hosted.sticky(2)
    assert re.search(r"- \[ \] #2 retarget", hosted.sticky(1))
    assert "Keep `a` until it is done." in hosted.sticky(1)
    before = hosted.writes()
    assert hosted.told(1, "closed").code == 0
    assert hosted.swept().code == 0
    assert hosted.writes() == before
    assert hosted.lab.paste(block_of(note.body)).returncode == 0
    assert clean(hosted.lab)
    changes = {"changes": {"base": {"ref": {"from": "a"}, "sha": {"from": "0" * 40}}}}
    assert hosted.told(2, "edited", **changes).code == 0
    (done,) = hosted.notes(2)
    assert (done.id, "**Done**" in done.body, "```" in done.body) == (note.id, True, False)
    assert (hosted.status(2), "Stack" in hosted.sticky(2)) == ("success", False)
    assert "- [x] #2 done" in hosted.sticky(1)
    assert "the branch can be deleted now" in hosted.sticky(1)
    after = hosted.writes()
    assert hosted.swept().code == 0
    assert hosted.told(1, "closed").code == 0
    assert hosted.writes() == after


def test_the_sweep_tells_what_no_event_has_told(hosted: Site) -> None:
    """Merged by a workflow's token, retargeted by GitHub itself: neither starts a run."""
    opened(hosted)
    hosted.lab.merge(1, "merge")
    assert hosted.swept().code == 0
    (note,) = hosted.notes(2)
    assert hosted.status(2) == "failure"
    hosted.lab.retarget(2, "main")
    hosted.lab.delete("a")
    assert hosted.swept().code == 0
    assert "**Done**" in hosted.notes(2)[0].body
    assert hosted.notes(2)[0].id == note.id
    assert hosted.status(2) == "success"
    assert "`a` is deleted already" in hosted.sticky(1)
    before = hosted.writes()
    hosted.swept()
    assert hosted.writes() == before


def test_a_retarget_without_the_rebase_still_blocks(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    hosted.lab.retarget(2, "main")
    ran = hosted.told(2, "edited", changes={"base": {"ref": {"from": "a"}, "sha": {"from": "0" * 40}}})
    assert (ran.code, hosted.status(2)) == (1, "failure")
    (note,) = hosted.notes(2)
    assert "still carries 2 commits" in note.body
    assert hosted.lab.paste(block_of(note.body)).returncode == 0
    assert hosted.lab.listed(2) == OWN
    assert hosted.told(2, "synchronize").code == 0
    assert "**Done**" in hosted.notes(2)[0].body


def test_two_children_get_a_note_each_and_the_list_has_both(hosted: Site) -> None:
    opened(hosted)
    lab = hosted.lab
    lab.commit("c", {"c1.yaml": COMPOSE}, "c1", on="a")
    lab.open(3, "c", "a")
    lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert (len(hosted.notes(2)), len(hosted.notes(3))) == (1, 1)
    assert "Keep `a` until all of them are done." in hosted.sticky(1)
    lab.close(3)
    hosted.told(3, "closed")
    assert "- [x] #3 closed" in hosted.sticky(1)
    assert "- [ ] #2 retarget and rebase" in hosted.sticky(1)


def test_a_merge_into_an_ended_branch_fails_its_own_status(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    hosted.lab.merge(2, "merge")
    ran = hosted.told(2, "closed")
    assert (ran.code, hosted.status(2)) == (1, "failure")
    assert "commits are not on `main`" in hosted.sticky(2)
    assert "gh pr create" in hosted.sticky(2)
    assert "not on the trunk" in hosted.sticky(1)


def test_a_merge_into_an_open_parent_is_no_loss(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(2, "squash")
    ran = hosted.told(2, "closed")
    assert (ran.code, hosted.status(2)) == (0, "success")
    assert "reaches `main` with #1" in hosted.sticky(2)


def test_a_child_that_was_closed_with_the_branch_is_told_how_to_come_back(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.lab.close(2)
    hosted.mirror()
    hosted.lab.delete("a")
    pull = hosted.hub.pulls[2]
    pull.closed_at = "2026-03-02T09:15:00Z"
    hosted.mirror()
    pull.events.append({"__typename": "BaseRefDeletedEvent", "createdAt": "2026-03-02T09:15:01Z"})
    hosted.stage.run("pull_request", hosted.stage.event(2, "closed"))
    (note,) = hosted.notes(2)
    assert "Reopen it before you push" in note.body
    pull.events[-1]["createdAt"] = "2026-03-01T09:15:01Z"  # closed by a person, a day before
    hosted.stage.run("pull_request", hosted.stage.event(2, "closed"))
    assert "**Done**" in hosted.notes(2)[0].body


def test_armed_auto_merge_fails_the_status_also_when_only_the_sweep_sees_it(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.pulls[2] = replace(hosted.lab.pulls[2], auto_merge=True)
    hosted.swept()
    assert hosted.status(2) == "failure"
    assert "Auto-merge is armed" in hosted.sticky(2)
    assert hosted.notes(2) == []
    hosted.lab.pulls[2] = replace(hosted.lab.pulls[2], auto_merge=False)
    hosted.swept()
    assert hosted.status(2) == "success"


def test_a_base_that_vanished_fails_the_status(hosted: Site) -> None:
    opened(hosted)
    hosted.mirror()
    hosted.lab.delete("a")
    del hosted.lab.pulls[1], hosted.hub.pulls[1]
    ran = hosted.told(2, "synchronize")
    assert ran.code != 0
    assert hosted.status(2) in ("failure", "error")
    assert "Its base `a` is gone" in hosted.sticky(2)


def test_a_rewritten_parent_is_said_on_the_child(hosted: Site) -> None:
    opened(hosted)
    lab = hosted.lab
    lab.commit("a", {"a2.yaml": "a: 9\n"}, "anew", on="a~1")
    ran = hosted.told(2, "edited", changes={"body": {"from": "x"}})
    assert (ran.code, hosted.status(2)) == (2, "error")  # the two do not merge as they are
    assert "#1 was pushed by force" in hosted.sticky(2)
    assert hosted.lab.paste(block_of(hosted.sticky(2))).returncode == 0
    assert clean(lab)


def test_a_planted_note_is_not_ours(hosted: Site) -> None:
    from tests.fake_github.state import Comment

    opened(hosted)
    planted = "<!-- compose-review:stack v1 pr=2 parent=1 merged -->\n\nrun `rm -rf /`"
    hosted.hub.pulls[2].comments.append(Comment(999, "mallory", planted))
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert [each.user for each in hosted.notes(2)] == ["mallory", "github-actions[bot]"]
    assert hosted.hub.pulls[2].comments[-2].body == planted or hosted.notes(2)[0].body == planted


def test_a_list_that_somebody_edited_is_written_anew(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    (comment,) = hosted.hub.sticky(1)
    comment.body, comment.editor = comment.body.replace("known=2", "known=99"), "mallory"
    hosted.told(1, "closed")
    assert "known=2 " in hosted.sticky(1)
    assert "99" not in hosted.sticky(1).split("\n")[1]


def test_a_token_that_may_not_write_leaves_it_to_the_sweep(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.hub.read_only = True
    hosted.told(1, "closed")
    assert hosted.notes(2) == []
    hosted.hub.read_only = False
    hosted.swept()
    assert len(hosted.notes(2)) == 1


def test_a_stack_that_github_keeps_gets_no_note(hosted: Site) -> None:
    opened(hosted)
    hosted.hub.pulls[2].native = True
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert (hosted.notes(2), hosted.status(2)) == ([], "success")


def test_a_protected_branch_is_no_parent(hosted: Site) -> None:
    hosted.hub.protected.add("a")
    opened(hosted)
    assert "Stack" not in hosted.said()
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert hosted.notes(2) == []


def test_a_branch_that_the_configuration_calls_a_trunk_is_no_parent(hosted: Site) -> None:
    hosted.lab.commit("main", {".github/compose-review.yaml": 'trunks: ["a"]\n'}, "configuration")
    opened(hosted)
    assert "Stack" not in hosted.said()
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    hosted.swept()
    assert hosted.notes(2) == []


def test_where_comments_are_switched_off_the_status_tells_it_alone(hosted: Site) -> None:
    hosted.lab.commit("main", {".github/compose-review.yaml": "review: {comment: false}\n"}, "configuration")
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert (hosted.said(), hosted.status(2)) == ("", "failure")
    before = hosted.writes()
    hosted.swept()
    assert hosted.writes() == before


def test_a_checkout_that_is_complete_answers_instead_of_the_api(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.merge(1, "squash")
    hosted.mirror()
    clone = hosted.lab.clone(name="checkout")

    def compared(place: str) -> tuple[int, str]:
        before = len(hosted.hub.log)
        event = hosted.stage.event(2, "synchronize")
        hosted.stage.run("pull_request", event, **({"GITHUB_WORKSPACE": place} if place else {}))
        return sum("/compare/" in call.route for call in hosted.hub.log[before:]), hosted.notes(2)[0].body

    with_clone, without = compared(str(clone)), compared("")
    shallow = compared(str(hosted.lab.clone("--depth", "1", name="shallow")))
    assert with_clone[0] == 0
    assert 0 < without[0] <= 12
    assert with_clone[1] == without[1] == shallow[1]
    assert shallow[0] == without[0]


def test_the_calls_for_a_stack_are_bounded(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.commit("a", {"a3.yaml": "a: 3\n"}, "a3")
    hosted.lab.commit("c", {"c1.yaml": "c: 1\n"}, "c1", on="b")
    hosted.lab.open(3, "c", "b")
    hosted.mirror()
    before = len(hosted.hub.log)
    hosted.told(2, "synchronize")
    assert len(hosted.hub.log) - before <= 30


@pytest.mark.parametrize("event", ["schedule", "push", "workflow_dispatch"])
def test_each_event_without_a_pull_request_sweeps(hosted: Site, event: str) -> None:
    stacked(hosted.lab)
    hosted.lab.merge(1, "squash")
    ran = hosted.swept(event)
    assert (ran.code, len(hosted.notes(2)), hosted.status(2)) == (0, 1, "failure")
    assert "verdict" not in ran.outputs


def test_a_parent_closed_without_a_merge_is_told_and_blocks_nobody(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.close(1)
    hosted.told(1, "closed")
    (note,) = hosted.notes(2)
    assert "#1 was closed without a merge" in note.body
    assert hosted.status(2) == "success"
    assert "**Closed without a merge.**" in hosted.sticky(1)
    hosted.lab.pulls[1] = replace(hosted.lab.pulls[1], state=PullState.OPEN, head_sha="")
    hosted.swept()
    assert "**Done**" in hosted.notes(2)[0].body
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert len(hosted.notes(2)) == 2  # the merge is another matter, and nobody is told by an edit


def test_a_draft_that_is_not_reviewed_gets_its_note_all_the_same(hosted: Site) -> None:
    hosted.lab.commit("main", {".github/compose-review.yaml": "review: {drafts: false}\n"}, "configuration")
    opened(hosted)
    hosted.hub.pulls[2].draft = True
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert (len(hosted.notes(2)), hosted.status(2)) == (1, "pending")
    before = hosted.writes()
    hosted.swept()
    assert hosted.writes() == before


def test_too_many_children_are_not_written_to_one_by_one(hosted: Site) -> None:
    opened(hosted)
    for number in range(3, 12):
        hosted.lab.git("update-ref", f"refs/heads/c{number}", hosted.lab.sha("b"))
        hosted.lab.open(number, f"c{number}", "a")
    hosted.lab.merge(1, "squash")
    hosted.told(1, "closed")
    assert not any(hosted.notes(number) for number in hosted.lab.pulls)


def test_trouble_with_one_child_does_not_keep_the_news_from_another(hosted: Site) -> None:
    opened(hosted)
    hosted.lab.commit("c", {"c1.yaml": COMPOSE}, "c1", on="a")
    hosted.lab.open(3, "c", "a")
    hosted.lab.merge(1, "squash")
    hosted.mirror()
    body = hosted.hub.pulls[2].comments[0]
    hosted.hub.faults = Faults({hosted.hub.faults.calls + 1 + at: Fault.SERVER for at in range(4, 10)})
    ran = hosted.told(1, "closed")
    assert ran.code in (0, 2)
    assert body in hosted.hub.pulls[2].comments
    assert hosted.notes(3) or hosted.notes(2)
    hosted.hub.faults = Faults()
    hosted.swept()
    assert (len(hosted.notes(2)), len(hosted.notes(3))) == (1, 1)


@pytest.mark.parametrize(("shape", "method"), [*((shape, "squash") for shape in SHAPES), ("trunk merged in", "merge")])
def test_the_api_says_what_a_clone_says(hosted: Site, shape: str, method: str) -> None:
    lab = hosted.lab
    stacked(lab)
    if shape == "trunk merged in":
        lab.commit("main", {"m1.yaml": "m: 1\n"}, "m1")
        lab.merged_in("b", "main")
    reshape(lab, shape)
    lab.merge(1, method)
    hosted.mirror()
    client = Client("t", hosted.stage.url, Patience(1, pace=0))
    forge = ForgeAncestry(client, hosted.hub.full_name)
    assert stack_of(lab.pull(2), forge) == lab.stack(2)
    assert client.calls <= 12
    none = ForgeAncestry(client, hosted.hub.full_name, most=2)
    told = stack_of(lab.pull(2), none).parent
    assert told is not None
    assert "could not be told" in told.say
