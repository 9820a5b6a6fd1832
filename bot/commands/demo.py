"""`compose-review demo`: reviews the bundled example pull request, both rounds, offline."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from bot.commands.review import Format, page, reviewed, write
from bot.local.source import LocalRequest

EXAMPLE = Path(__file__).parents[1] / "demo"


@click.command("demo")
@click.option("--format", "format_", type=click.Choice([each.value for each in Format]), default="terminal")
@click.option(
    "--round", "round_", type=click.IntRange(1, 2), help="Only this round. Default: both, one after the other."
)
def command(format_: str, round_: int | None) -> int:
    """Review the bundled example pull request: what a first round says, and a second one after a push."""
    chosen = Format(format_)
    wide = min(shutil.get_terminal_size().columns, 100) if sys.stdout.isatty() else 80
    for number in (round_,) if round_ else (1, 2):
        if chosen is Format.TERMINAL:
            click.echo(f"{'=' * wide}\n Round {number}: {_SAID[number]}\n{'=' * wide}")
        result, _ = reviewed(LocalRequest(case=EXAMPLE, round_=number), None)
        write(page(result, chosen, wide, sys.stdout.isatty()), None)
    return 0


_SAID = {1: "the pull request is opened", 2: "its author pushed, and asked again"}
