"""`compose-review review`: the main job, from revisions, folders or a case."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import click
from msgspec.structs import replace

from bot.app import Around, Later, review
from bot.exit import Exit
from bot.intake.config import ConfigError, settings_file, settings_of
from bot.local.ancestry import CloneAncestry
from bot.local.case import rounds
from bot.local.failure import LocalError, WrongRequest
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.local.source import LocalRequest, read_local
from bot.model.finding import Level
from bot.model.review import Review, Verdict
from bot.model.settings import FailOn, Settings
from bot.ports import Reading
from bot.rulebook import catalogue
from bot.stack.ancestry import Ancestry, NoAncestry
from bot.stack.family import later_parts
from bot.stack.read import stack_of


class Format(StrEnum):
    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


_PATH = click.Path(path_type=Path, exists=True)


@click.command("review")
@click.option("--base", help="A revision or a folder. Default: where head left the default branch.")
@click.option("--head", help="A revision or a folder. Default: the working tree.")
@click.option("--case", type=_PATH, help="A folder with base/ and head/, or with base/ and round-N/head/.")
@click.option("--round", "round_", type=click.IntRange(min=1), help="The case's round. Default: its last.")
@click.option("--pr", "pr_file", type=_PATH, help="Facts about the pull request: pr.json or a GitHub event.")
@click.option("--previous", type=_PATH, help="Our own last comment, as markdown.")
@click.option("--config", type=_PATH, help="A configuration to use instead of the one at base.")
@click.option("--format", "format_", type=click.Choice([each.value for each in Format]), default="terminal")
@click.option("--output", type=click.Path(path_type=Path), help="Write here instead of to standard output.")
@click.option("--fail-on", type=click.Choice([each.value for each in FailOn]), help="Default: error.")
def command(
    base: str | None,
    head: str | None,
    case: Path | None,
    round_: int | None,
    pr_file: Path | None,
    previous: Path | None,
    config: Path | None,
    format_: str,
    output: Path | None,
    fail_on: str | None,
) -> int:
    """Review a change of Docker Compose files.

    Exit status: 0 reviewed; 1 findings at or above --fail-on; 2 could not review completely; 64 wrong usage.
    """
    try:
        remembered = previous.read_text(encoding="utf-8") if previous is not None else None
        request = LocalRequest(base, head, case, round_, pr_file, remembered)
        result, settings = reviewed(request, config)
    except (WrongRequest, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    except (LocalError, UnicodeDecodeError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    write(page(result, Format(format_)), output)
    return exit_code(result, FailOn(fail_on) if fail_on else settings.review.fail_on)


def reviewed(request: LocalRequest, config: Path | None) -> tuple[Review, Settings]:
    """The review asked for. A case's earlier rounds are reviewed first, so that its memory is real."""
    if request.case is not None and request.previous is None:
        from bot.review.comment.page import markdown

        last = request.round_ or rounds(request.case)[-1]
        for number in (each for each in rounds(request.case) if each < last):
            earlier, _ = _once(replace(request, round_=number), config)
            request = replace(request, previous=markdown(earlier))
    return _once(request, config)


def _once(request: LocalRequest, config: Path | None) -> tuple[Review, Settings]:
    reading = read_local(**{name: getattr(request, name) for name in request.__struct_fields__})
    settings = _settings(reading, config)
    git = _ancestry(request)
    around = Around(stack=stack_of(reading.pull, git), later=lambda: _later(request, reading, git))
    return review(reading, settings, around), settings


def _later(request: LocalRequest, reading: Reading, git: Ancestry) -> Iterator[Later]:
    """What builds on this one, where the clone has it."""
    for each in later_parts(reading.pull, git):
        yield Later(each.number, tree_of(Repository(request.repo).store, each.head_sha))


def _ancestry(request: LocalRequest) -> Ancestry:
    """A clone's answers; folders and cases have none."""
    if request.case is not None:
        return NoAncestry()
    try:
        return CloneAncestry(Repository(request.repo))
    except LocalError:
        return NoAncestry()


def _settings(reading: Reading, config: Path | None) -> Settings:
    """The configuration is base's: a pull request cannot relax its own gate."""
    ids = {rule.id for rule in catalogue()}
    return settings_file(config, ids) if config is not None else settings_of(reading.base, ids)


def page(result: Review, format_: Format, width: int = 80, colour: bool = False) -> str:
    """The review in one of its forms; each brings its own libraries, so only the one asked for is imported."""
    if format_ is Format.MARKDOWN:
        from bot.review.comment.page import markdown

        return markdown(result)
    if format_ is Format.JSON:
        from bot.review.as_json import as_json

        return as_json(result)
    if format_ is Format.SARIF:
        from bot.review.sarif import sarif

        return sarif(result, {rule.id: rule.page for rule in catalogue()})
    if format_ is Format.GITHUB:
        from bot.review.github import annotate

        return annotate(result)
    from bot.review.terminal import terminal

    return terminal(result, width, colour)


def write(text: str, output: Path | None) -> None:
    if output is not None:
        output.write_text(text, encoding="utf-8")
        return
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def exit_code(result: Review, fail_on: FailOn) -> int:
    """Not knowing comes first: 2 even when what was seen passes, and when it fails."""
    if result.verdict is Verdict.INCOMPLETE:
        return Exit.INCOMPLETE
    if fail_on is FailOn.NEVER:
        return Exit.REVIEWED
    least = Level.ERROR if fail_on is FailOn.ERROR else Level.WARNING
    failed = result.verdict is Verdict.FAIL or any(
        finding.level >= least and not finding.inherited for finding in result.findings
    )
    return Exit.FINDINGS if failed else Exit.REVIEWED
