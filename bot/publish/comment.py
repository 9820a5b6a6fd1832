"""Writes the one comment: looks before and after, since other runs may be at work at the same time."""

from __future__ import annotations

from msgspec import Struct

from bot.model.remote import Comment
from bot.ports import Publisher
from bot.publish.decide import Decision, Do, Wanted, decide, own_comments
from bot.rounds.state import says_the_same


class Written(Struct, frozen=True):
    """What was done, and the comment as it stands now."""

    do: Do
    why: str
    comment: Comment | None


def write_comment(publisher: Publisher, wanted: Wanted) -> Written:
    """Create, edit or leave. `Do.AGAIN` asks the caller to review the new head instead."""
    decision = _look(publisher, wanted)
    if decision.do is Do.CREATE:
        return _created(publisher, wanted)
    if decision.do is Do.EDIT and decision.comment is not None:
        edited = publisher.edit_comment(decision.comment.id, wanted.body)
        return _settled(publisher, wanted, Written(Do.EDIT, _said(decision), edited))
    return Written(decision.do, _said(decision), decision.comment)


def _look(publisher: Publisher, wanted: Wanted) -> Decision:
    now, account, comments = publisher.conversation(wanted.number)
    return decide(wanted, now, account, comments)


def _created(publisher: Publisher, wanted: Wanted) -> Written:
    def made() -> Comment | None:
        _, account, comments = publisher.conversation(wanted.number)
        ours = own_comments(wanted.number, account, comments)
        return next((each for each in ours if says_the_same(each.body, wanted.body)), None)

    created = publisher.create_comment(wanted.number, wanted.body, made)
    now, account, comments = publisher.conversation(wanted.number)
    ours = own_comments(wanted.number, account, comments)
    if ours and ours[0].id != created.id and any(each.id == created.id for each in ours):
        # Another run was faster by a moment. Ours goes, seconds old and unread; the older one is kept up to date.
        publisher.delete_comment(created.id)
        left = tuple(each for each in comments if each.id != created.id)
        decision = decide(wanted, now, account, left)
        if decision.do is Do.EDIT and decision.comment is not None:
            edited = publisher.edit_comment(decision.comment.id, wanted.body)
            return _settled(publisher, wanted, Written(Do.EDIT, "another run had just made the comment", edited))
        return Written(decision.do, decision.why, decision.comment)
    if now.head_sha != wanted.head_sha:
        return Written(Do.AGAIN, "the head changed while the comment was written", created)
    return Written(Do.CREATE, "there was no comment of ours yet", created)


def _settled(publisher: Publisher, wanted: Wanted, written: Written) -> Written:
    """After an edit: when the head moved on in that moment, what we wrote may stand over something newer."""
    now, _, _ = publisher.conversation(wanted.number)
    if now.open and now.head_sha != wanted.head_sha:
        return Written(Do.AGAIN, "the head changed while the comment was written", written.comment)
    return written


def _said(decision: Decision) -> str:
    if not decision.extra:
        return decision.why
    return f"{decision.why}; {len(decision.extra)} more of ours stand below it and can be deleted"
