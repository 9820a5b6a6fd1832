"""How our own comment is told from every other one of the same account."""

from __future__ import annotations

import re

_LINE = re.compile(r"<!-- compose-review:line v1 ([0-9a-f]{6,64}) -->")
_MARKER = re.compile(r"<!-- compose-review:sticky v1(?: pr=([1-9]\d{0,9}))? -->")


def marker(number: int | None) -> str:
    """The first line of the review comment; without a number for a review that is no pull request's."""
    return f"<!-- compose-review:sticky v1{f' pr={number}' if number else ''} -->"


def is_ours(body: str, number: int | None) -> bool:
    """Whether a comment starts with the marker of this pull request.

    A marker that is quoted, stands further down or belongs to another pull request does not count. The
    account that wrote the comment must be checked too: anybody can type a marker.
    """
    return _first_line(body) == marker(number)


def marked_number(body: str) -> int | None:
    """The pull request that a comment's marker names, None without a marker or a number in it."""
    found = _MARKER.fullmatch(_first_line(body))
    return int(found[1]) if found and found[1] else None


def is_marked(body: str) -> bool:
    """Whether a text starts with a marker, of whichever pull request."""
    return _MARKER.fullmatch(_first_line(body)) is not None


def _first_line(body: str) -> str:
    return body.split("\n", 1)[0].rstrip("\r")


def line_marker(fingerprint: str) -> str:
    """The first line of a comment in the diff. Identity is the finding's: lines move with every push."""
    return f"<!-- compose-review:line v1 {fingerprint} -->"


def line_marked(body: str) -> str | None:
    """The fingerprint that a comment in the diff speaks of, None where it is none of ours."""
    found = _LINE.fullmatch(_first_line(body))
    return found[1] if found else None


_NOTE = re.compile(r"<!-- compose-review:stack v1 pr=([1-9]\d{0,9}) parent=([1-9]\d{0,9}) (merged|closed) -->")
_AFTER = re.compile(r"<!-- compose-review:after v1 known=([\d,]+|none) open=([\d,]+|none) -->")
_AFTER_PART = re.compile(
    r"<!-- compose-review:after v1 [^\n>]* -->\n.*?<!-- compose-review:after-end v1 -->\n*", re.DOTALL
)


def note_marker(number: int, parent: int, merged: bool) -> str:
    """The first line of the note on a child. How its parent ended belongs to it: reopened, that may end again."""
    return f"<!-- compose-review:stack v1 pr={number} parent={parent} {'merged' if merged else 'closed'} -->"


def noted(body: str, number: int) -> tuple[int, bool] | None:
    """The parent that a note on this pull request is about, and whether that was merged."""
    found = _NOTE.fullmatch(_first_line(body))
    return (int(found[2]), found[3] == "merged") if found and int(found[1]) == number else None


def after_marker(known: str, open_: str) -> str:
    """The first line of the part that tells, in the comment of a pull request that has ended, of its children."""
    return f"<!-- compose-review:after v1 known={known} open={open_} -->"


def after_end() -> str:
    return "<!-- compose-review:after-end v1 -->"


def children_listed(body: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The children that such a part lists, and those that still have something to do."""
    found = next(filter(None, (_AFTER.fullmatch(line) for line in body.split("\n")[:5])), None)
    if found is None:
        return (), ()
    known, open_ = (tuple(int(each) for each in part.split(",") if each.isdigit()) for part in found.groups())
    return known, open_


def without_after(body: str) -> str:
    return _AFTER_PART.sub("", body, count=1)
