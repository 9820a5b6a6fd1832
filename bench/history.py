"""The recorded history of a deployment repository, for measuring: a mirror clone of its bundle and its pulls."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CASES = Path(os.environ.get("COMPOSE_REVIEW_CASES", Path(__file__).parents[1] / "../shared/cases"))


@dataclass(frozen=True)
class History:
    repository: Path  # bare
    pulls: list[dict[str, Any]]  # number, title, merge_base, head, …
    defects: list[dict[str, Any]]  # id, bad, files, defect, …

    def tree(self, target: Path, revision: str = "main") -> Path:
        """The files of one revision, as a folder."""
        archive = subprocess.run(
            ["git", "-C", str(self.repository), "archive", revision], capture_output=True, check=True
        ).stdout
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-x", "-C", str(target)], input=archive, check=True)
        return target


@contextmanager
def history() -> Iterator[History]:
    folder = CASES / "history"
    if not folder.is_dir():
        raise SystemExit(f"no recorded history at {folder}; set COMPOSE_REVIEW_CASES")
    with TemporaryDirectory() as temporary:
        mirror = Path(temporary) / "history.git"
        subprocess.run(["git", "clone", "-q", "--mirror", str(folder / "history.bundle"), str(mirror)], check=True)
        yield History(
            mirror,
            json.loads((folder / "pull_requests.json").read_text()),
            json.loads((folder / "known_defects.json").read_text()),
        )
