"""What must be written to the conversation, decided from what stands there now. Nothing is written here."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from bot.model.marker import is_ours
from bot.model.remote import Account, Comment, Now
from bot.rounds.state import run_of, says_the_same


class Do(StrEnum):
    CREATE = "create"
    EDIT = "edit"
    LEAVE = "leave"
    AGAIN = "again"  # the head moved on while we looked: what we have to say is about the past


class Wanted(Struct, frozen=True):
    """The comment as this run would have it. `run` orders runs in time."""

    number: int
    head_sha: str
    base_ref: str
    body: str
    run: int
    quiet: bool = False  # nothing worth a first comment; one that stands there is still brought up to date


class Decision(Struct, frozen=True):
    do: Do
    why: str
    comment: Comment | None = None  # ours, where there is one
    extra: tuple[Comment, ...] = ()  # more of ours, which should not be there


def own_comments(number: int, account: Account, comments: tuple[Comment, ...]) -> tuple[Comment, ...]:
    """Ours by marker and by account, oldest first. Either alone proves nothing."""
    ours = [each for each in comments if account.wrote(each.author) and is_ours(each.body, number)]
    return tuple(sorted(ours, key=lambda each: each.id))


def decide(wanted: Wanted, now: Now, account: Account, comments: tuple[Comment, ...]) -> Decision:
    """One of four things to do, and why."""
    ours = own_comments(wanted.number, account, comments)
    first, extra = (ours[0], ours[1:]) if ours else (None, ())
    if now.head_sha != wanted.head_sha or now.base_ref != wanted.base_ref:
        what = "head" if now.head_sha != wanted.head_sha else "base branch"
        return Decision(Do.AGAIN, f"the {what} changed while this run was at work", first)
    if not account.login:
        return Decision(Do.LEAVE, "GitHub did not say which account this token writes as")
    newest = max((run_of(each.body) for each in ours), default=0)
    if newest > wanted.run:
        return Decision(Do.LEAVE, "a newer run has written already", first)
    if first is None:
        if wanted.quiet:
            return Decision(Do.LEAVE, "there is nothing to say about this change")
        return Decision(Do.CREATE, "there is no comment of ours yet")
    if says_the_same(first.body, wanted.body):
        return Decision(Do.LEAVE, "the comment says this already", first, extra)
    return Decision(Do.EDIT, "the comment is brought up to date", first, extra)
