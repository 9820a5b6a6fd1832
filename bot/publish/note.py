"""Writes one note on a pull request: made once, then only edited; twins of a race are taken back."""

from __future__ import annotations

from bot.model.remote import Account, Comment
from bot.ports import Publisher
from bot.publish.decide import Do


def same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()


def ours(body: str, account: Account, comments: tuple[Comment, ...]) -> tuple[Comment, ...]:
    """Comments of our own account with the same first line, oldest first. Either alone proves nothing."""
    first = body.split("\n", 1)[0]
    found = [each for each in comments if account.wrote(each.author) and each.body.split("\n", 1)[0].strip() == first]
    return tuple(sorted(found, key=lambda each: each.id))


def write_note(publisher: Publisher, number: int, head_sha: str, body: str, *, only_edit: bool = False) -> Do:
    """`only_edit`: nothing is made where there is none. When the head moved on, the next run knows better."""
    now, account, comments = publisher.conversation(number)
    if now.head_sha != head_sha or not account.login:
        return Do.LEAVE
    there = ours(body, account, comments)
    if there:
        if same(there[0].body, body):
            return Do.LEAVE
        publisher.edit_comment(there[0].id, body)
        return Do.EDIT
    if only_edit:
        return Do.LEAVE

    def made() -> Comment | None:
        _, account, comments = publisher.conversation(number)
        return next(iter(ours(body, account, comments)), None)

    created = publisher.create_comment(number, body, made)
    _, account, comments = publisher.conversation(number)
    there = ours(body, account, comments)
    if there and there[0].id != created.id and any(each.id == created.id for each in there):
        publisher.delete_comment(created.id)  # another run was faster by a moment
        return Do.LEAVE
    return Do.CREATE
