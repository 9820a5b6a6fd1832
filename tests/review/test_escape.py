"""The door for foreign text, sign by sign."""

from __future__ import annotations

import pytest

from bot.review.escape import (
    LIMIT,
    Safe,
    address,
    block,
    code,
    cut,
    hidden,
    joined,
    link,
    ours,
    plain,
    prose,
    quote,
    shortened,
    visible,
)
from tests.review.markup import Rendered


@pytest.mark.parametrize("text", ["web", "a b", "été", "日本", "🚀", "a-b_c.d/e", "✅"])
def test_harmless_text_is_left_alone(text: str) -> None:
    assert visible(text) == text
    assert code(text) == f"`{text}`"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\n\tc", "a b c"),
        ("\x1b[31m", "\\x1b[31m"),
        ("x\u202ey", "x\\u202ey"),
        ("a\u200bb", "a\\u200bb"),
        ("\ud800", "\\ud800"),
        ("a\u3164b", "a\\u3164b"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_controls_or_hides_is_shown_by_its_number(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_fence_is_longer_than_any_run_inside() -> None:
    assert code("a`b") == "``a`b``"
    assert code("`a``b`") == "``` `a``b` ```"
    assert code("") == "(empty)"
    for text in ("`", "``", "a```b`", "`x"):
        assert "<code>" in Rendered(str(code(text))).text or Rendered(str(code(text))).tags == ["p", "code"]


def test_a_bar_in_a_table_stays_in_its_cell() -> None:
    assert code("a|b", table=True) == "`a\\|b`"
    assert code("a|b") == "`a|b`"
    page = f"| one | two |\n|---|---|\n| {code('a|b', table=True)} | {prose('c|d', table=True)} |\n"
    assert Rendered(page).tags.count("td") == 2


def test_long_values_are_cut() -> None:
    assert len(cut("x" * 500)) == LIMIT
    assert code("x" * 500) == f"`{'x' * (LIMIT - 1)}…`"


def test_our_prose_keeps_its_code_and_nothing_else() -> None:
    assert prose("`web` waits for `db`.") == "`web` waits for `db`."
    assert prose("a *b* _c_ [d](e) <f> & g") == "a \\*b\\* \\_c\\_ \\[d\\](e) \\<f\\> \\& g"
    assert prose("an open ` stays") == "an open \\` stays"
    assert prose("- no list") == "\\- no list"
    assert prose("1. no list") == "1\\. no list"


@pytest.mark.parametrize(
    "word",
    [
        "@acme/oncall",
        "#12",
        "GH-7",
        "acme/x#9",
        "https://a.example",
        "www.a.example",
        "a@b.example",
        "$x$",
        ":tada:",
        "5d2c8e1f0a",
    ],
)
def test_what_would_come_to_life_becomes_code(word: str) -> None:
    assert prose(f"see {word}, please") == f"see `{word}`, please"
    assert prose(f"({word})") == f"(`{word}`)"


def test_known_references_stay_alive() -> None:
    assert prose("#12 and #13", references=frozenset({12})) == "#12 and `#13`"


def test_spans_that_touch_do_not_become_one() -> None:
    assert prose("`a`@b") == "`a` `@b`"
    assert Rendered(str(prose("`a``b`@c`d`"))).depth == 0


def test_a_span_may_become_a_link() -> None:
    known = {"web.yaml:3": link("web:3", "https://a.example/web.yaml#L3")}
    assert prose("see `web.yaml:3`", known) == "see [web:3](https://a.example/web.yaml#L3)"


def test_digests_in_a_sentence_are_cut_and_tags_are_not() -> None:
    digest = "5d2c8e1f0a9b47c6d3e2f1a0b9c8d7e6f5a4b3c2"
    assert shortened(f"`a/b@{digest}`") == "`a/b@5d2c8e1…`"
    assert shortened("`a/b:v0.5.4`") == "`a/b:v0.5.4`"


def test_a_quotation_is_cut_and_escaped() -> None:
    assert quote("see `a.yaml` and @x") == "“see `a.yaml` and `@x`”"
    assert len(quote("x " * 400)) < LIMIT + 10


def test_a_label_cannot_end_its_link() -> None:
    assert link("a](b)", "https://x.example/a") == "[a\\](b)](https://x.example/a)"
    assert Rendered(str(link("@x#1]", "https://x.example/a"))).links == ["https://x.example/a"]
    with pytest.raises(ValueError, match="percent-encoded"):
        link("a", "https://x.example/a b")


def test_paths_that_are_no_text_have_an_address() -> None:
    assert address("a b/ü.yaml") == "a%20b/%C3%BC.yaml"
    assert address("a\udcff") == "a%FF"
    assert address("a\ud800") == "a%ED%A0%80"


def test_a_block_holds_what_is_in_it() -> None:
    assert block("echo ```\n```") == "````\necho ```\n```\n````"
    assert "-->" in block("a --> b", "mermaid")


def test_only_our_comments_are_hidden() -> None:
    assert hidden("<!-- compose-review:sticky v1 pr=7 -->")
    with pytest.raises(ValueError, match="neither"):
        hidden("<!-- compose-review:sticky v1 --> x -->")


def test_a_runner_reads_no_command() -> None:
    assert plain("::error::boom") == ": :error: :boom"
    assert plain("a ##[error]b") == "a # #[error]b"
    assert plain("[::]:80") == "[::]:80"


def test_parts_must_have_come_through_the_door() -> None:
    assert joined(", ", [code("a"), ours("and {} more", 2)]) == "`a`, and 2 more"
    with pytest.raises(TypeError):
        joined(", ", [Safe("a"), "b"])  # type: ignore[list-item]
