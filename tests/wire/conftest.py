"""One stage a test, served on the loopback interface."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_github.server import served
from tests.wire.stage import Stage, stage


@pytest.fixture
def staged(tmp_path: Path) -> Iterator[Stage]:
    made = stage(tmp_path)
    with served(made.hub) as url:
        made.url = url
        yield made
