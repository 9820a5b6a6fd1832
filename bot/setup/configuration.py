"""The first configuration of a repository: few keys, and every other thing that was seen as a comment."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.model.settings import DEPLOY_COMMAND
from bot.model.text import counted
from bot.setup.survey import PackFit, Survey

MAX_SHOWN = 8
MAX_VARIABLES = 40


def configuration(survey: Survey) -> str:
    """YAML that the reader of configurations takes. Foreign words in it are JSON strings, on one line."""
    return "".join(f"{line}\n" for line in _lines(survey))


def _lines(survey: Survey) -> Iterator[str]:
    yield "# Compose Review's configuration. Every key may be left out; docs/configuration.md of Compose Review has them all."
    yield "# It is read at the base of a pull request, so that no pull request relaxes its own gate."
    yield "#"
    yield from _seen(survey)
    yield ""
    yield "compose:"
    yield "  # The command that deploys a file. Plans are made for it; it is never run."
    yield f"  deploy: {DEPLOY_COMMAND}"
    yield "  # Which files are Compose files is told from their content, unless patterns say it:"
    yield f"  # files: {json.dumps(_patterns(survey))}"
    for folder, count in survey.shared[:MAX_SHOWN]:
        yield f"  # {count} files in {_folder(folder)} name no project, so Compose takes them for one. If each is"
        yield "  # deployed on a host of its own:"
    yield "  # one_file_per_host: true"
    if survey.variables:
        yield "  # Variables that no file gives a value. Those that are set where the deploy runs are named here:"
        yield "  # variables:"
        for name in survey.variables[:MAX_VARIABLES]:
            yield f"  #   - {json.dumps(name)}"
    yield ""
    yield from _packs(survey.packs)
    yield ""
    yield "# rules:                    # off, note, warning or error; `compose-review rules` lists them"
    yield "#   mutable-image: error"
    yield ""
    yield "review:"
    yield "  fail_on: error            # from which level on a finding fails the status"
    yield "  # reviewers: [a-login]    # a review requested of one of these starts a new round"
    yield "  # inline_comments: 10     # findings also as comments on lines of the diff"


def _seen(survey: Survey) -> Iterator[str]:
    if not survey.projects:
        yield "# No Compose file was found when this was written."
        return
    found = f"{counted(survey.projects, 'Compose project')} with {counted(survey.services, 'service')}"
    yield f"# Found when this was written: {found}."
    for folder, count in survey.folders[:MAX_SHOWN]:
        yield f"#   {_folder(folder)}: {count}"
    if len(survey.folders) > MAX_SHOWN:
        yield f"#   and {counted(len(survey.folders) - MAX_SHOWN, 'more folder')}"
    for path in survey.unread[:MAX_SHOWN]:
        yield f"# Cannot be parsed, so nothing is known of it: {json.dumps(path)}"


def _packs(packs: tuple[PackFit, ...]) -> Iterator[str]:
    fitting = [pack for pack in packs if pack.fits]
    yield "# Contract packs: promises that are checked whenever a pull request touches a file they are about."
    for pack in fitting:
        yield f"#   {pack.name}: {pack.about}"
    if fitting:
        yield "# These are kept by every file today."
        yield f"use: [{', '.join(pack.name for pack in fitting)}]"
    else:
        yield "# use: []                 # none is kept by every file today"
    for pack in packs:
        if pack.broken:
            broken = ", ".join(f"{name} ({counted(count, 'place')})" for name, count in pack.broken[:MAX_SHOWN])
            yield f"# Not kept everywhere yet: {pack.name}: {broken}"


def _patterns(survey: Survey) -> list[str]:
    return [f"{folder}/*.yaml" if folder else "*.yaml" for folder, _ in survey.folders[:MAX_SHOWN]] or ["*.yaml"]


def _folder(folder: str) -> str:
    return json.dumps(folder) if folder else "the top folder"
