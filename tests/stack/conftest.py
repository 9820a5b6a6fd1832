"""One lab a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stack.github import Site, site
from tests.stack.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture
def hosted(lab: Lab) -> Iterator[Site]:
    with site(lab) as made:
        yield made
