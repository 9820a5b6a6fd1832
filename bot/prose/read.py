"""Everything that was written about the change, sentence by sentence: who says what, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from bot.document.comments import comments
from bot.model.node import YamlFile
from bot.model.place import Place
from bot.model.project import Estate
from bot.model.prose import ClaimKind, Medium, Statement
from bot.model.pull import Pull
from bot.prose.claims import Spoken, claims
from bot.prose.names import paths_named
from bot.prose.sentences import Sentence, sentences

# Kinds that only say something when they name a file.
_ABOUT_FILES = (ClaimKind.UNAFFECTED, ClaimKind.LEFT_OUT)


def statements(
    pull: Pull, base: Estate, head: Estate, base_documents: Mapping[str, str], documents: Mapping[str, str]
) -> tuple[Statement, ...]:
    """The claims made in the pull request's text, in the head's comments and in its documents.

    `documents` are the texts of the prose files to read, by path (README.md and the like).
    """
    paths = tuple({**base.files, **head.files})
    found: list[Statement] = []
    for _, text in pull.texts:
        lines = enumerate(text.splitlines(), start=1)
        for sentence, spoken in _spoken(sentences(lines)):
            found.extend(_statement(Medium.PULL_REQUEST, sentence, spoken, None, True, paths))
    for path, file in head.files.items():
        before = base.files.get(path)
        old = _flat(" ".join(_comment_lines(before))) if before is not file else None
        for comment in comments(file):
            for sentence, spoken in _spoken(sentences(enumerate(comment.lines, start=comment.at.line))):
                touched = old is not None and _flat(sentence.text) not in old
                found.extend(_statement(Medium.COMMENT, sentence, spoken, path, touched, paths))
    for path, text in documents.items():
        old = _flat(base_documents.get(path, ""))
        for sentence, spoken in _spoken(sentences(enumerate(text.splitlines(), start=1))):
            touched = _flat(sentence.text) not in old
            found.extend(_statement(Medium.DOCUMENT, sentence, spoken, path, touched, paths))
    return tuple(found)


def _spoken(found: Iterable[Sentence]) -> Iterator[tuple[Sentence, Spoken]]:
    for sentence in found:
        for spoken in claims(sentence.text):
            yield sentence, spoken


def _statement(
    medium: Medium,
    sentence: Sentence,
    spoken: Spoken,
    path: str | None,
    touched: bool,
    paths: tuple[str, ...],
) -> Iterator[Statement]:
    claim = spoken.claim
    if claim.kind in _ABOUT_FILES:
        # After "not": what stands before it is what the sentence is about, not what it leaves out.
        scope = claim.subject if claim.kind is ClaimKind.LEFT_OUT else sentence.text
        named = paths_named(scope, paths) or (
            paths_named(sentence.text, paths) if claim.kind is ClaimKind.LEFT_OUT else ()
        )
        if not named:
            return
        claim = replace(claim, exceptions=named)
    quote = sentence.text if claim.kind in _ABOUT_FILES else sentence.text[spoken.start : spoken.end]
    at = None
    if path is not None:
        at = Place.of_line(path, sentence.line(spoken.start), sentence.line(max(spoken.end - 1, spoken.start)))
    yield Statement(medium, quote.strip(), claim, at, touched)


def _comment_lines(file: YamlFile | None) -> Iterator[str]:
    for comment in comments(file) if file is not None else ():
        yield from comment.lines


def _flat(text: str) -> str:
    """Text without the line breaks and marks that re-wrapping a paragraph moves."""
    return " ".join(word for word in text.split() if word not in {"#", "|", ">", "*", "-"})
