"""How our own comment is told from every other one of the same account."""

from __future__ import annotations

import re

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
