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
