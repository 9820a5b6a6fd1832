"""`compose-review action`: the entry point in GitHub Actions."""

from __future__ import annotations

import os

import click

from bot.exit import Exit


@click.command("action")
def command() -> int:
    """Review the pull request that the event of this workflow run is about.

    Reads the environment of the runner (GITHUB_…, INPUT_…). Exit status: 0 reviewed; 1 findings at or above
    `fail-on`; 2 could not review completely; 64 wrong inputs or configuration.
    """
    from bot.action.begin import begin
    from bot.intake.environment import surroundings_of
    from bot.intake.inputs import InputError

    try:
        around = surroundings_of(os.environ)
    except InputError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.USAGE
    begun = begin(around)
    if isinstance(begun, Exit):
        return begun
    from bot.action.run import carry_out  # the libraries it brings cost more than all of the above

    return carry_out(around, begun)
