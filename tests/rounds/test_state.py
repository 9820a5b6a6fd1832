"""The hidden state: written, read back, and never trusted."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.model.finding import Findings
from bot.model.marker import is_ours, marked_number, marker
from bot.review.comment.page import markdown
from bot.rounds.advance import advance
from bot.rounds.memory import MAX_KNOWN, Memory, fewer, remembered, without_texts
from bot.rounds.state import recalled, written
from tests.review.factory import PULL, change, finding, review

ONE = finding(about=("one",), title="The first --> `x` \ud800 🚀")
REVIEW = review(change(), Findings(findings=(ONE,)))
COMMENT = markdown(REVIEW)


def comment_with(state: str, number: int | None = 12) -> str:
    return f"{marker(number)}\n\n### Compose review\n\n{state}\n"


def encoded(data: Any, version: int = 1) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f"<!-- compose-review:state v{version} {base64.b64encode(text.encode()).decode()} -->"


def good() -> dict[str, Any]:
    state = COMMENT.rstrip().rsplit("\n", 1)[-1].split(" ")[3]
    data = json.loads(base64.b64decode(state))
    assert isinstance(data, dict)
    return data


def test_what_is_written_is_read() -> None:
    memory, why = recalled(COMMENT, 12)
    assert why == ""
    assert memory == remembered(REVIEW)


def test_the_web_editors_line_ends_do_not_matter() -> None:
    memory, _ = recalled(COMMENT.replace("\n", "\r\n"), 12)
    assert memory == remembered(REVIEW)


def test_no_comment_is_no_memory_and_no_note() -> None:
    assert recalled(None, 12) == (None, "")
    assert recalled("", 12) == (None, "")


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("## Coverage 93%", "does not start with our marker"),
        (f"> {COMMENT}", "does not start with our marker"),
        (f"\n{COMMENT}", "does not start with our marker"),
        (COMMENT.replace("pr=12", "pr=120", 1), "belongs to another pull request"),
        (f"{marker(12)}\n## Compose review\nold", "does not end with a state"),
        (comment_with(encoded(good(), version=2)), "of another version"),
        (comment_with("<!-- compose-review:state v1 %%% -->"), "does not end with a state"),
        (comment_with("<!-- compose-review:state v1 abc -->"), "is damaged"),
        (comment_with(encoded("no json")), "is damaged"),
        (comment_with(encoded("[" * 100_0)), "is damaged"),
        (comment_with(encoded([])), "is damaged"),
        (comment_with(encoded({})), "is damaged"),
        (comment_with(encoded({**good(), "round": True})), "is damaged"),
        (comment_with(encoded({**good(), "round": -1})), "is damaged"),
        (comment_with(encoded({**good(), "round": 1e99})), "is damaged"),
        (comment_with(encoded({**good(), "head": None})), "is damaged"),
        (comment_with(encoded({**good(), "head": "x" * 2_000})), "is damaged"),
        (comment_with(encoded({**good(), "open": [["f"]]})), "is damaged"),
        (comment_with(encoded({**good(), "open": [["f", "r", 9, 1, "", ""]]})), "is damaged"),
        (comment_with(encoded({**good(), "open": [["f", "r", 1, 1, "", ""]] * (MAX_KNOWN + 1)})), "is damaged"),
        (comment_with(encoded({**good(), "rounds": [[]]})), "is damaged"),
        (comment_with(encoded({**good(), "resolved": [["f", "r", 1, 1, "", "", "eaten"]]})), "is damaged"),
        (comment_with(f"<!-- compose-review:state v1 {'A' * 70_000} -->"), "longer than a comment can be"),
    ],
)
def test_a_state_that_cannot_be_used_is_no_memory_with_a_note(comment: str, why: str) -> None:
    memory, said = recalled(comment, 12)
    assert memory is None
    assert why in said
    round_ = advance(replace(PULL, previous=comment), Findings(findings=(ONE,)), REVIEW.verdict)
    assert round_.number == 1
    assert why in round_.note
    assert "not known" in markdown(review(change(pull=replace(PULL, previous=comment))))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(sorted(good())), inner, max_size=5),
        max_leaves=20,
    )
)
def test_no_state_is_a_crash(data: Any) -> None:
    recalled(comment_with(encoded(data)), 12)
    recalled(comment_with(encoded({**good(), **(data if isinstance(data, dict) else {})})), 12)


@given(st.text(max_size=200))
def test_no_comment_is_a_crash(text: str) -> None:
    recalled(text, 12)
    recalled(f"{marker(12)}\n{text}", 12)


@given(st.text(), st.text(), st.text(max_size=2_000))
def test_any_text_is_remembered(file: str, title: str, head: str) -> None:
    known = replace(remembered(REVIEW).open[0], file=file, title=title)
    memory = Memory(12, 3, head[:900], "", open=(known,))
    back, _ = recalled(comment_with(written(memory)), 12)
    assert back is not None
    assert back.open[0].fingerprint == known.fingerprint
    assert back.head == head[:900]


def test_shorter_memories_are_shorter_and_still_know_the_findings() -> None:
    many = tuple(finding(about=(str(number),), title="A title " * 10) for number in range(300))
    memory = remembered(review(change(), Findings(findings=many)))
    sizes = [len(written(each)) for each in (memory, without_texts(memory), fewer(memory, 50))]
    assert sizes == sorted(sizes, reverse=True)
    back, _ = recalled(comment_with(written(without_texts(memory))), 12)
    assert back is not None
    assert {each.fingerprint for each in back.open} == {each.fingerprint for each in many}
    cut, _ = recalled(comment_with(written(fewer(memory, 50))), 12)
    assert cut is not None
    assert (len(cut.open), cut.cut) == (50, True)


def test_a_memory_that_was_cut_says_so_in_the_next_round() -> None:
    many = tuple(finding(about=(str(number),)) for number in range(MAX_KNOWN + 5))
    comment = markdown(review(change(), Findings(findings=many)))
    again = advance(replace(PULL, previous=comment), Findings(findings=many), REVIEW.verdict)
    assert again.note == ""
    pushed = advance(replace(PULL, previous=comment, head_sha="c" * 40), Findings(findings=many), REVIEW.verdict)
    assert "may be older" in pushed.note


def test_the_marker_is_the_pull_requests_own() -> None:
    assert is_ours(f"{marker(7)}\n## Compose review", 7)
    assert not is_ours(f"{marker(70)}\nother", 7)
    assert not is_ours(f"> {marker(7)}\n> why this?", 7)
    assert not is_ours(f"x\n{marker(7)}", 7)
    assert not is_ours(f"{marker(7)} and more\n", 7)
    assert marked_number(f"{marker(70)}\r\nother") == 70
    assert marked_number(marker(None)) is None
