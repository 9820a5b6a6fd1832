"""The commit status of one run: pending at the start, and concluded whatever happens in between."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.action.log import say
from bot.forge.errors import ForgeError, Refused
from bot.model.remote import State
from bot.ports import Publisher

UNFINISHED = "The review could not be finished; see the log of its run"


class Gate:
    """Of one commit. `conclude` is called once by whoever knows the result."""

    def __init__(self, publisher: Publisher, commit: str, url: str) -> None:
        self._publisher, self._commit, self._url = publisher, commit, url
        self._open = True
        self.refused = ""

    def begin(self, description: str) -> None:
        self._set(State.PENDING, description, self._url)

    def conclude(self, state: State, description: str, url: str = "") -> bool:
        """Whether GitHub took it."""
        self._open = False
        return self._set(state, description, url or self._url)

    def close(self) -> None:
        """Nothing is said about this commit, or another run says it."""
        self._open = False

    @property
    def unconcluded(self) -> bool:
        return self._open and not self.refused

    def _set(self, state: State, description: str, url: str) -> bool:
        if self.refused:
            return False
        try:
            self._publisher.set_status(self._commit, state, description[:140], url)
        except Refused as error:
            self.refused = str(error)
            say(f"The status could not be set: {error}")
            return False
        except ForgeError as error:
            say(f"The status could not be set: {error}")
            return False
        return True


@contextmanager
def concluded(gate: Gate) -> Iterator[Gate]:
    """A status that is still open at the end, for whatever reason, ends as an error and never as a pass."""
    with _stopped_gently():
        try:
            yield gate
        finally:
            if gate.unconcluded:
                gate.conclude(State.ERROR, UNFINISHED)


@contextmanager
def _stopped_gently() -> Iterator[None]:
    """A cancelled run gets a signal and some seconds: it unwinds instead of vanishing."""

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal handlers are called so
        raise SystemExit(128 + number)

    before = [(number, signal.signal(number, stop)) for number in (signal.SIGTERM, signal.SIGINT)]
    try:
        yield
    finally:
        for which, handler in before:
            signal.signal(which, handler)
