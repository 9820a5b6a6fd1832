"""One run of the action: its surroundings, its request, and the connection to GitHub they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.forge.client import Client
from bot.forge.pulls import Pulls
from bot.forge.waiting import Patience
from bot.forge.writes import Writer
from bot.intake.environment import Surroundings
from bot.model.request import Request
from bot.model.settings import Settings

if TYPE_CHECKING:
    from bot.action.stacked import Stacked


@dataclass
class Session:
    around: Surroundings
    request: Request
    client: Client
    pulls: Pulls
    writer: Writer
    mute: str = field(default="")  # why nothing is written any more
    seen: dict[int, Stacked] = field(default_factory=dict)  # stacks as this run has seen them
    configured: Settings | None = None  # the default branch's, where no review reads those of its base
    tending: set[int] = field(default_factory=set)  # pull requests whose list this run writes at its end

    @property
    def run(self) -> int:
        """Orders runs in time: GitHub counts runs up, and attempts within a run."""
        return self.around.run * 100 + min(self.around.attempt, 99) if self.around.run else 0


def session_of(around: Surroundings, request: Request) -> Session:
    client = Client(around.inputs.token, around.api_url, Patience(budget=around.inputs.wait_seconds, pace=around.pace))
    pulls = Pulls(client, around.repository, around.server_url)
    writer = Writer(client, pulls, around.repository)
    return Session(around, request, client, pulls, writer, request.read_only)


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
