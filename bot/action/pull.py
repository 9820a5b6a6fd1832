"""Reviews one pull request and writes what there is to write; once more when its head moves meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from bot.action.asked import answer_to, ignores_of, may_ask
from bot.action.configured import configured
from bot.action.gate import Gate, concluded
from bot.action.log import say
from bot.action.notes import STACK, keep_list, write_notes
from bot.action.outputs import append, leave
from bot.action.publishing import publish
from bot.action.reading import read_commit, read_trees
from bot.action.session import Session, now
from bot.action.stacked import Stacked, stacked
from bot.app import Around, Later, review
from bot.commands.review import exit_code
from bot.exit import Exit
from bot.intake.config import ConfigError
from bot.model.pull import PullState
from bot.model.remote import Remote, State
from bot.model.request import Request
from bot.model.review import Review
from bot.model.settings import Settings
from bot.ports import Reading
from bot.publish.decide import Do, own_comments
from bot.review.comment.page import step_summary
from bot.stack.family import later_parts

MAX_HEADS = 3  # pushes that one run follows while it works


class Done(Struct, frozen=True):
    """How one look at one head ended; None as `code`: look again, the head has moved on."""

    code: int | None


def review_pull(session: Session, number: int) -> int:
    """The exit code. Raises ForgeError when GitHub could not be read."""
    for _ in range(MAX_HEADS):
        done = _review_head(session, number)
        if done.code is not None:
            return done.code
        session.request = replace(session.request, head_sha="", base_ref="", head_ref="")
    say("The head kept moving; the runs that these pushes started will tell.")
    return Exit.REVIEWED


def _review_head(session: Session, number: int) -> Done:
    remote = session.pulls.read(session.request, number)
    pull = remote.pull
    if pull.state is not PullState.OPEN:
        say(f"Pull request {number} is {pull.state.value}: there is nothing to review.")
        return Done(Exit.REVIEWED)
    if not _heard(session, remote):
        return Done(Exit.REVIEWED)
    gate = Gate(session.writer, pull.head_sha, session.around.run_url)
    if session.mute:
        gate.refused = session.mute
        say(f"Nothing will be written: {session.mute}.")
    with concluded(gate):
        asked_of = session.request.reviewer or session.request.team
        if not asked_of:
            gate.begin("The review is at work")
        reading = read_trees(session.client, session.around.folder, pull, remote.landing)
        try:
            settings = configured(session.around, reading)
        except ConfigError as error:
            say(f"The configuration cannot be used: {error}")
            gate.conclude(State.ERROR, "The configuration cannot be used; see the log of the run")
            return Done(Exit.USAGE)
        if not _wanted(session.request, settings, remote):
            gate.close()
            return Done(Exit.REVIEWED)
        if asked_of:
            gate.begin("The review is at work")
        if pull.draft and not settings.review.drafts:
            _remember(session, remote, stacked(session, remote, settings.trunks), settings)
            return _draft(gate)
        return _reviewed(session, remote, reading, settings, gate)


def _heard(session: Session, remote: Remote) -> bool:
    """Whether the person behind a command may give it. A refusal is a reaction, and no chatter."""
    command, said = session.request.command, session.request.said
    if command is None or said is None:
        return True
    may_write = session.writer.may_write(said.by)
    if may_ask(command, said.by, remote.pull.author, may_write):
        return True
    say("The command is not followed: its author may not push to this repository.")
    if not session.mute:
        session.writer.react("confused", number=remote.pull.number or 0, comment=said.id)
    return False


def _wanted(request: Request, settings: Settings, remote: Remote) -> bool:
    """A review that was asked of somebody else is theirs. With nobody configured, every such wish is one for us."""
    wanted = settings.review
    asked = request.reviewer or request.team
    if not asked or not (wanted.reviewers or wanted.teams):
        return True
    logins = {login.lower() for login in wanted.reviewers} | {remote.account.login.lower()}
    if request.reviewer.lower() in logins or request.team.lower() in {team.lower() for team in wanted.teams}:
        return True
    say("A review was asked of somebody else; nothing is done.")
    return False


def _draft(gate: Gate) -> Done:
    gate.begin("A draft: it is reviewed when it is ready")
    gate.close()
    say("Drafts are not reviewed here (setting `drafts`).")
    return Done(Exit.REVIEWED)


def _reviewed(session: Session, remote: Remote, reading: Reading, settings: Settings, gate: Gate) -> Done:
    number = remote.pull.number or 0
    said = session.request.said
    react = settings.review.reactions and not session.mute
    target = said.id if said else None
    eyes = session.writer.react("eyes", number=number, comment=target) if react else None
    found = stacked(session, remote, settings.trunks)
    result = _judged(session, remote, reading, settings, found)
    published = publish(session, remote, result, settings, gate, reading.head)
    if published.do is Do.AGAIN:
        say(f"{published.why}: the new head is reviewed.")
        gate.conclude(State.ERROR, "Overtaken by a newer head")
        return Done(None)
    _leave(session, result, published.url)
    _remember(session, remote, found, settings)
    if react and not session.mute:
        clean = not result.findings and not result.gaps and not result.crashes
        if clean and not (remote.thumb and target is None):
            session.writer.react("+1", number=number, comment=target)
        elif remote.thumb and not clean:
            session.writer.take_back_thumb(remote.node)
        if eyes is not None:
            session.writer.unreact(eyes, number=number, comment=target)
    say(f"{session.client.calls} calls to GitHub.")
    return Done(exit_code(result, settings.review.fail_on))


def _remember(session: Session, remote: Remote, found: Stacked, settings: Settings) -> None:
    """The note on this pull request about a parent that has ended, and then the list on that parent."""
    session.seen[found.pull.number or 0] = found
    session.configured = settings
    for parent in write_notes(session, found, remote):
        keep_list(session, parent)


def _judged(session: Session, remote: Remote, reading: Reading, settings: Settings, found: Stacked) -> Review:
    """The review, remembering what our comment says unless somebody else has edited it."""
    ours = own_comments(remote.pull.number or 0, remote.account, remote.comments)
    note, previous = "", None
    if ours and ours[0].editor and not remote.account.wrote(ours[0].editor):
        note = (
            "The earlier comment was edited by somebody else: it is written anew, and what it remembered is not used."
        )
    elif ours:
        previous = ours[0].body
    reading = replace(reading, pull=replace(reading.pull, previous=previous))
    around = Around(
        now=session.request.trigger.at or now(),
        run=session.run,
        stack=found.stack,
        later=lambda: _later(session, found),
        ignore=ignores_of(session.request),
        answer=answer_to(session.request),
        note=note,
    )
    return review(reading, settings, around)


def _later(session: Session, found: Stacked) -> Iterator[Later]:
    for each in later_parts(found.pull, found.git):
        tree = read_commit(session.client, session.around.folder, found.pull.repository.full_name, each.head_sha)
        if tree is not None:
            yield Later(each.number, tree)


def _leave(session: Session, result: Review, url: str) -> None:
    if session.request.trigger.event == STACK:
        append(session.around.summary, step_summary(result))  # one of several, and none that this event was about
    else:
        leave(session.around, result, url)
