"""What really changes, told from the model: facts for every page, and two to four sentences."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change, FileChange, FileStatus, Move
from bot.model.prose import Medium
from bot.model.review import FileLine, ServiceLine, StatementLine, Summary
from bot.review.clauses import Namer, kind_of
from bot.review.edits import edits
from bot.review.names import short_names
from bot.review.resources import resources
from bot.review.sentences import AS_SAID, says_the_same, told


def summarise(change: Change) -> Summary:
    names = short_names(file.path for file in change.files)
    text, all_told = told(change, Namer(names))
    return Summary(
        text=text,
        files=tuple(_file(file, names[file.path]) for file in change.files),
        services=tuple(line for move in change.moves for line in _services(move)),
        resources=tuple(line for move in change.moves for line in resources(move)),
        statements=_statements(change, text),
        all_told=all_told,
    )


def _file(file: FileChange, name: str) -> FileLine:
    renamed = file.old_path if file.status is FileStatus.RENAMED else ""
    return FileLine(file.path, file.status, file.comments_only, renamed, "" if name == file.path else name)


def _services(move: Move) -> Iterator[ServiceLine]:
    for each in move.changed:
        detail = tuple(line for edit in edits(each) for line in edit.detail)
        yield ServiceLine(move.path, each.name, each.known.facts.role, kind_of(each), each.fields, detail)


def _statements(change: Change, text: str) -> tuple[StatementLine, ...]:
    """What the author says in this pull request and the model decides: each sentence once."""
    found: dict[tuple[str, str], StatementLine] = {}
    for judged in change.judgements:
        said = judged.statement
        if judged.holds is None or not (said.touched or said.medium is Medium.PULL_REQUEST):
            continue
        key = (str(said.medium), said.quote)
        if key not in found or not judged.holds:
            told = says_the_same(judged) and AS_SAID in text
            found[key] = StatementLine(said.said_in, said.quote, judged.holds, said.at, told)
    return tuple(found.values())
