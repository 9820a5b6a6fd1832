"""`compose-review stack`: what a stacked pull request needs, with the commands for this clone."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot.exit import Exit
from bot.intake.json_fields import FactsError
from bot.intake.pull_facts import read_pull
from bot.local.ancestry import CloneAncestry
from bot.local.branches import pull_of_branch
from bot.local.failure import LocalError, WrongRequest
from bot.local.repository import Repository
from bot.model.review import Stack
from bot.stack.read import stack_of


@click.command("stack")
@click.option("--pr", "facts", type=click.Path(path_type=Path, exists=True), help="Facts about the pull request.")
@click.option("--branch", help="A branch of this clone, without knowing pull requests. Default: the one checked out.")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
def command(facts: Path | None, branch: str | None, format_: str) -> int:
    """Say what a stacked pull request, and those that build on it, need next.

    Exit status: 0 nothing that blocks; 1 merging now would lose or double work; 64 wrong usage.
    """
    if facts is not None and branch is not None:
        raise click.UsageError("--pr and --branch exclude each other")
    try:
        repository = Repository(Path())
        pull = read_pull(facts) if facts is not None else pull_of_branch(repository, branch)
        stack = stack_of(pull, CloneAncestry(repository))
    except (WrongRequest, FactsError) as error:
        raise click.ClickException(str(error)) from None
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    click.echo(_json(stack) if format_ == "json" else _text(stack))
    return Exit.FINDINGS if stack.blocks else Exit.REVIEWED


def _json(stack: Stack) -> str:
    from bot.review.as_json import stack_json

    return json.dumps(stack_json(stack), indent=2, ensure_ascii=False)


def _text(stack: Stack) -> str:
    from bot.review.terminal import stack_text

    return stack_text(stack) or "Not stacked: nothing to do."
