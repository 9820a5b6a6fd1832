"""A repository to fill, and what every Git of a test may not see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")
