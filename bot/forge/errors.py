"""What can go wrong with GitHub, in our words: the only errors that leave this room."""

from __future__ import annotations


class ForgeError(Exception):
    """Base of all. The message says what was asked and what came back, and holds no token."""


class Refused(ForgeError):
    """The token may not do this. No retry can help, and no other write will fare better."""


class Missing(ForgeError):
    """GitHub knows no such thing, or does not show it to this token."""


class Rejected(ForgeError):
    """GitHub understood the request and will not take it, such as a body that is too long."""


class Unreachable(ForgeError):
    """No usable answer within the time this run may wait. `stored` is unknown for a write."""
