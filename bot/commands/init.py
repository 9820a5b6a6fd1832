"""`compose-review init`: a workflow and a configuration that fit the repository, or what is missing of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from bot.commands.trees import Asked, asked, safe
from bot.contracts.check import State, check
from bot.contracts.load import compile_all
from bot.contracts.packs import about, pack, pack_names
from bot.exit import Exit
from bot.intake.config import CONFIG_PATHS
from bot.local.failure import LocalError
from bot.local.repository import Repository
from bot.model.node import MappingNode
from bot.model.settings import CONFIG_PATH
from bot.model.text import counted
from bot.ports import EntryKind, Tree
from bot.promises import state_of
from bot.setup.configuration import configuration
from bot.setup.protection import needs
from bot.setup.survey import PackFit, Survey, fit, survey_of
from bot.setup.workflow import ACTION, faults, has_queue, parsed, runs_us, workflow

WORKFLOW_PATH = ".github/workflows/compose-review.yml"
OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
_ACTION = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+@[A-Za-z0-9_./-]+")


@click.command("init")
@click.argument("folder", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say what is missing, and exit with 1 if so.")
@click.option("--forks", is_flag=True, help="Pull requests come from forks too: run on pull_request_target, as data.")
@click.option("--action", default=ACTION, show_default=True, help="The action as `uses:` names it.")
def command(folder: Path, only_check: bool, forks: bool, action: str) -> int:
    """Write the workflow and a first configuration for the repository in FOLDER. What is there is left alone.

    Exit status: 0 done, or nothing is missing; 1 with --check, something is; 2 files cannot be read; 64 wrong usage.
    """
    if not _ACTION.fullmatch(action):
        raise click.ClickException(f"--action must be like {ACTION}")
    try:
        top, branch = _home(folder)
        found = asked(f"{top}/", None)
        state = state_of(found.tree, found.settings)
    except LocalError as error:
        click.echo(f"Error: {error}", err=True)
        return Exit.INCOMPLETE
    packs = tuple(_fits(state))
    known = _workflows(found.tree)
    ours = {path: root for path, root in known.items() if runs_us(root)}
    queue = any(has_queue(root) for path, root in known.items() if path not in ours)
    if only_check:
        missing = [*_missing(found, ours, queue)]
        click.echo("".join(f"missing: {safe(line)}\n" for line in missing) or "Nothing is missing.\n", nl=False)
        code = Exit.FINDINGS if missing else Exit.REVIEWED
    else:
        _write(top, found, ours, survey_of(state.estate, packs), workflow(forks, action))
        code = Exit.REVIEWED
    click.echo("\nWhat the branch protection needs, which no file can say:")
    for number, line in enumerate(needs(branch, queue, _owned(found.tree)), 1):
        click.echo(f"{number}. {safe(line)}")
    return code


def _home(folder: Path) -> tuple[Path, str]:
    """The top of the repository and its default branch; the folder itself where there is no repository."""
    try:
        repository = Repository(folder)
    except LocalError:
        return folder.resolve(), ""
    branch = repository.default_branch
    return repository.top or folder.resolve(), branch.name if branch is not None else ""


def _fits(state: State) -> Iterator[PackFit]:
    for name in pack_names():
        yield fit(name, about(name), check(compile_all(pack(name)).contracts, state))


def _workflows(tree: Tree) -> dict[str, MappingNode]:
    paths = [
        path
        for path, entry in tree.entries.items()
        if re.fullmatch(r"\.github/workflows/[^/]+\.ya?ml", path) and entry.kind is EntryKind.FILE
    ]
    roots = {path: parsed(path, data) for path, data in tree.read_many(paths).items()}
    return {path: root for path, root in roots.items() if root is not None}


def _missing(found: Asked, ours: dict[str, MappingNode], queue: bool) -> Iterator[str]:
    if not ours:
        yield f"a workflow that runs the action, as {WORKFLOW_PATH}"
    for path, root in ours.items():
        for fault in faults(root, queue):
            yield f"in {path}: {fault}"
    if not found.settings.path:
        yield f"a configuration, {CONFIG_PATH}"


def _owned(tree: Tree) -> bool:
    texts = tree.read_many([path for path in OWNERS if path in tree.entries]).values()
    return any(re.search(rb"^\s*(\*|/?\.github\b)", text, re.MULTILINE) for text in texts)


def _write(top: Path, found: Asked, ours: dict[str, MappingNode], survey: Survey, text: str) -> None:
    there = found.settings.path or next((path for path in CONFIG_PATHS if path in found.tree.entries), "")
    _one(top, WORKFLOW_PATH, text, next(iter(ours), ""))
    _one(top, CONFIG_PATH, configuration(survey), there)
    fitting = [pack.name for pack in survey.packs if pack.fits]
    click.echo(f"Found {counted(survey.projects, 'Compose project')}; packs that fit: {', '.join(fitting) or 'none'}.")


def _one(top: Path, name: str, text: str, there: str) -> None:
    """A new file. One that is there already is never touched, nor is anything behind a link of its name."""
    if there:
        click.echo(f"Left as it is: {safe(there)}")
        return
    path = top / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        click.echo(f"Left as it is: {name}")
    except OSError as error:
        raise click.ClickException(f"{name} cannot be written: {error.strerror}") from None
    else:
        click.echo(f"Written: {name}")
