"""Whether some bytes hold one of many others, at a cost that hardly grows with their number."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Up to here one search per needle is the fastest.
_FEW = 16


class Needles:
    """Byte strings to look for. Empty ones are left out: everything would hold them."""

    def __init__(self, needles: Iterable[bytes]) -> None:
        self._all = frozenset(needle for needle in needles if needle)
        self._lengths = sorted({len(needle) for needle in self._all})
        self._runs = self._pattern()

    def _pattern(self) -> re.Pattern[bytes] | None:
        """Runs of the bytes that occur in needles, long enough to hold one: nothing else can match.

        For digests these are the hexadecimal words of a file, a small part of it.
        """
        if len(self._all) <= _FEW:
            return None
        alphabet = b"".join(re.escape(bytes([byte])) for byte in sorted(set(b"".join(self._all))))
        return re.compile(b"[%b]{%d,}" % (alphabet, self._lengths[0]))

    def within(self, data: bytes) -> bool:
        if self._runs is None:
            return any(needle in data for needle in self._all)
        return any(self._in_run(found.group()) for found in self._runs.finditer(data))

    def _in_run(self, run: bytes) -> bool:
        return any(
            run[start : start + length] in self._all
            for length in self._lengths
            for start in range(len(run) - length + 1)
        )
