"""A whole review and a start, as a user runs them, against compose-lint."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.paired import command, paired

BIN = Path(sys.executable).parent
EDITED = 4


def start_up() -> Iterator[str]:
    found = paired(command([BIN / "compose-review", "--version"]), command([sys.executable, "-c", "pass"]), 15)
    yield f"start (--version): {found.ratio:.2f} x an empty Python ({found.ours:.3f} s)"


def ignored_event(folder: Path) -> Iterator[str]:
    """A comment that is no command, as the runner tells it: what every talk on a pull request costs."""
    event = folder / "event.json"
    issue = {"number": 7, "pull_request": {}}
    comment = {"id": 1, "body": "Looks fine to me.", "user": {"login": "kim", "type": "User"}}
    event.write_text(json.dumps({"action": "created", "issue": issue, "comment": comment}))
    told = {"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": event, "GITHUB_REPOSITORY": "example/shop"}
    variables = [f"{name}={value}" for name, value in told.items()]
    ours = command(["env", *variables, BIN / "compose-review", "action"])
    found = paired(ours, command(["env", *variables, sys.executable, "-c", "pass"]), 15)
    yield f"an event that is ignored: {found.ratio:.2f} x an empty Python ({found.ours:.3f} s)"


def review_against_lint(base: Path, head: Path) -> Iterator[str]:
    """`head` gets a small edit in four files; compose-lint reads the same files as they are."""
    files = sorted(path for path in head.rglob("*.y*ml"))
    for path in sorted(files, key=lambda path: path.stat().st_size)[-EDITED:]:
        text = path.read_text()
        path.write_text(text.replace("restart: unless-stopped", "restart: always", 1) + "# edited\n")
    ours = command([BIN / "compose-review", "review", "--base", base, "--head", head])
    found = paired(ours, command([BIN / "compose-lint", *files]), 7)
    yield (
        f"review of a change of {EDITED} of {len(files)} files: {found.ratio:.2f} x compose-lint on the same files "
        f"({found.ours:.2f} s against {found.peer:.2f} s)"
    )
