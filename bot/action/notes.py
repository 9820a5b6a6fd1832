"""Notes of a stack on GitHub: which are due on a child, and the list that a parent keeps after its end."""

from __future__ import annotations

from msgspec import Struct

from bot.action.log import say
from bot.action.session import Session
from bot.action.stacked import Stacked, configured, stacked
from bot.forge.errors import Refused
from bot.model.marker import after_end, children_listed, marker, noted, without_after
from bot.model.pull import PullState
from bot.model.remote import Remote
from bot.model.request import Kind, Request
from bot.model.review import Needs
from bot.publish.decide import Do, own_comments
from bot.publish.note import ours, same, write_note
from bot.review.comment.page import COMMENT_BYTES
from bot.review.stack_note import Item, after_merge, note, note_done
from bot.stack.family import children_of
from bot.stack.names import is_trunk
from bot.stack.read import MAX_CHILDREN
from bot.stack.table import Severity

STACK = "stack"  # the event of reviews that a stack asks for


class DueNote(Struct, frozen=True):
    body: str
    parent: int
    only_edit: bool  # one that is done is not made where it never was


def due_notes(session: Session, found: Stacked, remote: Remote) -> list[DueNote]:
    """What does not stand there as it should, decided from what was read."""
    wanted = [each for each in _notes(found, remote) if not _there(each.body, remote)]
    return wanted if wanted and configured(session, remote).review.comment else []


def _notes(found: Stacked, remote: Remote) -> list[DueNote]:
    pull, parent, ruling = found.pull, found.parent, found.ruling
    number = pull.number or 0
    due: list[DueNote] = []
    about: tuple[int, bool] | None = None
    ended = parent is not None and parent.number > 0 and parent.state is not PullState.OPEN
    if parent is not None and ended and ruling.severity >= Severity.ACTION:
        about = (parent.number, parent.state is PullState.MERGED)
        due.append(DueNote(note(number, *about, ruling.entry), parent.number, False))
    for comment in remote.comments:
        key = noted(comment.body, number) if remote.account.wrote(comment.author) else None
        if key is not None and key != about:
            due.append(DueNote(note_done(number, *key), key[0], True))
    return due


def _there(body: str, remote: Remote) -> bool:
    found = ours(body, remote.account, remote.comments)
    return bool(found) and same(found[0].body, body)


def write_notes(session: Session, found: Stacked, remote: Remote) -> list[int]:
    """The parents that these notes are about, where anything was written: their lists say something else now."""
    parents = []
    for each in due_notes(session, found, remote) if not session.mute else ():
        try:
            done = write_note(
                session.writer, found.pull.number or 0, found.pull.head_sha, each.body, only_edit=each.only_edit
            )
        except Refused as error:
            session.mute = str(error)
            say(f"The note about the stack was not written: {error}")
            return []
        if done in (Do.CREATE, Do.EDIT):
            say(f"Note on {found.pull.number} about {each.parent}: {done.value}.")
            parents.append(each.parent)
    return parents


def keep_list(session: Session, number: int) -> None:
    """Bring the list of children in a parent's own comment up to date."""
    if session.mute or number in session.tending:
        return
    found, remote = look(session, number)
    if remote.pull.state is not PullState.OPEN:
        write_list(session, found, remote, make=False)


def write_list(session: Session, found: Stacked, remote: Remote, *, make: bool) -> None:
    """`make`: also where we have no comment yet."""
    pull = found.pull
    number = pull.number or 0
    there = own_comments(number, remote.account, remote.comments)
    old = there[0] if there else None
    trusted = old is not None and (not old.editor or remote.account.wrote(old.editor))
    known = children_listed(old.body)[0] if old is not None and trusted else ()
    own = found.ruling.entry if found.parent is not None and found.ruling.severity > Severity.NONE else None
    items = _items(session, found, known)
    silent = session.mute or not configured(session, remote).review.comment
    if silent or (not items and own is None and not known) or (old is None and not make):
        return
    gone = found.git.tip(pull.head_ref) == ""
    parents = (found.parent.number,) if found.parent is not None else ()
    part = after_merge(pull.head_ref, pull.state, items, own, gone, (number, *parents))
    rest = without_after(old.body.split("\n", 1)[1]) if old is not None and trusted and "\n" in old.body else ""
    body = f"{marker(number)}\n{part}\n\n{rest.lstrip()}".rstrip()
    if len(body.encode("utf-8", "replace")) > COMMENT_BYTES:
        body = f"{marker(number)}\n{part}"
    done = write_note(session.writer, number, pull.head_sha, body)
    say(f"List of children on {number}: {done.value}.")


def listed_open(remote_body: str) -> tuple[int, ...]:
    return children_listed(remote_body)[1] if after_end() in remote_body else ()


def _items(session: Session, found: Stacked, known: tuple[int, ...]) -> list[Item]:
    """Every child that is or was here, each as it stands now."""
    pull = found.pull
    here = [each.number for each in children_of(pull)]
    numbers = list(dict.fromkeys((*known, *here)))
    if len(numbers) > MAX_CHILDREN:
        return []
    items = []
    for each in numbers:
        child = session.seen.get(each) or look(session, each)[0]
        about_this = child.parent is not None and child.parent.number == pull.number
        needs = child.ruling.entry.needs if about_this and child.ruling.severity >= Severity.ACTION else None
        items.append(Item(each, child.pull.state, needs if needs is not Needs.NOTHING_YET else None))
    return items


def look(session: Session, number: int) -> tuple[Stacked, Remote]:
    """One pull request as it is now, with its stack; remembered for the lists that this run writes."""
    request = session.request
    session.request = plain_request(session, number)
    try:
        remote = session.pulls.read(session.request, number)
        found = stacked(session, remote, _trunks(session, remote))
    finally:
        session.request = request
    session.seen[number] = found
    return found, remote


def _trunks(session: Session, remote: Remote) -> tuple[str, ...]:
    """Those that the configuration names, asked for where they may matter."""
    alone = is_trunk(remote.pull.base_ref, remote.pull.repository) and not remote.pull.children
    return () if alone else configured(session, remote).trunks


def plain_request(session: Session, number: int) -> Request:
    """This run's request, as if it were about that pull request and nobody had asked for more."""
    asked = session.request
    trigger = asked.trigger.__class__(event=STACK, actor=asked.trigger.actor, at=asked.trigger.at)
    return Request(
        Kind.REVIEW, asked.why, trigger, repository=asked.repository, number=number, read_only=asked.read_only
    )
