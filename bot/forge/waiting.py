"""How long one run may wait for GitHub in all, whatever its answers ask for."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

MIN_UNTOLD = 60.0  # without a header that says more, GitHub asks for at least a minute
MAX_TRIES = 6


@dataclass
class Patience:
    """`budget` and `pace` are seconds; `pace` scales every wait, so that tests need not sit through them."""

    budget: float
    pace: float = 1.0
    waited: float = 0.0
    _random: random.Random = field(default_factory=random.Random, repr=False)

    def rest(self, seconds: float) -> bool:
        """Wait so long if the budget allows it; False, at once, when it does not."""
        if self.waited + seconds > self.budget:
            return False
        self.waited += seconds
        time.sleep(seconds * self.pace)
        return True

    def spend(self, seconds: float) -> None:
        """Time that went by in a request nobody answered."""
        self.waited += seconds

    def after_failure(self, tries: int) -> bool:
        """After a fault of the server or the line: 1, 2, 4 … seconds, with jitter."""
        return tries < MAX_TRIES and self.rest(2.0 ** (tries - 1) * self._random.uniform(0.75, 1.25))

    def after_limit(self, tries: int, headers: Mapping[str, str], now: float) -> bool:
        """As the answer asks; without a word of it a minute, then longer."""
        return tries < MAX_TRIES and self.rest(_asked(tries, headers, now))


def _asked(tries: int, headers: Mapping[str, str], now: float) -> float:
    told = _number(headers.get("retry-after"))
    if told is not None:
        return told
    if headers.get("x-ratelimit-remaining") == "0":
        reset = _number(headers.get("x-ratelimit-reset"))
        if reset is not None:
            return max(reset - now, 0) + 1
    return MIN_UNTOLD * 2.0 ** (tries - 1)


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
