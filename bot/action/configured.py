"""The settings of one run: base's configuration, with the inputs of the workflow on top."""

from __future__ import annotations

from bot.action.log import say
from bot.intake.config import settings_of
from bot.intake.environment import Surroundings
from bot.intake.inputs import applied
from bot.model.settings import Settings
from bot.ports import Reading
from bot.rulebook import catalogue


def configured(around: Surroundings, reading: Reading) -> Settings:
    """Raises ConfigError. A path that the workflow names and base does not have is said, as in the change that adds it."""
    path = around.inputs.config
    if path and path not in reading.base.entries:
        say(f"Base has no {path} (input `config`): the defaults are used.")
    found = settings_of(reading.base, {rule.id for rule in catalogue()}, path=path)
    return applied(around.inputs, found)
