"""Whether some bytes hold one of many others; for digests at a cost that hardly grows with their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# Up to here one search per needle is the fastest.
_FEW = 16
_SMALL = 24  # bytes: the hexadecimal digits, small and large, and two more
_OUT, _IN = 0, 1


class Needles:
    """Byte strings to look for. Empty ones are left out: everything would hold them."""

    def __init__(self, needles: Iterable[bytes]) -> None:
        self._all = frozenset(needle for needle in needles if needle)
        self._lengths = sorted({len(needle) for needle in self._all})
        alphabet = frozenset(b"".join(self._all))
        # Digests share few bytes, which make up little of a text; names share most of theirs with all of it.
        self._masked = len(self._all) > _FEW and len(alphabet) <= _SMALL
        self._mask = bytes(_IN if byte in alphabet else _OUT for byte in range(256))

    def within(self, data: bytes) -> bool:
        if not self._masked:
            return any(needle in data for needle in self._all)
        return any(self._in_run(run) for run in self._runs(data))

    def _runs(self, data: bytes) -> Iterator[bytes]:
        """Runs of the bytes that occur in needles, long enough to hold one: nothing else can match.

        For digests these are the hexadecimal words of a file, a small part of it. They are looked for in a
        copy that only says which bytes occur in needles, by searches that skip as far as a needle is long.
        """
        mask = data.translate(self._mask)
        shortest = bytes([_IN]) * self._lengths[0]
        start = mask.find(shortest)
        while start >= 0:
            end = mask.find(_OUT, start)
            end = end if end >= 0 else len(data)
            yield data[start:end]
            start = mask.find(shortest, end)

    def _in_run(self, run: bytes) -> bool:
        return any(
            run[start : start + length] in self._all
            for length in self._lengths
            for start in range(len(run) - length + 1)
        )
