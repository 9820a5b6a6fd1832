"""Case folders: whole reviews, from a change on disk to the page a person reads.

`tests/cases/<area>/<behaviour>/` holds a case for `review --case` and the expected page of its last round.
Write the pages anew with `COMPOSE_REVIEW_UPDATE=1`, and read the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.run import compose_review

FOLDER = Path(__file__).parent / "cases"
CASES = sorted(path.parent for path in FOLDER.glob("*/*/expected.txt"))


def test_the_sweep_finds_every_case() -> None:
    assert sorted(path for path in FOLDER.glob("*/*") if path.is_dir()) == CASES
    assert len(CASES) >= 10


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_case_reads_as_expected(case: Path) -> None:
    config = case / "config.yaml"
    more = ["--config", config] if config.is_file() else []
    ran = compose_review("review", "--case", case, *more)
    page = f"exit {ran.code}\n{ran.out}"
    expected = case / "expected.txt"
    if os.environ.get("COMPOSE_REVIEW_UPDATE"):
        expected.write_text(page)
    assert page == expected.read_text()
