"""Real input that the project does not contain: where it is, and what to do without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CASES = Path(os.environ.get("COMPOSE_REVIEW_CASES", Path(__file__).parents[2] / "../shared/cases"))


def case_folder(name: str) -> Path:
    """A folder of the cases; skips the test, with the reason, where they are not there."""
    folder = CASES / name
    if not folder.is_dir():
        pytest.skip(f"no {folder}; set COMPOSE_REVIEW_CASES")
    return folder


def case_names(name: str, *prefixes: str) -> list[str]:
    """The folders of one kind of case, to parametrize over; none where the cases are not there."""
    folder = CASES / name
    found = sorted(each.name for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []
    return [each for each in found if each.startswith(prefixes)]
