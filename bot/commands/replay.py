"""`compose-review replay`: what the review would have said of past pull requests, before it is switched on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import click

from bot.exit import Exit


class Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"


_PATH = click.Path(path_type=Path, exists=True)


@click.command("replay")
@click.argument("repository", type=_PATH)
@click.option(
    "--pulls", "listed", type=_PATH, required=True, help="The pull requests: JSON, or lines `base head [number]`."
)
@click.option("--config", type=_PATH, help="A configuration to use instead of the one at each base.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes at work at once.")
@click.option("--hits", is_flag=True, help="Every finding too, not the table alone.")
@click.option("--format", "format_", type=click.Choice([each.value for each in Format]), default="terminal")
def command(repository: Path, listed: Path, config: Path | None, jobs: int, hits: bool, format_: str) -> int:
    """Review the past pull requests of REPOSITORY and print a table: rule, hits, pull requests.

    Exit status: 0 all were reviewed; 2 at least one could not be reviewed completely; 64 wrong usage.
    """
    from bot.intake.config import ConfigError, settings_file
    from bot.replay import page
    from bot.replay.pulls import ListError, read_list
    from bot.replay.run import replay
    from bot.replay.table import table_of
    from bot.rulebook import catalogue

    try:
        pulls = read_list(listed)
        if config is not None:
            settings_file(config, {rule.id for rule in catalogue()})
    except (ListError, ConfigError, OSError) as error:
        raise click.ClickException(str(error)) from None
    results = replay(repository, pulls, config, jobs)
    printers = {Format.TERMINAL: page.terminal, Format.MARKDOWN: page.markdown, Format.JSON: page.as_json}
    click.echo(printers[Format(format_)](results, table_of(results), hits), nl=False)
    return Exit.REVIEWED if all(each.complete for each in results) else Exit.INCOMPLETE
