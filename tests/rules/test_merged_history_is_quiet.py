"""Noise, on a part of the real history's pull requests that a hash chooses: most get no warning at all."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
from pathlib import Path

import pytest

from bot.replay.pulls import PastPull
from bot.replay.run import replayed
from bot.replay.table import table_of
from tests.support.cases import case_folder


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    mirror = tmp_path_factory.mktemp("history") / "history.git"
    bundle = str(case_folder("history") / "history.bundle")
    subprocess.run(["git", "clone", "-q", "--mirror", bundle, str(mirror)], check=True, capture_output=True)
    return mirror


def sample() -> list[PastPull]:
    recorded = json.loads((case_folder("history") / "pull_requests.json").read_text())
    return [
        PastPull(each["merge_base"], each["head"], each["number"], each["title"])
        for each in recorded
        if int(hashlib.sha256(each["head"].encode()).hexdigest(), 16) % 14 == 0
    ]


def test_a_usual_pull_request_hears_nothing_and_a_loud_one_little(repository: Path) -> None:
    chosen = sample()
    assert len(chosen) >= 6
    table = table_of([replayed(repository, None, pull) for pull in chosen])
    assert (table.gaps, table.crashes) == (0, 0)
    assert table.loud <= 1
    assert table.loudest <= 4
    often = [row.rule for row in table.rows if row.level.word != "note" and row.pulls > math.ceil(0.3 * len(chosen))]
    assert often == []
