"""Text to sentences: where they end, and which line each part stands on."""

from __future__ import annotations

from bot.prose.sentences import sentences


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(enumerate(text.splitlines(), start=1))]


def test_a_version_number_ends_no_sentence() -> None:
    assert texts("Moves to v0.27.1 of the engine. Nothing else.") == [
        "Moves to v0.27.1 of the engine.",
        "Nothing else.",
    ]


def test_an_abbreviation_ends_no_sentence() -> None:
    assert texts("Set a flag, e.g. the first one. Done.") == ["Set a flag, e.g. the first one.", "Done."]


def test_a_sentence_over_two_lines_is_one_and_knows_its_lines() -> None:
    (found,) = sentences([(7, "Every file of this kind also"), (8, "fetches the small snapshot.")])
    assert found.text == "Every file of this kind also fetches the small snapshot."
    assert found.line(0) == 7
    assert found.line(found.text.index("fetches")) == 8


def test_bullets_are_sentences_of_their_own() -> None:
    assert texts("Changes:\n- one thing\n- another thing\n\nThe end") == [
        "Changes:",
        "one thing",
        "another thing",
        "The end",
    ]


def test_a_semicolon_in_an_aside_does_not_split() -> None:
    assert texts("It (like the rest; not `a.yaml`) grows; the other shrinks.") == [
        "It (like the rest; not `a.yaml`) grows;",
        "the other shrinks.",
    ]


def test_cells_of_a_table_row_are_read_apart_with_their_line() -> None:
    found = list(sentences([(3, "| `a.yaml` | model | Runs two. Serves all. |")]))
    assert [sentence.text for sentence in found] == ["`a.yaml`", "model", "Runs two.", "Serves all."]
    assert {sentence.line(0) for sentence in found} == {3}


def test_fenced_code_is_not_prose() -> None:
    assert texts("Before.\n```\nevery file fetches it\n```\nAfter.") == ["Before.", "After."]
