"""The exit codes, which are part of the contract with the outside."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    REVIEWED = 0
    FINDINGS = 1  # at or above --fail-on
    INCOMPLETE = 2  # a part could not be reviewed
    USAGE = 64  # wrong usage or configuration
