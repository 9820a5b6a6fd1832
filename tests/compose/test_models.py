"""Model folders: what `compose-review config` prints of some files, and where it says each value comes from.

`models/<behaviour>/` holds the arguments, the files and the expected page. Write the pages anew with
`COMPOSE_REVIEW_UPDATE=1`, and read the difference before you keep it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.support.run import compose_review, write_files

FOLDER = Path(__file__).parent / "models"
MODELS = sorted(path.parent for path in FOLDER.glob("*/expected.txt"))


def test_the_sweep_finds_every_model() -> None:
    assert sorted(path for path in FOLDER.iterdir() if path.is_dir()) == MODELS
    assert len(MODELS) >= 18


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_model_reads_as_expected(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = model / "files"
    monkeypatch.chdir(files)
    ran = compose_review("config", *(model / "arguments.txt").read_text().split())
    page = f"exit {ran.code}\n{ran.out}{ran.err}".replace(str(files), ".")
    expected = model / "expected.txt"
    if os.environ.get("COMPOSE_REVIEW_UPDATE"):
        expected.write_text(page)
    assert page == expected.read_text()


def test_origins_are_records_for_programs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"compose.yaml": 'x: &a "v${B}"\nservices:\n  s:\n    image: *a\n'})
    monkeypatch.chdir(tmp_path)
    image = json.loads(compose_review("config", "--origins", "--format", "json").out)[0]
    assert image == {
        "path": ["services", "s", "image"],
        "value": "v${B}",
        "file": "compose.yaml",
        "line": 1,
        "column": 4,
        "used_at": 4,
        "unset": ["B"],
    }
