"""Looking for many byte strings at once gives what looking for each would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.local.search import Needles


def test_nothing_looked_for_is_nowhere() -> None:
    assert not Needles([]).within(b"abc")
    assert not Needles([b""]).within(b"abc")


@given(
    st.binary(max_size=60).map(lambda data: bytes(byte % 5 + 92 for byte in data)),
    st.lists(st.binary(min_size=1, max_size=4).map(lambda data: bytes(byte % 5 + 92 for byte in data)), max_size=40),
)
def test_many_needles_are_found_as_each_would_be(data: bytes, needles: list[bytes]) -> None:
    assert Needles(needles).within(data) == any(needle in data for needle in needles)


def test_the_cost_does_not_grow_with_the_number_of_digests() -> None:
    import time

    haystack = b"services:\n  web:\n    image: nginx@sha256:" + b"ab" * 32 + b"\n"
    needles = Needles(b"%064x" % number for number in range(20_000))
    began = time.perf_counter()
    assert not needles.within(haystack * 10_000)
    assert needles.within(haystack * 10_000 + b"%064x" % 19_999)
    assert time.perf_counter() - began < 2.0  # 0.2 s alone; one search each would take 20 s
