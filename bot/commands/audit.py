"""`compose-review audit`: a whole tree as it stands, or the reports of many as one page."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bot.exit import Exit
from bot.model.fail_on import FailOn
from bot.model.review import Verdict

_PATH = click.Path(path_type=Path, exists=True)
_CODES = {
    Verdict.PASS: Exit.REVIEWED,
    Verdict.FAIL: Exit.FINDINGS,
    Verdict.INCOMPLETE: Exit.INCOMPLETE,
}


@click.command("audit")
@click.argument("tree", default=".")
@click.option("--config", type=_PATH, help="A configuration to use instead of the tree's own.")
@click.option("--name", help="What the summary calls this tree. Default: TREE.")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
@click.option("--output", type=click.Path(path_type=Path), help="Write here instead of to standard output.")
@click.option("--fail-on", type=click.Choice([each.value for each in FailOn]), help="Default: error.")
@click.option("--summarise", is_flag=True, help="TREE is a folder of such reports: print one page of Markdown.")
@click.option("--expect", multiple=True, help="With --summarise: a name that must have left a report.")
def command(
    tree: str,
    config: Path | None,
    name: str | None,
    format_: str,
    output: Path | None,
    fail_on: str | None,
    summarise: bool,
    expect: tuple[str, ...],
) -> int:
    """Hold TREE, a folder or a revision, to every rule about one state and to every contract.

    Exit status: 0 nothing at or above --fail-on; 1 something; 2 a part was not seen; 64 wrong usage.
    """
    from bot.commands.review import write

    if summarise:
        return _summarised(Path(tree), output, expect)

    from bot.audit.report import audit_data, audit_lines
    from bot.audit.run import audit
    from bot.commands.trees import asked, safe
    from bot.local.failure import LocalError

    try:
        found = asked(tree, config)
        done = audit(found.tree, found.settings, found.loaded)
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    chosen = FailOn(fail_on) if fail_on else found.settings.review.fail_on
    if format_ == "json":
        write(json.dumps(audit_data(done, name or tree, chosen), indent=2) + "\n", output)
    else:
        write("".join(f"{safe(line)}\n" for line in audit_lines(done)), output)
    return _CODES[done.verdict(chosen)]


def _summarised(folder: Path, output: Path | None, expect: tuple[str, ...]) -> int:
    from bot.audit.summary import exit_code, page, rows_of
    from bot.commands.review import write

    if not folder.is_dir():
        raise click.ClickException(f"{folder} is not a folder of reports")
    rows = rows_of(folder, expect)
    write("".join(f"{line}\n" for line in page(rows)), output)
    return exit_code(rows)
