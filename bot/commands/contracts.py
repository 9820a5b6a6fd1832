"""`compose-review contracts`: hold a tree to its contracts, and show that they can fail."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from bot.commands.review import write
from bot.commands.trees import asked, safe
from bot.contracts.check import State, check
from bot.contracts.compiled import Compiled
from bot.exit import Exit
from bot.local.failure import LocalError
from bot.model.contract import ContractResult
from bot.model.finding import CheckStatus, Level
from bot.model.settings import FailOn, Settings
from bot.ports import Entry, EntryKind
from bot.promises import state_of

_PATH = click.Path(path_type=Path, exists=True)


@click.group("contracts")
def command() -> None:
    """Hold the files to the contracts of the configuration, or put the contracts themselves to the test."""


def _options(function: Callable[..., int]) -> Callable[..., int]:
    for option in (
        click.argument("tree", default="."),
        click.option("--config", type=_PATH, help="A configuration to use instead of the tree's own."),
        click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal"),
        click.option("--output", type=click.Path(path_type=Path), help="Write here instead of to standard output."),
    ):
        function = option(function)
    return function


@command.command("check")
@_options
@click.option("--fail-on", type=click.Choice([each.value for each in FailOn]), help="Default: error.")
def check_command(tree: str, config: Path | None, format_: str, output: Path | None, fail_on: str | None) -> int:
    """Hold every file of TREE, a folder or a revision, to every contract.

    Exit status: 0 all are kept; 1 one at or above --fail-on is not; 64 wrong usage or configuration.
    """
    from bot.contracts.report import check_data, check_lines

    try:
        found = _prepared(tree, config)
        results = check(found.contracts, found.state)
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    _print(format_, output, check_data(results), check_lines(results))
    chosen = FailOn(fail_on) if fail_on else found.settings.review.fail_on
    return Exit.FINDINGS if _fails(results, chosen) else Exit.REVIEWED


def _fails(results: Iterable[ContractResult], fail_on: FailOn) -> bool:
    if fail_on is FailOn.NEVER:
        return False
    least = Level.ERROR if fail_on is FailOn.ERROR else Level.WARNING
    return any(each.status is CheckStatus.FAILED and each.contract.level >= least for each in results)


@command.command("test")
@_options
@click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, show_default="one per processor")
@click.option("--each", type=click.IntRange(1, 100), default=1, help="Mutants of each kind and folder. Default: 1.")
def test_command(tree: str, config: Path | None, format_: str, output: Path | None, jobs: int, each: int) -> int:
    """Mutate the files that the contracts cover, and list which checks notice, and what nobody notices.

    Exit status: 0 every check notices something; 1 one is vacuous, or an example is wrong; 64 wrong usage.
    """
    from bot.contracts.examples import broken_by, shown
    from bot.contracts.report import test_data, test_lines
    from bot.contracts.trial import put_to_test

    try:
        found = _prepared(tree, config)
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    progress = _Progress()
    trial = put_to_test(found.contracts, found.state, each=each, jobs=jobs, tick=progress)
    examples = tuple(shown(found.contracts, lambda text: state_of(_OneFile(text), Settings())))
    contracts = [compiled.contract for compiled in found.contracts]
    _print(format_, output, test_data(trial, contracts, examples), test_lines(trial, contracts, examples))
    wrong = bool(trial.vacuous(broken_by(examples))) or any(not each.holds for each in examples)
    return Exit.FINDINGS if wrong else Exit.REVIEWED


@command.command("suggest")
@click.argument("tree", default=".")
@click.option("--config", type=_PATH, help="A configuration to use instead of the tree's own.")
@click.option("--format", "format_", type=click.Choice(["yaml", "json"]), default="yaml")
@click.option("--output", type=click.Path(path_type=Path), help="Write here instead of to standard output.")
def suggest_command(tree: str, config: Path | None, format_: str, output: Path | None) -> int:
    """Print what nearly all peers of TREE have in common as contracts, ready to paste, with their support.

    Exit status: 0 printed; 2 a file could not be read; 64 wrong usage or configuration.
    """
    from bot.suggest.contracts import as_json, as_yaml, suggested
    from bot.suggest.expressions import stated
    from bot.suggest.mine import conventions

    try:
        found = asked(tree, config)
        state = state_of(found.tree, found.settings)
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    known = stated(each.contract for each in found.loaded.contracts)
    contracts, left = suggested(conventions(state.estate), known, found.loaded.ids)
    write((as_json if format_ == "json" else as_yaml)(contracts, left), output)
    for gap in state.gaps:
        click.echo(safe(f"Not looked at: {gap.what}: {gap.why}"), err=True)
    return Exit.INCOMPLETE if state.gaps else Exit.REVIEWED


class _Prepared(Struct, frozen=True):
    settings: Settings
    contracts: tuple[Compiled, ...]
    state: State


def _prepared(name: str, config: Path | None) -> _Prepared:
    """The tree, its configuration and its contracts. ClickException for what the user must repair."""
    found = asked(name, config)
    if not found.loaded.contracts:
        raise click.ClickException("there are no contracts: the configuration has neither `contracts` nor `use`")
    return _Prepared(found.settings, found.loaded.contracts, state_of(found.tree, found.settings))


def _print(format_: str, output: Path | None, data: dict[str, Any], lines: Iterable[str]) -> None:
    if format_ == "json":
        write(f"{json.dumps(data, ensure_ascii=False, indent=2)}\n", output)
    else:
        write("".join(f"{safe(line)}\n" for line in lines), output)


class _Progress:
    """A line on standard error, rewritten on a terminal and repeated seldom elsewhere."""

    def __init__(self) -> None:
        self._shown = time.monotonic()
        self._every = 0.2 if sys.stderr.isatty() else 10.0

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._shown < self._every and done < of:
            return
        self._shown = now
        live = sys.stderr.isatty()
        click.echo(
            f"\r{done} of {of} mutants" if live else f"{done} of {of} mutants", err=True, nl=not live or done == of
        )


class _OneFile:
    """A tree of one Compose file: what an example is."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self.entries: Mapping[str, Entry] = {"compose.yaml": Entry("compose.yaml", EntryKind.FILE, "example")}

    def read(self, path: str) -> bytes:
        assert path in self.entries
        return self._data

    def read_many(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        return {path: self._data for path in paths if path in self.entries}

    def find(self, needles: Iterable[bytes]) -> Mapping[str, bytes]:
        return {path: self._data for path in self.entries if any(needle in self._data for needle in needles)}
