"""What goes wrong, and when: answers that fail, lines that break, and things that happen between two calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum


class Fault(Enum):
    PERMISSION = "403 permission"
    SECONDARY = "403 secondary limit"
    TOO_MANY = "429"
    SERVER = "500"
    STORED_502 = "502 after storing"
    TIMEOUT = "timeout"
    RESET = "reset"
    TRUNCATED = "200, truncated JSON"


@dataclass
class Faults:
    """`at` counts calls from 1. A fault meets one call, unless `times` says more of those after it."""

    at: dict[int, Fault] = field(default_factory=dict)
    before: dict[int, Callable[[], None]] = field(default_factory=dict)
    retry_after: str | None = None
    hold: float = 0.3  # seconds that a call without an answer is kept waiting
    calls: int = 0

    def next(self) -> Fault | None:
        """Called once for every request, in order."""
        self.calls += 1
        happening = self.before.pop(self.calls, None)
        if happening is not None:
            happening()
        return self.at.pop(self.calls, None)
