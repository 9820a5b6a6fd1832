"""Everything GitHub can do to one call, for every call of a usual run: the review survives, once, and honestly."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.fake_github.faults import Fault, Faults
from tests.fake_github.server import served
from tests.wire.stage import BLOCKED, QUIET, Run, Stage, opened, stage

CALLS = 14  # more than a usual run makes: the last ones meet nothing
# A fault of these the run can wait out; after the others it may have to leave something unwritten.
PASSING = {Fault.SECONDARY, Fault.TOO_MANY, Fault.SERVER, Fault.STORED_502, Fault.TIMEOUT, Fault.RESET, Fault.TRUNCATED}


def campaign(folder: Path, fault: Fault, call: int, wait: str) -> tuple[Stage, Run]:
    made = stage(folder)
    opened(made, {"compose.yaml": BLOCKED})
    made.hub.faults = Faults({call: fault}, hold=0.05, retry_after="1")
    with served(made.hub) as url:
        made.url = url
        ran = made.run("pull_request", made.event(7, "opened"), **{"INPUT_WAIT-SECONDS": wait})
        return made, ran


def outcome(made: Stage, ran: Run) -> str:
    """In few words, asserting what must hold whatever happened."""
    comments = made.hub.sticky(7)
    states = [each.state for each in made.hub.statuses.get(made.hub.head_of(made.hub.pulls[7]), ())]
    assert len(comments) <= 1
    assert ran.code in (1, 2), "a review that found a blocking fault, or could not be made, is never a pass"
    readable = bool(comments) or "1 blocking finding" in ran.summary
    assert readable or ran.code == 2
    assert readable or "could not be made" in ran.summary + ran.out
    refused = any(call.status == 403 and "status" in call.route for call in made.hub.log)
    assert refused or states[-1:] != ["pending"]
    assert "success" not in states
    return f"exit {ran.code}, {len(comments)} comment, status {states[-1] if states else '–'}"


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.value)
def test_one_fault_at_every_call(fault: Fault, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = []
    for call in range(1, CALLS + 1):
        made, ran = campaign(tmp_path / str(call), fault, call, "100")
        route = made.hub.log[call - 1].route if call <= len(made.hub.log) else "–"
        told = outcome(made, ran)
        table.append(f"{call:>2} {route:<62} {told}")
        if fault in PASSING:
            assert told == "exit 1, 1 comment, status failure"
    with capsys.disabled():
        print(f"\n{fault.value}\n" + "\n".join(table))


def test_a_limit_longer_than_the_budget_ends_in_the_summary_and_soon(tmp_path: Path) -> None:
    made = stage(tmp_path)
    opened(made, {"compose.yaml": BLOCKED})
    made.hub.faults = Faults(dict.fromkeys(range(8, 60), Fault.SECONDARY), retry_after="900")
    with served(made.hub) as url:
        made.url = url
        started = time.monotonic()
        ran = made.run("pull_request", made.event(7, "opened"), **{"INPUT_WAIT-SECONDS": "60"})
    assert time.monotonic() - started < 10
    assert ran.code == 1
    assert "1 blocking finding" in ran.summary


def test_without_a_hint_a_limit_is_waited_out_for_a_minute() -> None:
    from bot.forge.waiting import Patience

    patience = Patience(budget=300, pace=0)
    assert patience.after_limit(1, {}, now=0)
    assert patience.waited == 60
    assert patience.after_limit(2, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "100"}, now=50)
    assert patience.waited == 111
    assert not patience.after_limit(3, {"retry-after": "900"}, now=0)


def kill_after(folder: Path, writes: int, how: signal.Signals) -> tuple[Stage, int]:
    """A run that gets a signal as soon as it has made so many writes."""
    made = stage(folder)
    opened(made, {"compose.yaml": QUIET})
    with served(made.hub) as url:
        made.url = url
        process = made.process("pull_request", made.event(7, "opened"))
        while process.poll() is None and sum(call.stored for call in made.hub.log) < writes:
            time.sleep(0.002)
        process.send_signal(how)
        process.communicate(timeout=30)
        code = process.returncode
        made.hub.faults = Faults()
        again = made.process("pull_request", made.event(7, "opened"))
        again.communicate(timeout=30)
        assert again.returncode == 0
    return made, code


@pytest.mark.parametrize("writes", range(1, 7))
def test_a_killed_run_leaves_nothing_that_the_next_one_cannot_put_right(writes: int, tmp_path: Path) -> None:
    made, _ = kill_after(tmp_path, writes, signal.SIGKILL)
    assert len(made.hub.sticky(7)) == 1
    assert made.hub.statuses[made.hub.head_of(made.hub.pulls[7])][-1].state == "success"


def test_a_cancelled_run_concludes_its_status(tmp_path: Path) -> None:
    made = stage(tmp_path)
    opened(made, {"compose.yaml": QUIET})
    held = dict.fromkeys((5,), Fault.TIMEOUT)
    made.hub.faults = Faults(held, hold=1.0)
    with served(made.hub) as url:
        made.url = url
        process = made.process("pull_request", made.event(7, "opened"))
        while len(made.hub.log) < 5 and process.poll() is None:
            time.sleep(0.01)
        process.terminate()
        out, _ = process.communicate(timeout=30)
    states = [each.state for each in made.hub.statuses[made.hub.head_of(made.hub.pulls[7])]]
    assert process.returncode == 128 + signal.SIGTERM, out
    assert states == ["pending", "error"]
