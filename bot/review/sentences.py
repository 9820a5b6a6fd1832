"""The two to four sentences that say what a change does to the resolved model."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model.change import Change, Move
from bot.model.facts import Role
from bot.model.prose import ClaimKind, Judgement, Medium
from bot.model.text import counted
from bot.review.clauses import Namer, clauses

MAX_CLAUSES = 3
AS_SAID = ", as the description says"

# Roles as people speak of them, in the order of the sentence. Routing is what a web server and a registrar do.
_KINDS: Mapping[str, frozenset[Role]] = {
    "engine": frozenset({Role.ENGINE}),
    "proxy": frozenset({Role.PROXY}),
    "routing": frozenset({Role.WEB_SERVER, Role.REGISTRAR}),
    "telemetry": frozenset({Role.TELEMETRY}),
    "database": frozenset({Role.DATABASE}),
}


def told(change: Change, name: Namer) -> tuple[str, bool]:
    """The sentences, and whether they speak of everything that changes in the model."""
    found = clauses(change.moves, name)
    left = len(found) - MAX_CLAUSES
    sentences = []
    if found:
        more = [f"{counted(left, 'more change')} {'is' if left == 1 else 'are'} listed below"] if left > 0 else []
        sentences.append("; ".join([*found[:MAX_CLAUSES], *more]))
    sentences += [*_same_model(change, name), *_unchanged(change), *_other_files(change, name), *_broken(change, name)]
    return " ".join(f"{_capital(sentence)}." for sentence in sentences), left <= 0


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _same_model(change: Change, name: Namer) -> list[str]:
    """Compose files that were edited and resolve to what they were."""
    comments: list[str] = []
    written: list[str] = []
    for move in change.moves:
        if move.head is None or not move.comparable or _differs(move):
            continue
        touched = [file for file in change.files if file.path in move.head.files]
        (comments if touched and all(file.comments_only for file in touched) else written).append(move.path)
    sentences = []
    if comments:
        change_them = (
            "changes in comments only; its model is"
            if len(comments) == 1
            else "change in comments only; their models are"
        )
        sentences.append(f"{name.several(comments)} {change_them} identical")
    if written:
        differ = (
            "is written differently; its model is" if len(written) == 1 else "are written differently; their models are"
        )
        sentences.append(f"{name.several(written)} {differ} identical")
    return sentences


def _differs(move: Move) -> bool:
    return bool(clauses([move], Namer({})))


def _unchanged(change: Change) -> list[str]:
    """The kinds of services that are there and stay as they are, where others change."""
    changed = {each.known.facts.role for move in change.moves for each in move.changed}
    if not changed:
        return []
    present = {each.known.facts.role for move in change.moves for each in move.services}
    same = [word for word, roles in _KINDS.items() if roles & present and not roles & changed]
    if not same:
        return []
    kinds = same[0] if len(same) == 1 else f"{', '.join(same[:-1])} or {same[-1]}"
    return [f"No {kinds} service changes{_as_said(change)}"]


def _as_said(change: Change) -> str:
    """The author said so too: the sentence confirms theirs."""
    return AS_SAID if any(says_the_same(judged) for judged in change.judgements) else ""


def says_the_same(judged: Judgement) -> bool:
    """Whether the author's statement is what the sentence about unchanged kinds says as well."""
    said = judged.statement
    return bool(judged.holds) and said.medium is Medium.PULL_REQUEST and said.claim.kind is ClaimKind.NO_CHANGE


def _other_files(change: Change, name: Namer) -> list[str]:
    """Files that no Compose project reads."""
    read = {path for move in change.moves for project in (move.base, move.head) if project for path in project.files}
    others = [file.path for file in change.files if file.path not in read and file.old_path not in read]
    if not others:
        return []
    if len(others) == len(change.files):
        return [
            f"No Compose file changes; {counted(len(others), 'other file')} {_does(others)}: {name.several(others)}"
        ]
    return [f"{name.several(others)} {'changes' if len(others) == 1 else 'change'} too"]


def _does(paths: list[str]) -> str:
    return "does" if len(paths) == 1 else "do"


def _broken(change: Change, name: Namer) -> list[str]:
    """Files of which less is known than of others, and why."""
    heads = [(move, move.head) for move in change.moves if move.head is not None]
    unread = [move.path for move, head in heads if head.unread]
    mended = [move.path for move, head in heads if move.base is not None and move.base.unread and not head.unread]
    broken = [move.path for move, head in heads if head.problems and not head.unread]
    said = (
        (unread, "cannot be parsed: nothing is said of what {it} holds"),
        (mended, "could not be parsed before: what {it} changes is not known"),
        (broken, "{is_} not valid Compose: what is said of {it} may be incomplete"),
    )
    return [f"{name.several(paths)} {_of(text, len(paths))}" for paths, text in said if paths]


def _of(text: str, count: int) -> str:
    return text.format(it="it", is_="is") if count == 1 else text.format(it="each", is_="are")
