"""`python -m bot` and the `compose-review` command: run, and turn the outcome into an exit code."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import AbstractContextManager
from types import TracebackType

import click

from bot.cli import cli
from bot.exit import Exit


class OwnFault(AbstractContextManager[None]):
    """An error that nobody expected is ours, and must not end with 1, which would read as findings."""

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(fault, Exception) or isinstance(fault, click.ClickException | click.Abort | BrokenPipeError):
            return
        import traceback

        traceback.print_exception(fault)
        click.echo(
            "Compose Review failed, and nothing was reviewed. This is a fault of its own: please report it.", err=True
        )
        sys.exit(Exit.INCOMPLETE)


def main() -> None:
    """Usage errors end with 64, so that 2 can only mean "could not review completely"."""
    gc.disable()  # a short life, spent on trees without cycles: collecting would only walk them
    try:
        code = _run()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = 141
    atexit._run_exitfuncs()  # they remove temporary folders
    os._exit(code)  # taking the trees apart object by object costs a twentieth of a review, and nothing waits for it


def _run() -> int:
    try:
        with OwnFault():
            outcome = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return Exit.USAGE
    except click.Abort:
        return 130
    except SystemExit as asked:
        return asked.code if isinstance(asked.code, int) else int(asked.code is not None)
    return outcome if isinstance(outcome, int) else Exit.REVIEWED


if __name__ == "__main__":
    main()
