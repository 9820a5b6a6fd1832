"""A case folder: its rounds, and where its facts are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.local.case import rounds
from bot.local.failure import WrongRequest
from bot.local.source import read_local


def case(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def two_rounds(tmp_path: Path) -> Path:
    return case(
        tmp_path,
        {
            "base/a.yaml": "0",
            "round-1/head/a.yaml": "1",
            "round-1/pr.json": '{"number": 5, "title": "first", "base": {"ref": "main"}, "head": {"ref": "topic"}}',
            "round-2/head/a.yaml": "2",
            "round-2/pr.json": '{"number": 5, "title": "second"}',
            "round-10/head/a.yaml": "10",
            "notes/round-3/head": "",
        },
    )


def test_a_case_of_one_change(tmp_path: Path) -> None:
    folder = case(tmp_path, {"base/a": "0", "head/a": "1", "event.json": '{"pull_request": {"title": "t"}}'})
    assert rounds(folder) == (1,)
    reading = read_local(case=folder)
    assert (reading.base.read("a"), reading.head.read("a")) == (b"0", b"1")
    assert reading.pull.title == "t"
    assert (reading.base_name, reading.head_name) == ("base", "head")


def test_rounds_are_counted_as_numbers(two_rounds: Path) -> None:
    assert rounds(two_rounds) == (1, 2, 10)


def test_each_round_has_its_own_head_and_facts(two_rounds: Path) -> None:
    reading = read_local(case=two_rounds, round_=1)
    assert reading.head.read("a.yaml") == b"1"
    assert (reading.pull.title, reading.base_name, reading.head_name) == ("first", "main", "topic")
    assert read_local(case=two_rounds, round_=2).pull.title == "second"


def test_the_last_round_is_the_default(two_rounds: Path) -> None:
    reading = read_local(case=two_rounds)
    assert reading.head.read("a.yaml") == b"10"
    assert reading.head_name == str(Path("round-10/head"))


def test_a_file_of_facts_wins_over_the_case_s_own(two_rounds: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"title": "mine"}')
    assert read_local(case=two_rounds, round_=1, pr_file=tmp_path / "mine.json").pull.title == "mine"


def test_the_last_comment_comes_along(two_rounds: Path) -> None:
    assert read_local(case=two_rounds, previous="<!-- ours -->").pull.previous == "<!-- ours -->"


def test_a_configuration_beside_base_is_not_part_of_the_tree(tmp_path: Path) -> None:
    folder = case(tmp_path, {"base/a": "0", "head/a": "1", "config.yaml": "rules: {}"})
    assert set(read_local(case=folder).base.entries) == {"a"}


@pytest.mark.parametrize(
    ("round_", "says"),
    [(3, "has no round 3; it has 1, 2, 10"), (0, "has no round 0")],
)
def test_a_round_that_is_not_there_is_said(two_rounds: Path, round_: int, says: str) -> None:
    with pytest.raises(WrongRequest, match=says):
        read_local(case=two_rounds, round_=round_)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"base/a": ""}, "is no case: it has neither head/ nor round-1/"),
        ({"head/a": ""}, "the case has no folder .*base"),
        ({"base/a": "", "round-1/pr.json": "{}"}, "the case has no folder .*round-1/head"),
        ({"base/a": "", "head/a": "", "pr.json": "{"}, r"pr\.json:1:2: not JSON"),
        (
            {"base/a": "", "head/a": "", "pr.json": '{"number": "5"}'},
            r"pr\.json: number must be a whole number, not a text",
        ),
    ],
)
def test_what_is_wrong_with_a_case_is_said(tmp_path: Path, files: dict[str, str], says: str) -> None:
    with pytest.raises(WrongRequest, match=says):
        read_local(case=case(tmp_path, files))


def test_a_case_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(WrongRequest, match="there is no case folder"):
        read_local(case=tmp_path / "nowhere")


def test_a_case_and_a_base_contradict_each_other(two_rounds: Path) -> None:
    with pytest.raises(WrongRequest, match="leave out --base and --head"):
        read_local(case=two_rounds, base="main")


def test_a_round_without_a_case_is_said(tmp_path: Path) -> None:
    with pytest.raises(WrongRequest, match="--round is about a case"):
        read_local(round_=2, repo=tmp_path)
