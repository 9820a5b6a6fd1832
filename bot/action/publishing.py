"""Comment, status and the optional surfaces of one review; whatever fails, the rest is still written."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from bot.action.gate import Gate
from bot.action.lines import write_lines
from bot.action.log import say
from bot.action.session import Session
from bot.forge.errors import ForgeError, Refused, Rejected
from bot.model.remote import Remote, State
from bot.model.review import Review, Verdict
from bot.model.settings import Settings
from bot.ports import Tree
from bot.publish.comment import Written, write_comment
from bot.publish.decide import Do, Wanted, own_comments
from bot.review.comment.page import COMMENT_BYTES, markdown
from bot.review.status import status_line

# When GitHub finds a body too long all the same, the next size is tried.
_SIZES = (COMMENT_BYTES, 40_000, 20_000, 6_000)


class Published(Struct, frozen=True):
    do: Do
    why: str
    url: str = ""


def publish(
    session: Session, remote: Remote, review: Review, settings: Settings, gate: Gate, landed: Tree
) -> Published:
    """Write it all. A refusal ends all writing at once; other failures end only what they hit."""
    written = Written(Do.LEAVE, "comments are switched off (setting `comment`)", None)
    if session.mute:
        written = Written(Do.LEAVE, session.mute, None)
    elif settings.review.comment:
        written = _comment(session, remote, review)
    say(f"Comment: {written.do.value}: {written.why}.")
    url = written.comment.url if written.comment is not None else ""
    if written.do is Do.AGAIN:
        return Published(Do.AGAIN, written.why, url)
    if not session.mute:
        _try(session, "Line comments and annotations", lambda: write_lines(session, remote, review, settings, landed))
    if not gate.conclude(_state(review, settings), status_line(review), url) and not gate.refused:
        say("The exit code of this run carries the verdict.")
    return Published(written.do, written.why, url)


def _comment(session: Session, remote: Remote, review: Review) -> Written:
    number = remote.pull.number or 0
    for size in _SIZES:
        wanted = Wanted(
            number=number,
            head_sha=remote.pull.head_sha,
            base_ref=remote.pull.base_ref,
            body=markdown(review, size),
            run=session.run,
            quiet=_quiet(review, session),
        )
        try:
            return write_comment(session.writer, wanted)
        except Rejected as error:
            say(f"The comment was not taken at {size} bytes: {error}")
        except Refused as error:
            session.mute = str(error)
            say(_ADVICE)
            return Written(Do.LEAVE, f"GitHub refuses to let this token write ({error})", None)
        except ForgeError as error:
            ours = own_comments(number, remote.account, remote.comments)
            return Written(Do.LEAVE, f"GitHub could not be reached in time ({error})", ours[0] if ours else None)
    return Written(Do.LEAVE, "GitHub takes the comment in no size", None)


_ADVICE = (
    "The review is in the summary of this run and its verdict in the exit code. To have it posted, give the job "
    "the permissions pull-requests: write and statuses: write; for pull requests of forks add the second workflow "
    "of the two-step set-up (on: workflow_run)."
)


def _quiet(review: Review, session: Session) -> bool:
    """A change that touches no Compose file and has no finding needs no comment, unless somebody asked."""
    asked = session.request.command is not None or session.request.trigger.action == "review_requested"
    spoken = review.findings or review.excluded or review.resolved or review.stack.children or review.stack.parent
    return not (asked or review.compose or spoken or review.verdict is not Verdict.PASS)


def _state(review: Review, settings: Settings) -> State:
    """The status follows `fail_on` as the exit code does; what was not seen whole is never a success."""
    from bot.commands.review import exit_code
    from bot.exit import Exit

    if review.verdict is Verdict.INCOMPLETE:
        return State.ERROR
    return State.SUCCESS if exit_code(review, settings.review.fail_on) == Exit.REVIEWED else State.FAILURE


def _try(session: Session, what: str, work: Callable[[], None]) -> None:
    try:
        work()
    except Refused as error:
        session.mute = session.mute or str(error)
        say(f"{what} were not written: {error}")
    except ForgeError as error:
        say(f"{what} were not written: {error}")
