"""Two runs at once on one pull request: one comment, and it shows the newer head."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.fake_github.server import served
from tests.wire.stage import BLOCKED, QUIET, opened, stage

SEEDS = range(int(os.environ.get("COMPOSE_REVIEW_RACES", "6")))


@pytest.mark.parametrize("seed", SEEDS)
def test_one_comment_and_it_shows_the_newer_head(seed: int, tmp_path: Path) -> None:
    pick = random.Random(seed)
    made = stage(tmp_path)
    opened(made, {"compose.yaml": QUIET})
    moment = pick.randint(1, 14)
    with served(made.hub) as url:
        made.url = url
        older = made.event(7, "opened")
        newer: list[object] = []

        def push() -> None:
            made.push("change-7", {"compose.yaml": BLOCKED})
            newer.append(made.process("pull_request", made.event(7, "synchronize")))

        # The push comes in between two calls of the first run; both then go on side by side.
        made.hub.faults.before[moment] = push
        first = made.process("pull_request", older)
        out, _ = first.communicate(timeout=60)
        if not newer:  # the first run needed fewer calls than that
            made.hub.faults.before.clear()
            push()
        out_newer, _ = newer[0].communicate(timeout=60)  # type: ignore[attr-defined]
    comments = made.hub.sticky(7)
    assert len(comments) == 1, (out, out_newer)
    assert "1 blocking finding" in comments[0].body, (out, out_newer)
    assert made.hub.statuses[made.hub.git.tip("change-7")][-1].state == "failure", (out, out_newer, made.hub.log)
