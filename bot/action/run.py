"""From an event to an exit code: the whole of one run on GitHub."""

from __future__ import annotations

from bot.action.begin import begin
from bot.action.configured import configured
from bot.action.gate import Gate, concluded
from bot.action.log import say
from bot.action.outputs import append, leave
from bot.action.pull import review_pull
from bot.action.reading import read_group
from bot.action.session import Session, now, session_of
from bot.app import Around, review
from bot.commands.review import exit_code
from bot.exit import Exit
from bot.forge.errors import ForgeError
from bot.intake.config import ConfigError
from bot.intake.environment import Surroundings
from bot.local.failure import LocalError
from bot.model.pull import Pull, Repository
from bot.model.remote import State
from bot.model.request import Kind, Request, Span
from bot.model.review import Verdict
from bot.review.status import status_line


def act(around: Surroundings) -> int:
    """The exit code of this run. Whatever GitHub does, it is never 0 for a review that could not be made."""
    begun = begin(around)
    return carry_out(around, begun) if isinstance(begun, Request) else begun


def carry_out(around: Surroundings, request: Request) -> int:
    session = session_of(around, request)
    try:
        return _done(session)
    except (ForgeError, LocalError) as error:
        why = f"The review could not be made: {error}"
        say(why)
        append(around.summary, f"### Compose review: could not be made\n\n```text\n{_harmless(str(error))}\n```")
        return Exit.INCOMPLETE


def _done(session: Session) -> int:
    request = session.request
    if request.kind is Kind.REMIND:
        from bot.action.remind import after_end, sweep

        return after_end(session, request.number) if request.number is not None else sweep(session)
    if request.span is not None:
        return _group(session, request.span)
    number = request.number
    if number is None and request.head is not None:
        head = request.head
        number = session.writer.pull_with_head(head.sha, head.branch, head.repository)
        if number is None:
            say("No open pull request has that head: there is nothing to publish.")
            return Exit.REVIEWED
    return review_pull(session, number) if number is not None else Exit.REVIEWED


def _group(session: Session, span: Span) -> int:
    """A merge group: its status is what the queue waits for. There is no pull request to comment on."""
    around = session.around
    gate = Gate(session.writer, span.head_sha, around.run_url)
    with concluded(gate):
        gate.begin("The review is at work")
        repository = Repository(full_name=around.repository, server=around.server_url)
        pull = Pull(
            base_ref=span.base_ref,
            base_sha=span.base_sha,
            head_ref=span.head_ref,
            head_sha=span.head_sha,
            repository=repository,
            trigger=session.request.trigger,
        )
        reading = read_group(session.client, around.folder, pull)
        try:
            settings = configured(around, reading)
        except ConfigError as error:
            say(f"The configuration cannot be used: {error}")
            gate.conclude(State.ERROR, "The configuration cannot be used; see the log of the run")
            return Exit.USAGE
        result = review(reading, settings, Around(now=now(), run=session.run))
        code = exit_code(result, settings.review.fail_on)
        state = State.SUCCESS if code == Exit.REVIEWED else State.FAILURE
        gate.conclude(State.ERROR if result.verdict is Verdict.INCOMPLETE else state, status_line(result))
        leave(around, result)
        return code


def _harmless(text: str) -> str:
    """Inside a fence: nothing in it can end it."""
    return text.replace("`", "'")
