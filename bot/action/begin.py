"""What an event asks for, and whether anything can come of it: all that an ignored event pays for."""

from __future__ import annotations

import re

from bot.action.log import say
from bot.exit import Exit
from bot.intake.environment import Surroundings
from bot.intake.event import Event, EventError, request_of
from bot.model.request import Kind, Request

_SERVICE = re.compile(r"[A-Za-z0-9_.-]+")


def begin(around: Surroundings) -> Request | Exit:
    """The request to carry out, or the exit code when there is none."""
    try:
        request = request_of(Event(around.event, around.payload, around.inputs.pull_request))
    except EventError as error:
        say(str(error))
        return Exit.USAGE
    say(f"{request.why[:1].upper()}{request.why[1:]}.")
    if request.kind is Kind.IGNORE:
        return Exit.REVIEWED
    if not around.inputs.token:
        say("No token: give the step the input `token`, or GITHUB_TOKEN in its environment.")
        return Exit.USAGE
    wrong = _unreadable(around.inputs.deploy)
    if wrong:
        say(f"The input `deploy` cannot be used: {wrong}.")
        return Exit.USAGE
    return request


def _unreadable(deploy: str) -> str:
    """Why no plan can be made for a deploy command, empty when one can."""
    if not deploy:
        return ""
    from bot.deploy.command import read_command

    command = read_command(deploy)
    strange = [name for name in command.services if not _SERVICE.fullmatch(name)]
    return command.unknown or (f"no service can be called `{ascii(strange[0])[1:-1]}`" if strange else "")
