"""An event's payload as a Request. Tolerant: what a payload lacks is looked up later, never guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.intake.commands import command_of
from bot.intake.json_fields import Fields
from bot.intake.permissions import read_only
from bot.model.pull import Trigger
from bot.model.request import Head, Kind, Request, Said, Span

LABEL = "compose-review"  # putting it on a pull request asks for a review
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NUMBER = re.compile(r"[1-9]\d{0,9}")

# Actions of `pull_request` that need nothing but their sentence.
_ACTIONS: Mapping[str, tuple[Kind, str]] = {
    "opened": (Kind.REVIEW, "the pull request was opened"),
    "reopened": (Kind.REVIEW, "the pull request was reopened"),
    "synchronize": (Kind.REVIEW, "commits were pushed"),
    "ready_for_review": (Kind.REVIEW, "the draft is ready for review"),
    "converted_to_draft": (Kind.RERENDER, "the pull request is a draft now"),
}


class EventError(Exception):
    """An event that a person must put right: exit code 64."""


class Event(Struct, frozen=True):
    """`number` is the pull request that a person named for a dispatched run, as they wrote it."""

    name: str
    payload: Mapping[str, Any]
    number: str = ""
    bot: str = "github-actions[bot]"


def request_of(event: Event) -> Request:
    """What an event asks for. Raises EventError only for what a person typed wrong."""
    fields = Fields(event.payload, [])
    handler = _HANDLERS.get(event.name)
    if handler is None:
        return _ignored(f"`{_plain(event.name)}` is not an event that Compose Review acts on")
    request = handler(fields, event)
    trigger = Trigger(
        event=event.name,
        action=request.trigger.action or fields.text("action"),
        actor=request.trigger.actor or fields.text("sender.login"),
        requested=request.reviewer or request.team,
        at=request.trigger.at,
    )
    return replace(request, trigger=trigger, repository=fields.text("repository.full_name"))


def _ignored(why: str) -> Request:
    return Request(Kind.IGNORE, why)


def _pull_request(fields: Fields, event: Event) -> Request:
    action = fields.text("action")
    pull = fields.inner("pull_request") or Fields({}, [])
    number = fields.number("number") or pull.number("number")
    if not number or number < 0:
        return _ignored("the event names no pull request")
    if action != "closed" and pull.text("state") == "closed":
        return _ignored(f"pull request {number} is closed")
    kind, why, reviewer, team = _asked(action, fields)
    return Request(
        kind=kind,
        why=why,
        trigger=Trigger(at=pull.text("updated_at")),
        number=number,
        head_sha=_sha(fields.text("after")) or _sha(pull.text("head.sha")),
        before=_sha(fields.text("before")),
        author=pull.text("user.login"),
        base_ref=pull.text("base.ref"),
        head_ref=pull.text("head.ref"),
        native_stack=pull.inner("stack") is not None if pull.has("id") or pull.has("stack") else None,
        reviewer=reviewer,
        team=team,
        read_only=read_only(event.name, pull),
    )


def _asked(action: str, fields: Fields) -> tuple[Kind, str, str, str]:
    """Kind and sentence of an action, with the reviewer or the team that was asked."""
    if action in _ACTIONS:
        return *_ACTIONS[action], "", ""
    if action == "edited":
        return *_edited(fields), "", ""
    if action == "closed":
        merged = bool(fields.flag("pull_request.merged"))
        return Kind.REMIND, f"the pull request was {'merged' if merged else 'closed without a merge'}", "", ""
    if action == "review_requested":
        reviewer, team = fields.text("requested_reviewer.login"), fields.text("requested_team.slug")
        if not reviewer and not team:
            return Kind.IGNORE, "the event does not say of whom a review was asked", "", ""
        return Kind.REVIEW, "a review was requested", reviewer, team
    if action == "labeled" and fields.text("label.name").lower() == LABEL:
        return Kind.REVIEW, f"the label `{LABEL}` was added", "", ""
    return Kind.IGNORE, f"the action `{_plain(action)}` changes nothing that is reviewed", "", ""


def _edited(fields: Fields) -> tuple[Kind, str]:
    changes = fields.inner("changes") or Fields({}, [])
    if changes.inner("base") is not None:
        return Kind.REVIEW, "the base branch was changed"
    parts = [name for name, part in (("title", "title"), ("text", "body")) if changes.inner(part) is not None]
    if parts:
        return Kind.RERENDER, f"the {' and the '.join(parts)} of the pull request changed"
    return Kind.IGNORE, "the edit changed neither base, title nor text"


def _issue_comment(fields: Fields, event: Event) -> Request:
    issue = fields.inner("issue") or Fields({}, [])
    comment = fields.inner("comment") or Fields({}, [])
    number, identity, by = issue.number("number"), comment.number("id"), comment.text("user.login")
    if fields.text("action") != "created":
        return _ignored("only a new comment can be a command")
    if issue.inner("pull_request") is None or not number or identity is None:
        return _ignored("the comment is not on a pull request")
    if comment.text("user.type") == "Bot" or by.endswith("[bot]") or by == event.bot:
        return _ignored("the comment was written by a program")
    command = command_of(comment.text("body"))
    if command is None:
        return _ignored("the comment's first line is no command for Compose Review")
    if issue.text("state") == "closed":
        return _ignored(f"pull request {number} is closed")
    return Request(
        kind=Kind.REVIEW,
        why="a comment asked for it",
        trigger=Trigger(action=command.verb.value, actor=by, at=comment.text("created_at")),
        number=number,
        author=issue.text("user.login"),
        command=command,
        said=Said(identity, comment.text("node_id"), by, comment.text("created_at")),
    )


def _merge_group(fields: Fields, event: Event) -> Request:  # noqa: ARG001 - every handler is called alike
    group = fields.inner("merge_group") or Fields({}, [])
    if fields.text("action") != "checks_requested":
        return _ignored("the merge group asks for no checks")
    span = Span(
        base_sha=_sha(group.text("base_sha")),
        base_ref=group.text("base_ref").removeprefix("refs/heads/"),
        head_sha=_sha(group.text("head_sha")),
        head_ref=group.text("head_ref").removeprefix("refs/heads/"),
    )
    if not span.base_sha or not span.head_sha:
        return _ignored("the merge group names no commits")
    return Request(Kind.REVIEW, "a merge group waits for its checks", span=span, head_sha=span.head_sha)


def _workflow_dispatch(fields: Fields, event: Event) -> Request:
    asked = (event.number or fields.text("inputs.pull-request")).strip()
    if not asked:
        return Request(Kind.REMIND, "the sweep over all open pull requests was started by hand")
    if not _NUMBER.fullmatch(asked):
        raise EventError(f"`pull-request` must be a positive whole number, not `{_plain(asked)}`")
    return Request(Kind.REVIEW, "the workflow was started by hand", number=int(asked))


def _workflow_run(fields: Fields, event: Event) -> Request:  # noqa: ARG001
    run = fields.inner("workflow_run") or Fields({}, [])
    if fields.text("action") != "completed":
        return _ignored("the workflow run has not ended")
    if run.text("event") not in ("pull_request", "pull_request_target"):
        return _ignored("the workflow run is not about a pull request")
    head = Head(_sha(run.text("head_sha")), run.text("head_branch"), run.text("head_repository.full_name"))
    if not head.sha or not head.branch or not head.repository:
        return _ignored("the workflow run names no head commit, branch and repository")
    return Request(
        Kind.PUBLISH_ONLY,
        "a run that may not write has ended",
        Trigger(action="completed", actor=run.text("triggering_actor.login", "actor.login"), at=run.text("updated_at")),
        head=head,
        head_sha=head.sha,
    )


def _push(fields: Fields, event: Event) -> Request:  # noqa: ARG001
    branch = fields.text("repository.default_branch")
    if fields.flag("deleted") or not branch or fields.text("ref") != f"refs/heads/{branch}":
        return _ignored("the push is not to the default branch")
    return Request(Kind.REMIND, "the default branch moved")


def _schedule(fields: Fields, event: Event) -> Request:  # noqa: ARG001
    return Request(Kind.REMIND, "the scheduled sweep over all open pull requests")


_HANDLERS: Mapping[str, Callable[[Fields, Event], Request]] = {
    "pull_request": _pull_request,
    "pull_request_target": _pull_request,
    "issue_comment": _issue_comment,
    "merge_group": _merge_group,
    "workflow_dispatch": _workflow_dispatch,
    "workflow_run": _workflow_run,
    "push": _push,
    "schedule": _schedule,
}


def _sha(text: str) -> str:
    """A full object name; anything else is as good as none."""
    return text if _SHA.fullmatch(text) and text.strip("0") else ""


def _plain(text: str) -> str:
    """A foreign word inside a sentence of ours: short, of one line, without what could end its quotes."""
    return re.sub(r"[^A-Za-z0-9_.,#+ -]", "?", text[:60])
