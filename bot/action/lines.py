"""Findings at their lines: annotations of a check run and comments in the diff, both switched on by settings."""

from __future__ import annotations

from collections.abc import Mapping

from bot.action.session import Session
from bot.forge.trees import Blobs, ForgeTree
from bot.model.finding import Level
from bot.model.remote import Note, Remote, State
from bot.model.review import Review, Verdict, blocks
from bot.model.settings import Settings
from bot.ports import Entry, Tree
from bot.publish.inline import OnLine, decide_inline
from bot.review import words
from bot.review.escape import visible
from bot.review.inline import inline_of, inline_summary

_LEVELS = {Level.ERROR: "failure", Level.WARNING: "warning", Level.NOTE: "notice"}


def write_lines(session: Session, remote: Remote, review: Review, settings: Settings, landed: Tree) -> None:
    if settings.review.annotations:
        state = State.SUCCESS if review.verdict is Verdict.PASS else State.FAILURE
        session.writer.check_run(
            remote.pull.head_sha, visible(words.headline(review)), "Every finding at its line.", state, _notes(review)
        )
    if settings.review.inline_comments:
        _comments(session, remote, review, settings.review.inline_comments, landed)


def _notes(review: Review) -> list[Note]:
    notes = []
    for finding in review.findings:
        level = "failure" if blocks(finding) else _LEVELS[min(finding.level, Level.WARNING)]
        message = visible(f"{finding.says} {finding.do}")
        title = visible(f"{finding.title} ({finding.rule})")
        notes += [Note(at.file, at.line, at.end_line, level, title, message) for at in (finding.at, *finding.twins)]
    return notes


def _comments(session: Session, remote: Remote, review: Review, most: int, landed: Tree) -> None:
    decided = decide_inline(review, remote, most)
    for thread in decided.resolve:
        session.writer.resolve(thread)
    shown = _on_head(session, remote, decided.comments, landed)
    if shown:
        comments = [inline_of(each.finding, each.at) for each in shown]
        session.writer.review_lines(
            remote.pull.number or 0, remote.pull.head_sha, inline_summary(len(comments)), comments
        )


def _on_head(session: Session, remote: Remote, comments: tuple[OnLine, ...], landed: Tree) -> list[OnLine]:
    """Those in files that land as head has them. In a file that base changed too, head's lines have other numbers."""
    if not comments:
        return []
    repository = remote.pull.repository.full_name
    own = ForgeTree(session.client, repository, remote.pull.head_sha, Blobs(session.client, repository)).entries
    here = landed.entries
    return [each for each in comments if _content(own, each.at.file) == _content(here, each.at.file)]


def _content(entries: Mapping[str, Entry], path: str) -> str:
    return entries[path].blob if path in entries else ""
