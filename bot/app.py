"""Joins the rooms: what was read of the world becomes a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot import rulebook
from bot.change.files import changed_files
from bot.change.pins import content_pins
from bot.compose.load import Cache, load_estate
from bot.facts.read import read_facts
from bot.model.change import Change, FileChange, FileStatus, Move
from bot.model.finding import Findings, Gap
from bot.model.project import Estate
from bot.model.review import Review, verdict_of
from bot.model.settings import Settings
from bot.ports import EntryKind, Reading, Tree
from bot.prose.judge import judge
from bot.prose.read import statements
from bot.review.build import build
from bot.rounds.advance import advance

# Prose files whose sentences are held against the model. The limits are far above what people write by hand.
DOCUMENTS = (".md", ".markdown", ".rst")
MAX_DOCUMENTS = 200
MAX_DOCUMENT_BYTES = 400_000


@dataclass(frozen=True)
class Examined:
    """A change, and what the rules say about it."""

    change: Change
    findings: Findings


def review(reading: Reading, settings: Settings, now: str = "") -> Review:
    """One round: what was read, what the rules say of it, and what the last comment remembers."""
    examined = examine(reading, settings)
    change, found = examined.change, examined.findings
    verdict = verdict_of(found, change.conflicts, None)
    off = [rule for rule, level in settings.levels.items() if level is None]
    round_ = advance(
        reading.pull, found, verdict, now=now, base_name=reading.base_name, off=off, conflicts=change.conflicts
    )
    return build(change, found, round_, base_name=reading.base_name, head_name=reading.head_name)


def examine(reading: Reading, settings: Settings) -> Examined:
    """Everything that can be said about a change without its history: pure from here on."""
    change, gaps = change_of(reading, settings)
    found = rulebook.run(change)
    return Examined(change, replace(found, gaps=(*reading.gaps, *gaps, *found.gaps)))


def change_of(reading: Reading, settings: Settings) -> tuple[Change, tuple[Gap, ...]]:
    cache = Cache()
    base, base_gaps = load_estate(reading.base, settings, read_facts, cache)
    head, head_gaps = load_estate(reading.head, settings, read_facts, cache)
    files = changed_files(reading.base, reading.head)
    old_texts, texts = _documents(reading.base, reading.head, files)
    change = Change(
        pull=reading.pull,
        settings=settings,
        files=files,
        base=base,
        head=head,
        moves=moves_of(base, head, files),
        statements=statements(reading.pull, base, head, old_texts, texts),
        pins=content_pins(reading.base, reading.head, files),
        conflicts=reading.conflicts,
        texts={path: tuple(text.split("\n")) for path, text in texts.items()},
    )
    old = {(gap.what, gap.why) for gap in base_gaps}
    gaps = [gap for gap in head_gaps if (gap.what, gap.why) not in old]
    gaps += [Gap(file.path, file.unread) for file in files if file.unread is not None]
    return replace(change, judgements=judge(change)), tuple(gaps)


def moves_of(base: Estate, head: Estate, files: tuple[FileChange, ...]) -> tuple[Move, ...]:
    """The projects that read a touched file, each with what it was before."""
    touched_base = {file.old_path for file in files if file.status is not FileStatus.ADDED}
    touched_head = {file.path for file in files if file.status is not FileStatus.DELETED}
    old_path = {file.path: file.old_path for file in files}
    moves = []
    paired = set()
    for path, project in head.projects.items():
        before = base.projects.get(old_path.get(path, path))
        touched = touched_head & set(project.files) or (before is not None and touched_base & set(before.files))
        if before is not None:
            paired.add(before.path)
        if touched or before is None:
            moves.append(Move(before, project))
    moves.extend(Move(project, None) for path, project in base.projects.items() if path not in paired)
    return tuple(moves)


def _documents(base: Tree, head: Tree, files: tuple[FileChange, ...]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The prose files, before (by their head path) and after; the touched ones first where there are many."""
    old_path = {file.path: file.old_path for file in files}
    chosen = [
        path
        for path, entry in head.entries.items()
        if path.lower().endswith(DOCUMENTS) and entry.kind is EntryKind.FILE and (entry.size or 0) <= MAX_DOCUMENT_BYTES
    ]
    chosen.sort(key=lambda path: (path not in old_path, path.count("/"), path))
    chosen = chosen[:MAX_DOCUMENTS]
    new = head.read_many(chosen)
    old = base.read_many({old_path.get(path, path) for path in chosen} & set(base.entries))
    before = {path: _text(old[home]) for path in chosen if (home := old_path.get(path, path)) in old}
    return before, {path: _text(data) for path, data in new.items()}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
