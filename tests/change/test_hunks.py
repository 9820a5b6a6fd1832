"""Hunks are a recipe: base's lines with them applied are head's lines."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.change.hunks import hunks_of, lines_of
from bot.model.change import Hunk

LINES = st.lists(
    st.sampled_from(["a", "b", "", "- c", "+ d", "--- e", "+++ f", "@@ -1 +1 @@", "\\ g", "h\r", "\u2028i"])
)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def applied(base: tuple[str, ...], hunks: tuple[Hunk, ...]) -> tuple[str, ...]:
    result: list[str] = []
    at = 1
    for hunk in hunks:
        result.extend(base[at - 1 : hunk.base_line - 1])
        assert len(result) == hunk.head_line - 1
        assert base[hunk.base_line - 1 : hunk.base_line - 1 + len(hunk.removed)] == hunk.removed
        result.extend(hunk.added)
        at = hunk.base_line + len(hunk.removed)
    return (*result, *base[at - 1 :])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8))
def test_hunks_lead_from_base_to_head(texts: list[tuple[str, str]]) -> None:
    pairs = [(old.encode(), new.encode()) for old, new in texts]
    for (old, new), hunks in zip(pairs, hunks_of(pairs), strict=True):
        assert applied(lines_of(old), hunks) == lines_of(new)
        assert bool(hunks) == (old != new)
