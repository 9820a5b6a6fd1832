"""Runs a command the way a user does, in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from bot.cli import cli
from bot.exit import Exit


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def compose_review(*args: str | Path) -> Ran:
    """`compose-review ARGS`. An exception that escapes fails the test."""
    arguments = [str(arg) for arg in args]
    try:
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)
    except click.ClickException as error:
        return Ran(Exit.USAGE, "", error.format_message())
    return Ran(done.return_value if isinstance(done.return_value, int) else 0, done.stdout, done.stderr)


def write_files(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
