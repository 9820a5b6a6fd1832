"""What stacked pull requests need next: after the end of one, and in a sweep over all that are open."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.action.gate import Gate
from bot.action.log import say
from bot.action.notes import due_notes, keep_list, listed_open, look, plain_request, write_list, write_notes
from bot.action.outputs import append
from bot.action.pull import review_pull
from bot.action.session import Session
from bot.action.stacked import Stacked
from bot.exit import Exit
from bot.forge.errors import ForgeError
from bot.model.pull import PullState, Repository
from bot.model.remote import CONTEXT, Remote, State
from bot.publish.decide import own_comments
from bot.review.words import STACK_FIRST
from bot.stack.family import children_of
from bot.stack.names import is_trunk
from bot.stack.read import MAX_CHILDREN
from bot.stack.table import Severity

MAX_SWEPT = 30  # pull requests that one sweep looks at closely
MAX_REVIEWS = 10  # and those that it reviews anew; the next sweep goes on
MAX_ASKED = 3  # how often it is asked whether a merge has reached the trunk
_BETWEEN = 2.0  # seconds
_NOT_PASSING = frozenset({"failure", "error", "pending"})


def after_end(session: Session, number: int) -> int:
    """A pull request was merged or closed: its children, its own place, and the list in its comment."""
    found, remote = _settled_look(session, number)
    pull = found.pull
    if pull.state is PullState.OPEN:
        say(f"Pull request {number} is open again: its next review tells of its stack.")
        return Exit.REVIEWED
    session.tending.add(number)
    children = [each.number for each in children_of(pull)]
    if len(children) > MAX_CHILDREN:
        say(f"{len(children)} pull requests target this branch: too many to write to each.")
        children = []
    code = _settle_all(session, children)
    lost = found.ruling.severity is Severity.BLOCK
    if lost and not session.mute:
        gate = Gate(session.writer, pull.head_sha, session.around.run_url)
        gate.conclude(State.FAILURE, f"Merged into {pull.base_ref}, and not on its way to the trunk")
    parents = write_notes(session, found, remote) if not lost else []
    write_list(session, found, remote, make=lost or bool(children))
    session.tending.discard(number)
    for parent in (*parents, *((found.parent.number,) if lost and found.parent is not None else ())):
        keep_list(session, parent)
    say(f"{session.client.calls} calls to GitHub.")
    return Exit.FINDINGS if lost else code


def _settle_all(session: Session, numbers: Sequence[int]) -> int:
    """One after the other; what is the matter with one is no reason to leave the rest."""
    left, code = MAX_REVIEWS, Exit.REVIEWED
    for number in numbers:
        try:
            left -= _settle(session, number, left)
        except ForgeError as error:
            say(f"Pull request {number} could not be looked at: {error}")
            code = Exit.INCOMPLETE
    say(f"{len(numbers)} looked at, {MAX_REVIEWS - left} reviewed.")
    return code


def _settled_look(session: Session, number: int) -> tuple[Stacked, Remote]:
    """A merge reaches the branches a moment after its event: what looks lost is looked at again."""
    for tries in range(MAX_ASKED):
        if tries and not session.client.rest(_BETWEEN):
            break
        found, remote = look(session, number)
        if found.ruling.row != "not-on-trunk":
            break
    return found, remote


def sweep(session: Session) -> int:
    """Some changes of a base send no event, and some events come while nobody may write."""
    swept = session.pulls.sweep()
    home = Repository(default_branch=swept.default_branch)
    stacked = [number for number, base in swept.open if not is_trunk(base, home)]
    waiting: dict[int, tuple[int, ...]] = {}
    for number, comments in swept.merged:
        for comment in own_comments(number, swept.account, comments)[:1]:
            if open_ := listed_open(comment.body):
                waiting[number] = open_
    numbers = list(dict.fromkeys((*stacked, *(child for open_ in waiting.values() for child in open_))))
    if len(numbers) > MAX_SWEPT:
        say(f"{len(numbers)} pull requests are stacked; this sweep looks at {MAX_SWEPT}.")
    session.tending.update(waiting)
    code = _settle_all(session, numbers[:MAX_SWEPT])
    session.tending.clear()
    for parent, children in waiting.items():
        if any(child in session.seen for child in children):
            keep_list(session, parent)
    say(f"{session.client.calls} calls to GitHub.")
    return code


def _settle(session: Session, number: int, left: int) -> int:
    """Bring one pull request in order: a review where its status or its note is not right. How many were made."""
    found, remote = look(session, number)
    due = due_notes(session, found, remote)
    if found.pull.state is not PullState.OPEN:
        for parent in write_notes(session, found, remote):
            keep_list(session, parent)
        return 0
    blocks = found.ruling.severity is Severity.BLOCK
    if not due and not _misjudged(remote, blocks):
        return 0
    if session.mute or left <= 0:
        say(f"Pull request {number} waits for the next sweep.")
        return 0
    append(session.around.summary, f"## Pull request {number}")
    kept = session.request
    session.request = replace(plain_request(session, number), native_stack=found.pull.native_stack)
    try:
        review_pull(session, number)
    finally:
        session.request = kept
    return 1


def _misjudged(remote: Remote, blocks: bool) -> bool:
    """Whether the status of the head says something else than its stack."""
    status = next((each for each in remote.checks if each.name == CONTEXT), None)
    if blocks:
        return status is None or status.state not in _NOT_PASSING
    return status is not None and status.state == "failure" and STACK_FIRST in status.says.lower()
