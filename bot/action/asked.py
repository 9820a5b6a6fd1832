"""What a command in a comment asks for, and what the comment answers."""

from __future__ import annotations

from difflib import get_close_matches

from bot.model.request import Command, Request, Verb
from bot.model.review import Answer, IgnoreRequest
from bot.rulebook import catalogue

HELP = """\
The first line of a comment can be one of these, and nothing else:

`/compose-review` reviews again; `/compose-review explain RULE` tells what a rule is about;
`/compose-review ignore RULE [path] because …` takes a finding off the list until it changes;
`/compose-review help` is this list.

Only people who may push to this repository are heard; the author may ask for a plain review."""


def answer_to(request: Request) -> Answer | None:
    """None for a plain review, which is its own answer."""
    command, said = request.command, request.said
    if command is None or said is None or command.verb is Verb.REVIEW:
        return None
    if command.verb is Verb.EXPLAIN:
        return Answer(f"explain {command.rule}", said.by, _page(command.rule))
    if command.verb is Verb.IGNORE:
        if command.rule not in {rule.id for rule in catalogue()}:
            return Answer(f"ignore {command.rule}", said.by, _unknown(command.rule))
        return None
    return Answer("help" if command.verb is Verb.HELP else "a command that is not known", said.by, HELP)


def ignores_of(request: Request) -> tuple[IgnoreRequest, ...]:
    command, said = request.command, request.said
    if command is None or said is None or command.verb is not Verb.IGNORE:
        return ()
    return (IgnoreRequest(command.rule, command.path, said.by, command.because, said.at),)


def may_ask(command: Command, by: str, author: str, may_write: bool) -> bool:
    """Whoever may push; the author of the pull request too, for a plain review."""
    return may_write or (command.verb is Verb.REVIEW and bool(author) and by.lower() == author.lower())


def _page(name: str) -> str:
    found = next((rule for rule in catalogue() if rule.id == name), None)
    if found is None:
        return _unknown(name)
    words = found.page.strip().split("\n## ", 1)[0]
    return f"{words}\n\nReported as {found.level.word}; `compose-review rules {found.id}` shows examples."


def _unknown(name: str) -> str:
    close = get_close_matches(name, [rule.id for rule in catalogue()], n=1)
    return f"There is no rule `{name}`" + (f"; did you mean `{close[0]}`?" if close else ".")
