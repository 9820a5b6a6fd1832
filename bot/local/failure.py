"""What can go wrong while a local source is read, in words for the person who asked."""

from __future__ import annotations


class LocalError(Exception):
    """The source is there but cannot be read. The message says what, and what to do: exit code 2."""


class WrongRequest(LocalError):
    """What was asked for does not exist or contradicts itself: exit code 64."""
