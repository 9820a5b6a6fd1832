"""Joins the rooms: what was read of the world becomes a review."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from bot import rulebook
from bot.change.files import changed_files
from bot.change.mentions import MOST_GONE, gone_files, mentions
from bot.change.pins import content_pins
from bot.compose.load import Cache, load_estate
from bot.deploy.command import read_command
from bot.deploy.plans import plans
from bot.deploy.prerequisites import prerequisites
from bot.facts.read import reader
from bot.intake.config import CONFIG_PATHS
from bot.model.change import Change, FileChange, FileStatus, Move
from bot.model.contract import ContractResults
from bot.model.finding import Check, CheckStatus, Finding, Findings, Gap, Level
from bot.model.project import Estate, Problem
from bot.model.review import Answer, IgnoreRequest, Review, Stack, verdict_of
from bot.model.settings import Settings
from bot.ports import EntryKind, Limited, Reading, Tree
from bot.prose.judge import judge
from bot.prose.read import statements
from bot.review.build import build
from bot.rounds.advance import advance

# Prose files whose sentences are held against the model. The limits are far above what people write by hand.
DOCUMENTS = (".md", ".markdown", ".rst")
MAX_DOCUMENTS = 200
MAX_DOCUMENT_BYTES = 400_000
NAMED_NO_MORE = "gone files are named no more"  # a check that may be skipped

Gaps = tuple[Gap, ...]


class Examined(Struct, frozen=True):
    """A change, and what the rules say about it."""

    change: Change
    findings: Findings


class Later(Struct, frozen=True):
    """A pull request that builds on the reviewed one, with all of it: what its head is like."""

    number: int
    head: Tree


class Around(Struct, frozen=True):
    """What only a run on GitHub knows: its place in time, its stack, what a person asked it."""

    now: str = ""  # ISO 8601 in UTC
    run: int = 0
    stack: Stack | None = None
    ignore: tuple[IgnoreRequest, ...] = ()
    answer: Answer | None = None
    note: str = ""  # why nothing is remembered of earlier rounds
    later: Callable[[], Iterator[Later]] = lambda: iter(())  # the nearest first; read only where it matters


def review(reading: Reading, settings: Settings, around: Around = Around()) -> Review:
    """One round: what was read, what the rules say of it, and what the last comment remembers."""
    examined = examine(reading, settings)
    change, found = examined.change, _repaired_later(examined.findings, reading, settings, around)
    verdict = verdict_of(found, change.conflicts, around.stack)
    off = [rule for rule, level in settings.levels.items() if level is None]
    round_ = advance(
        reading.pull,
        found,
        verdict,
        now=around.now,
        base_name=reading.base_name,
        off=off,
        conflicts=change.conflicts,
        ignore=around.ignore,
    )
    made = build(
        change,
        found,
        round_,
        base_name=reading.base_name,
        head_name=reading.head_name,
        stack=around.stack,
        answer=around.answer,
        run=around.run,
    )
    return replace(made, note=" ".join(filter(None, (around.note, made.note))))


def _repaired_later(found: Findings, reading: Reading, settings: Settings, around: Around) -> Findings:
    """A finding that a later part of the stack repairs weighs one level less, and says who repairs it."""
    open_ = {each.fingerprint for each in found.findings if each.level > Level.NOTE and not each.inherited}
    known = {(gap.what, gap.why) for gap in found.gaps}
    by: dict[str, int] = {}
    for later in around.later() if open_ else ():
        other = examine(replace(reading, head=later.head, conflicts=(), gaps=()), settings).findings
        unseen = other.crashes or any((gap.what, gap.why) not in known for gap in other.gaps)
        if not unseen:  # what could not be read is no repair
            there = {each.fingerprint for each in other.findings}
            by |= dict.fromkeys(open_ - there - by.keys(), later.number)
        if open_ == by.keys():
            break
    return replace(found, findings=tuple(_lowered(each, by.get(each.fingerprint)) for each in found.findings))


def _lowered(finding: Finding, by: int | None) -> Finding:
    if by is None:
        return finding
    says = f"{finding.says} `#{by}`, which builds on this, repairs it: merge the two together or that one soon after."
    return replace(finding, level=Level(finding.level - 1), says=says)


def examine(reading: Reading, settings: Settings) -> Examined:
    """Everything that can be said about a change without its history: pure from here on."""
    change, gaps = change_of(reading, settings)
    found = rulebook.run(change)
    for tree, check in ((reading.base, "content pins are renewed"), (reading.head, NAMED_NO_MORE)):
        if isinstance(tree, Limited) and tree.unsearched:
            skipped = Check(check, CheckStatus.SKIPPED, why=tree.unsearched)
            found = replace(found, checks=(*found.checks, skipped))
    if (count := len(gone_files(change.files, reading.head))) > MOST_GONE:
        why = f"{count} files are renamed or deleted; looked for were the first {MOST_GONE}"
        found = replace(found, checks=(*found.checks, Check(NAMED_NO_MORE, CheckStatus.SKIPPED, why=why)))
    return Examined(change, replace(found, gaps=(*reading.gaps, *gaps, *found.gaps)))


def change_of(reading: Reading, settings: Settings) -> tuple[Change, tuple[Gap, ...]]:
    cache, read_facts = Cache(), reader(settings.roles)
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
        mentions=mentions(reading.base, reading.head, files),
        conflicts=reading.conflicts,
        texts={path: tuple(text.split("\n")) for path, text in texts.items()},
    )
    change = replace(
        change,
        plans=plans(base, head, change.moves, settings),
        prerequisites=prerequisites(base, head, change.moves, settings, reading.pull, change.texts),
    )
    old = {(gap.what, gap.why) for gap in base_gaps}
    gaps = [gap for gap in head_gaps if (gap.what, gap.why) not in old]
    gaps += [Gap(file.path, file.unread) for file in files if file.unread is not None]
    unknown = read_command(settings.deploy).unknown
    gaps += [Gap("what the deploy does", unknown)] if unknown and change.moves else []
    gaps += [
        Gap(why.at.file, f"it cannot be parsed, so nothing else is known of it: line {why.at.line}, {why.says}")
        for why in _unparsed(change)
    ]
    contracts, unusable = _contracts(reading, settings, change, (base_gaps, head_gaps))
    return replace(change, judgements=judge(change), contracts=contracts), (*gaps, *unusable)


def _contracts(
    reading: Reading, settings: Settings, change: Change, gaps: tuple[Gaps, Gaps]
) -> tuple[ContractResults, Gaps]:
    """What contracts say, for whom there are some: they bring a language and its sandbox along, imported only then."""
    stated = settings.contracts is not None or settings.use
    if not stated and not any({file.path, file.old_path} & set(CONFIG_PATHS) for file in change.files):
        return ContractResults(), ()
    from bot.promises import contracts_of

    return contracts_of(reading, settings, change, gaps)


def _unparsed(change: Change) -> Iterator[Problem]:
    """Why touched projects could not be parsed: what else is wrong with them, nobody can say."""
    for move in change.moves:
        if move.head is not None and move.head.unread is not None:
            yield move.head.unread


def moves_of(base: Estate, head: Estate, files: tuple[FileChange, ...]) -> tuple[Move, ...]:
    """The projects that read a touched file or resolve differently, each with what it was before."""
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
        move = Move(before, project)
        if touched or before is None or move.changed:
            moves.append(move)  # changed without a touched file: through a `.env`, an env_file, a label_file
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
