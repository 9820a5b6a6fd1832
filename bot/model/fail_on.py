"""From which level on a finding fails the review."""

from __future__ import annotations

from enum import StrEnum


class FailOn(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"
