"""The command line: one module per command, imported only when that command runs."""

from __future__ import annotations

from importlib import import_module

import click

from bot.version import VERSION

# name -> module under bot.commands that holds a click command called `command`
COMMANDS = ("review", "plan", "stack", "contracts", "audit", "config", "rules", "replay", "init", "demo", "action")


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for, so that start-up stays cheap."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it so
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f"bot.commands.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="compose-review")
def cli() -> None:
    """Reviews pull requests in repositories of Docker Compose deployment files."""
