"""Facts about a pull request from a file: a case's `pr.json`, a GitHub event, or what API or `gh` say."""

from __future__ import annotations

from pathlib import Path

from bot.intake.json_fields import FactsError, Fields, read_json
from bot.model.pull import Pull, PullRef, PullState, Repository, Trigger


def read_pull(path: Path) -> Pull:
    """The facts a file holds; what it does not say keeps its default.

    Its shape is told from its content: an event has `pull_request`; everything else is the pull request
    itself, with the names of the API (`head.ref`), of `gh pr view --json` (`headRefName`) or of a case
    (`author`, `trigger`, `stack`). FactsError names every wrong type, and says where the file is not JSON.
    """
    faults: list[str] = []
    fields = Fields(read_json(path), faults)
    if fields.has("pull_request"):
        found = pull_of_event(fields)
    elif fields.has("title") or fields.has("number") or fields.has("head"):
        found = _pull(fields, fields, _trigger(fields.inner("trigger")))
    else:
        raise FactsError(f"{path} holds no pull request: neither `pull_request` nor `title`, `number` or `head`")
    if faults:
        raise FactsError("\n".join(f"{path}: {fault}" for fault in dict.fromkeys(faults)))
    return found


def pull_of_event(event: Fields) -> Pull:
    """The pull request of an event's payload. Its `base.sha` is left alone: see `Pull.base_sha`."""
    pull = event.inner("pull_request") or Fields({}, [])
    trigger = Trigger(
        event="pull_request",
        action=event.text("action"),
        actor=event.text("sender.login"),
        requested=event.called("requested_reviewer", "login") or event.called("requested_team", "slug", "name"),
        at=pull.text("updated_at"),
    )
    return _pull(pull, event, trigger)


def _pull(pull: Fields, around: Fields, trigger: Trigger) -> Pull:
    stack = pull.inner("stack")
    return Pull(
        number=pull.number("number") or around.number("number"),
        title=pull.text("title"),
        body=pull.text("body"),
        author=_author(pull),
        draft=bool(pull.flag("draft", "isDraft")),
        labels=pull.all_called("labels", "name"),
        base_ref=pull.text("base.ref", "baseRefName"),
        head_ref=pull.text("head.ref", "headRefName"),
        head_sha=pull.text("head.sha", "headRefOid"),
        from_fork=_from_fork(pull),
        state=_state(pull),
        repository=_repository(pull, around),
        trigger=trigger,
        parents=tuple(_ref(each) for each in stack.inner_list("parents")) if stack else (),
        children=tuple(_ref(each) for each in stack.inner_list("children") if _here(each, pull)) if stack else (),
        native_stack=stack is not None and (stack.has("position") or stack.has("base")),
        implicit=tuple(_ref(each) for each in stack.inner_list("implicit")) if stack else (),
        merge_sha=pull.text("merge_commit_sha") if _state(pull) is PullState.MERGED else "",
        auto_merge=pull.inner("auto_merge") is not None,
        old_heads=pull.all_called("old_heads"),
    )


def _author(pull: Fields) -> str:
    return pull.called("user", "login") or pull.called("author", "login", "name")


def _from_fork(pull: Fields) -> bool:
    said = pull.flag("head.fork", "isCrossRepository")
    if said is not None:
        return said
    head, base = pull.text("head.repo.full_name"), pull.text("base.repo.full_name")
    if head and base:
        return head != base
    return _lost_its_fork(pull)


def _lost_its_fork(pull: Fields) -> bool:
    """Whether the head's repository was deleted: GitHub then sends null for it."""
    head = pull.inner("head")
    return head is not None and head.has("repo") and head.inner("repo") is None


def _state(pull: Fields) -> PullState:
    state = pull.text("state").lower()
    if pull.flag("merged") or pull.text("merged_at") or state == "merged":
        return PullState.MERGED
    return PullState.CLOSED if state == "closed" else PullState.OPEN


def _repository(pull: Fields, around: Fields) -> Repository:
    told = around.inner("repository") or pull.inner("base.repo") or Fields({}, [])
    also = pull.inner("base.repo") or told
    return Repository(
        full_name=told.text("full_name"),
        default_branch=told.text("default_branch") or also.text("default_branch") or "main",
        delete_branch_on_merge=_either("delete_branch_on_merge", told, also),
        allow_merge_commit=_either("allow_merge_commit", told, also),
        allow_squash_merge=_either("allow_squash_merge", told, also),
        allow_rebase_merge=_either("allow_rebase_merge", told, also),
    )


def _either(name: str, told: Fields, also: Fields) -> bool | None:
    found = told.flag(name)
    return also.flag(name) if found is None else found


def _trigger(told: Fields | None) -> Trigger:
    if told is None:
        return Trigger()
    return Trigger(
        event=told.text("event") or "local",
        action=told.text("action"),
        actor=told.text("actor"),
        requested=told.text("requested_reviewer", "requested_team"),
        at=told.text("at"),
    )


def _here(each: Fields, pull: Fields) -> bool:
    """Whether it targets the same repository: a fork's own pull requests are not ours."""
    mine, its = pull.text("base.repo.full_name"), each.text("base.repo.full_name")
    return not mine or not its or mine.lower() == its.lower()


def _ref(pull: Fields) -> PullRef:
    head = pull.text("head.repo.full_name")
    return PullRef(
        number=pull.number("number") or 0,
        title=pull.text("title"),
        state=_state(pull),
        author=_author(pull),
        base_ref=pull.text("base.ref", "baseRefName"),
        head_ref=pull.text("head.ref", "headRefName"),
        head_sha=pull.text("head.sha", "headRefOid"),
        head_repository=head if head != pull.text("base.repo.full_name") else "",
        merge_sha=pull.text("merge_commit_sha") if _state(pull) is PullState.MERGED else "",
        auto_merge=pull.inner("auto_merge") is not None,
        queued=bool(pull.flag("queued", "isInMergeQueue")),
        old_heads=pull.all_called("old_heads"),
    )
