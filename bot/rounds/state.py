"""Memory as text: one HTML comment that holds base64 of JSON, and back, trusting nothing in it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any

from msgspec.structs import replace

from bot.model.finding import Level
from bot.model.marker import is_marked, marked_number
from bot.model.pull import Trigger
from bot.model.review import Activity, Ending, Ignore, Known, NotRechecked, Resolved, Verdict
from bot.rounds.memory import MAX_KNOWN, MAX_ROWS, Memory

VERSION = 1
MAX_BYTES = 65_536  # of a whole comment: GitHub's own limit
MAX_TEXT = 1_000  # characters of any one text in it

_STATE = re.compile(r"<!-- compose-review:state v(\d{1,4}) ([A-Za-z0-9+/=]*) -->")


class Unreadable(Exception):
    """Why a state cannot be used. The message is ours and holds nothing of the state."""


def written(memory: Memory) -> str:
    """The state as the last line of the comment. Base64, since a text that holds `-->` would end it."""
    data = json.dumps(_plain(memory), separators=(",", ":"), ensure_ascii=True)
    return f"<!-- compose-review:state v{VERSION} {base64.b64encode(data.encode()).decode()} -->"


def recalled(body: str | None, number: int | None) -> tuple[Memory | None, str]:
    """The memory in our last comment, and why there is none where there should be one."""
    if body is None or not body.strip():
        return None, ""
    try:
        return _read(body, number), ""
    except Unreadable as error:
        return None, str(error)


def run_of(body: str) -> int:
    """The run that wrote a comment, 0 where it does not say. Used to order runs, never to trust one."""
    try:
        return _read(body, None).run
    except Unreadable:
        return 0


def says_the_same(one: str, other: str) -> bool:
    """Whether two comments differ at most in the run that wrote them."""
    return _without_run(one) == _without_run(other)


def _without_run(body: str) -> tuple[str, Memory | None]:
    text = body.replace("\r\n", "\n").rstrip()
    try:
        return text.rpartition("\n")[0], replace(_read(text, None), run=0)
    except Unreadable:
        return text, None


def _read(body: str, number: int | None) -> Memory:
    if not is_marked(body):
        raise Unreadable("the earlier comment does not start with our marker")
    if number is not None and marked_number(body) not in (number, None):
        raise Unreadable("the earlier comment belongs to another pull request")
    if len(body) > MAX_BYTES:
        raise Unreadable("the earlier comment is longer than a comment can be")
    found = _STATE.fullmatch(body.rstrip().rsplit("\n", 1)[-1].strip())
    if found is None:
        raise Unreadable("the earlier comment does not end with a state")
    if int(found[1]) != VERSION:
        raise Unreadable("the earlier comment's state is of another version")
    try:
        return _memory(json.loads(base64.b64decode(found[2], validate=True)))
    except (binascii.Error, ValueError, RecursionError):
        raise Unreadable("the earlier comment's state is damaged") from None


def _plain(memory: Memory) -> dict[str, Any]:
    return {
        **({"run": memory.run} if memory.run else {}),
        "pr": memory.number,
        "round": memory.round,
        "cut": memory.cut,
        "head": _fit(memory.head),
        "base": _fit(memory.base),
        "open": [_known(each) for each in memory.open],
        "resolved": [[*_known(each.known), each.ending] for each in memory.resolved],
        "unchecked": [[*_known(each.known), _fit(each.why)] for each in memory.not_rechecked],
        "ignored": [
            [_fit(text) for text in (each.fingerprint, each.rule, each.by, each.because, each.at)]
            for each in memory.ignores
        ],
        "rounds": [_row(each) for each in memory.activity],
    }


def _known(known: Known) -> list[Any]:
    texts = [_fit(known.file), _fit(known.title)]
    return [known.fingerprint, _fit(known.rule), known.level.value, known.since, *texts]


def _row(row: Activity) -> list[Any]:
    by = row.trigger
    texts = (row.at, row.commit, row.base, row.base_sha, by.event, by.action, by.actor, by.requested, by.at)
    return [row.round, row.verdict, row.blocking, row.follow_ups, *(_fit(text) for text in texts)]


def _fit(text: str) -> str:
    """What is written must also be read."""
    return text[:MAX_TEXT]


def _memory(data: Any) -> Memory:
    fields = _Fields(data)
    return Memory(
        number=None if fields.of("pr") is None else _count(fields.of("pr")),
        round=_count(fields.of("round")),
        cut=fields.of("cut") is True,
        run=_count(fields.of("run", 0)),
        head=_text(fields.of("head")),
        base=_text(fields.of("base")),
        open=tuple(_read_known(each) for each in fields.list("open", MAX_KNOWN)),
        resolved=tuple(
            Resolved(_read_known(each[:-1]), Ending(_text(each[-1]))) for each in fields.list("resolved", MAX_KNOWN)
        ),
        not_rechecked=tuple(
            NotRechecked(_read_known(each[:-1]), _text(each[-1])) for each in fields.list("unchecked", MAX_KNOWN)
        ),
        ignores=tuple(Ignore(*_texts(each, 5)) for each in fields.list("ignored", MAX_KNOWN)),
        activity=tuple(_read_row(each) for each in fields.list("rounds", MAX_ROWS)),
    )


class _Fields:
    """A JSON object whose members are asked for by name; everything unexpected is damage."""

    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise ValueError
        self._data = data

    def of(self, name: str, default: Any = None) -> Any:
        if name not in self._data:
            if default is None:
                raise ValueError
            return default
        return self._data[name]

    def list(self, name: str, limit: int) -> list[list[Any]]:
        found = self.of(name)
        if not isinstance(found, list) or len(found) > limit:
            raise ValueError
        if not all(isinstance(each, list) and each for each in found):
            raise ValueError
        return found


def _read_known(data: list[Any]) -> Known:
    if len(data) != 6:
        raise ValueError
    fingerprint, rule, level, since, file, title = data
    return Known(_text(fingerprint), _text(rule), Level(_count(level)), _count(since), _text(file), _text(title))


def _read_row(data: list[Any]) -> Activity:
    if len(data) != 13:
        raise ValueError
    number, verdict, blocking, follow_ups, *texts = data
    at, commit, base, base_sha, *who = _texts(texts, 9)
    return Activity(
        round=_count(number),
        verdict=Verdict(_text(verdict)),
        blocking=_count(blocking),
        follow_ups=_count(follow_ups),
        at=at,
        commit=commit,
        base=base,
        base_sha=base_sha,
        trigger=Trigger(*who),
    )


def _texts(data: list[Any], count: int) -> list[str]:
    if len(data) != count:
        raise ValueError
    return [_text(each) for each in data]


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ValueError
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1_000_000_000:
        raise ValueError
    return value
