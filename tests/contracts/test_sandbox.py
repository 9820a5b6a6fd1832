"""Tasks in processes of their own: answers in order, limits, and what is told of those that were ended."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from bot.contracts.sandbox import ReadFile, Share, Stopped, available, run

pytestmark = pytest.mark.skipif(not available(), reason="this system cannot fork")
FILES = {"a": b"one"}


def answers(work: Callable[[int], object], count: int, **options: object) -> list[object]:
    return list(run(count, lambda _: work, read_file=FILES.get, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("jobs", [1, 2, 3, 9])
@pytest.mark.parametrize("share", [None, lambda jobs: [[6, 0, 5], [], [1, 2, 3, 4]][:jobs] if jobs > 2 else [range(7)]])
def test_answers_come_in_order(jobs: int, share: Share | None) -> None:
    assert answers(lambda index: index * 2, 7, jobs=jobs, share=share) == [0, 2, 4, 6, 8, 10, 12]


def test_no_tasks_no_process() -> None:
    assert answers(lambda index: index, 0) == []


def test_an_answer_may_be_larger_than_a_pipe() -> None:
    assert [len(str(each)) for each in answers(lambda _: "x" * 3_000_000, 2)] == [3_000_000] * 2


def test_what_does_not_end_is_ended_and_the_rest_goes_on() -> None:
    def work(index: int) -> int:
        while index == 1:
            pass
        return index

    start = time.monotonic()
    assert answers(work, 4, seconds=0.3) == [0, Stopped("it was stopped after 0.3 s without an answer"), 2, 3]
    assert time.monotonic() - start < 3


def test_memory_has_a_limit() -> None:
    found = answers(lambda index: len("x" * (index * 3 * 2**30)), 2)
    assert found == [0, Stopped("it needs too much memory")]


def test_a_fault_of_ours_is_told_as_one() -> None:
    def work(index: int) -> int:
        return 1 // index

    found = answers(work, 2)
    assert found[1] == 1
    assert isinstance(found[0], Stopped)
    assert "a fault of this program: ZeroDivisionError" in found[0].why


def test_a_process_that_dies_is_replaced() -> None:
    found = answers(lambda index: os._exit(3) if index == 0 else index, 2)
    assert found == [Stopped("its evaluation ended without an answer (3)"), 1]


def test_after_one_of_a_group_is_stopped_the_others_are_not_asked() -> None:
    asked = answers(lambda index: os._exit(3) if index == 1 else index, 5, group=lambda index: index % 2)
    assert asked[0::2] == [0, 2, 4]
    assert [each.why != "" for each in asked[1::2] if isinstance(each, Stopped)] == [True, False]


def test_files_are_read_by_the_parent() -> None:
    def make(read_file: ReadFile) -> Callable[[int], object]:
        return lambda index: read_file("a" if index else "none")

    assert list(run(2, make, read_file=FILES.get)) == [None, b"one"]


def test_progress_is_heard() -> None:
    heard: list[int] = []
    answers(lambda index: index, 3, tick=heard.append)
    assert heard[-1] == 3
    assert heard == sorted(heard)
