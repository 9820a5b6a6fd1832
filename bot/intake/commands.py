"""The first line of a comment as a command."""

from __future__ import annotations

import re

from bot.model.request import Command, Verb

NAME = "/compose-review"

# The line must be the command and nothing else, so that a sentence about the bot, a quote or another
# bot's help text never starts one. Blanks at its end are invisible to the person who typed it.
_LINE = re.compile(rf"{NAME}(?: +(?P<rest>\S.*?))?[ \t]*")
_EXPLAIN = re.compile(r"explain +(?P<rule>[a-z0-9][a-z0-9-]*)")
_IGNORE = re.compile(
    r"ignore +(?P<rule>[a-z0-9][a-z0-9-]*)(?: +(?P<path>\S(?:.*?\S)?))? +because +(?P<because>\S.*)"
)
MAX_LINE = 1_000  # characters; a longer first line is prose


def command_of(body: str) -> Command | None:
    """The command that a comment is, None when it is not addressed to us."""
    line = re.split(r"\r\n|\r|\n", body, maxsplit=1)[0]
    found = _LINE.fullmatch(line) if len(line) <= MAX_LINE else None
    if found is None:
        return None
    rest = found["rest"]
    if rest is None:
        return Command(Verb.REVIEW)
    if rest == "help":
        return Command(Verb.HELP)
    if explain := _EXPLAIN.fullmatch(rest):
        return Command(Verb.EXPLAIN, rule=explain["rule"])
    if ignore := _IGNORE.fullmatch(rest):
        path = (ignore["path"] or "").strip("`")
        return Command(Verb.IGNORE, rule=ignore["rule"], path=path, because=ignore["because"])
    return Command(Verb.UNKNOWN)
