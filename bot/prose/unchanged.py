"""Judges what a pull request says does not change, or happens just once."""

from __future__ import annotations

import re
from collections import Counter

from bot.model.change import Change, ServiceMove
from bot.model.finding import Related
from bot.model.prose import Judgement, Statement
from bot.model.text import code, codes, listed
from bot.prose.names import last_part, paths_named, roles_of, squash
from bot.prose.possession import downloads

# Words of a sentence that name no file, however much of one's name they are.
_COMMON = {
    "file",
    "files",
    "compose",
    "yaml",
    "committed",
    "change",
    "changes",
    "only",
    "this",
    "request",
    "pull",
    "prod",
}


def no_change(statement: Statement, change: Change) -> Judgement:
    words = [word.strip() for word in statement.claim.subject.split(",")]
    roles = {role for word in words for role in roles_of(word)}
    changed = [each for move in change.moves for each in move.changed if each.known.facts.role in roles]
    return _judged(statement, changed, ("no-change", *sorted(words)))


def unaffected(statement: Statement, change: Change) -> Judgement:
    if len(statement.claim.exceptions) != 1:
        return Judgement(statement, None)  # with two files named, which one is meant is a guess
    path = statement.claim.exceptions[0]
    changed = [each for move in change.moves if path in (move.path, move.home) for each in move.changed]
    return _judged(statement, changed, ("unaffected", change.home(path)))


def comments_only(statement: Statement, change: Change) -> Judgement:
    files = _files_meant(statement.claim.subject, change)
    if not files:
        return Judgement(statement, None)
    changed = [each for move in change.moves if move.path in files for each in move.changed]
    return _judged(statement, changed, ("comments-only", *sorted(change.home(path) for path in files)))


def exactly_once(statement: Statement, change: Change) -> Judgement:
    if not re.search(r"download|fetch|snapshot", statement.claim.subject, re.IGNORECASE):
        return Judgement(statement, None)
    seen = [(move.head, list(downloads(move.head))) for move in change.moves if move.head is not None]
    if not any(found for _, found in seen):
        return Judgement(statement, None)
    repeated = []
    for _, found in seen:
        counts = Counter(download.ref for download in found)
        repeated.extend([each for each in found if counts[each.ref] > 1][1:])
    if not repeated:
        return Judgement(statement, True)
    return Judgement(
        statement,
        False,
        about=("exactly-once", *sorted({download.ref for download in repeated})),
        says=f"The text says {code(statement.quote)}, but {code(repeated[0].ref)} is downloaded more than once.",
        do="Drop the second download.",
        evidence=tuple(Related(download.at, f"downloads {code(download.ref)} again") for download in repeated),
    )


def _files_meant(subject: str, change: Change) -> tuple[str, ...]:
    """The changed Compose files that a phrase names: by path, by a word of their names, or all of them."""
    paths = [move.path for move in change.moves]
    named = paths_named(subject, paths)
    if named:
        return named
    words = {squash(word) for word in subject.split()} - _COMMON
    meant = [path for path in paths if any(len(word) >= 4 and word in squash(last_part(path)) for word in words)]
    if len(meant) == 1:
        return tuple(meant)
    whole = not subject.strip() or re.search(r"\b(?:this\s+(?:pr|pull|change)|the\s+change)\b", subject, re.IGNORECASE)
    return tuple(paths) if whole and not meant else ()


def _judged(statement: Statement, changed: list[ServiceMove], about: tuple[str, ...]) -> Judgement:
    if not changed:
        return Judgement(statement, True)
    names = sorted({each.name for each in changed})
    verb = "changes" if len(names) == 1 else "change"
    return Judgement(
        statement,
        False,
        about=about,
        says=f"The text says {code(statement.quote)}, but {codes(names)} {verb}.",
        do="Correct the text, or take the change out.",
        evidence=tuple(Related(each.known.at, _what(each)) for each in changed),
    )


def _what(each: ServiceMove) -> str:
    if each.before is None:
        return f"{code(each.name)} is new"
    if each.after is None:
        return f"{code(each.name)} is removed"
    return f"{code(each.name)} changes ({listed(list(each.fields))})"
