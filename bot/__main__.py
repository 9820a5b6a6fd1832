"""`python -m bot` and the `compose-review` command: run, and turn the outcome into an exit code."""

from __future__ import annotations

import gc
import sys

import click

from bot.cli import cli
from bot.exit import Exit


def main() -> None:
    """Usage errors end with 64, so that 2 can only mean "could not review completely"."""
    gc.disable()  # a short life, spent on trees without cycles: collecting would only walk them
    try:
        outcome = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(Exit.USAGE)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    sys.exit(outcome if isinstance(outcome, int) else Exit.REVIEWED)


if __name__ == "__main__":
    main()
