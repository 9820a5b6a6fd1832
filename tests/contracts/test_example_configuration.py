"""The example of a whole configuration, on real files when they are there."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.contracts.check import check
from bot.contracts.load import Loaded, load
from bot.contracts.packs import pack_names
from bot.intake.config import settings_file
from bot.local.folder_tree import FolderTree
from bot.model.contract import ContractResult
from bot.model.finding import CheckStatus
from bot.model.settings import Settings
from bot.promises import state_of
from bot.rulebook import catalogue
from tests.support.cases import CASES

EXAMPLE = Path(__file__).parents[2] / "examples/model-serving/compose-review.yaml"
FAMILIES = ("otel-labels", "proxy-dependencies", "proxy-environment", "registrar-auth", "model-cache")
MUTATIONS = CASES / "contracts/mutations.json"
SEED = CASES / "seed-pr"
with_cases = pytest.mark.skipif(not MUTATIONS.exists(), reason="the cases are not there")


@cache
def configuration() -> tuple[Settings, Loaded]:
    settings = settings_file(EXAMPLE, frozenset(rule.id for rule in catalogue()), pack_names())
    return settings, load(settings)


def held(folder: Path) -> dict[str, ContractResult]:
    settings, loaded = configuration()
    return {each.contract.id: each for each in check(loaded.contracts, state_of(FolderTree(folder), settings))}


def broken(results: dict[str, ContractResult]) -> set[str]:
    """The families of contracts that are not kept."""
    failed = [name for name, each in results.items() if each.status is CheckStatus.FAILED]
    return {family for family in FAMILIES if any(name.startswith(family) for name in failed)}


def test_the_example_loads() -> None:
    _, loaded = configuration()
    assert not loaded.problems
    assert all(any(name.startswith(family) for name in loaded.ids) for family in FAMILIES)
    assert all(each.contract.because.endswith(".") for each in loaded.contracts)


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The newest tree of the recorded history."""
    folder = tmp_path_factory.mktemp("history")
    run = lambda *args: subprocess.run(args, cwd=folder, check=True, capture_output=True)  # noqa: E731
    run("git", "clone", "--quiet", "--mirror", str(CASES / "history/history.bundle"), "h.git")
    (folder / "tree").mkdir()
    archive = subprocess.run(["git", "-C", "h.git", "archive", "main"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["tar", "x", "-C", "tree"], cwd=folder, check=True, input=archive.stdout)
    return folder / "tree"


@with_cases
def test_the_recorded_files_keep_every_contract(newest: Path) -> None:
    results = held(newest)
    assert [(each.at, each.says) for result in results.values() for each in result.violations] == []
    assert sum(result.status is CheckStatus.SKIPPED for result in results.values()) == 2


@with_cases
@pytest.mark.parametrize(
    "mutation", json.loads(MUTATIONS.read_text()) if MUTATIONS.exists() else [], ids=lambda each: each["id"]
)
def test_a_mutation_has_the_verdict_that_is_known(mutation: dict[str, Any], newest: Path, tmp_path: Path) -> None:
    file = tmp_path / mutation["file"]
    file.parent.mkdir(parents=True)
    file.write_bytes((newest / mutation["file"]).read_bytes())
    patch = CASES / "contracts/patches" / f"{mutation['id']}.patch"
    subprocess.run(
        ["git", "apply", str(patch)],
        cwd=tmp_path,
        check=True,
        env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent), "PATH": "/usr/bin:/bin"},
    )
    assert broken(held(tmp_path)) == set(mutation["contracts"]), mutation["why"]


class TestTheModelCache:
    FILE = "prod/GLM-5.3-Flash-SGL-TP4.yaml"

    def broken_by(self, tmp_path: Path, old: str, new: str, where: str = FILE) -> list[tuple[str, int, str]]:
        path = tmp_path / where
        path.parent.mkdir(parents=True)
        text = (SEED / "round-2/head" / where).read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        results = held(tmp_path)
        return [
            (name, violation.at.line, violation.says)
            for name, result in results.items()
            if name.startswith("model-cache")
            for violation in result.violations
        ]

    def line(self, part: str) -> str:
        return next(line for line in (SEED / "round-2/head" / self.FILE).read_text().split("\n") if part in line)

    @with_cases
    def test_the_reviewed_files_keep_it(self) -> None:
        results = held(SEED / "round-2/head")
        assert broken(results) == set()
        assert results["model-cache"].status is CheckStatus.PASSED

    @with_cases
    def test_a_lost_download(self, tmp_path: Path) -> None:
        found = self.broken_by(tmp_path, self.line("hf download graphistry") + "\n", "")
        assert [(name, "does not download graphistry/" in says) for name, _, says in found] == [("model-cache", True)]

    @with_cases
    def test_another_revision(self, tmp_path: Path) -> None:
        found = self.broken_by(tmp_path, "--revision 99f1fa70", "--revision 99f1fa71")
        assert [(line, "instead of graphistry/" in says) for _, line, says in found] == [(184, True)]

    @with_cases
    def test_the_same_download_twice(self, tmp_path: Path) -> None:
        line = self.line("hf download graphistry")
        found = self.broken_by(tmp_path, line, f"{line}\n{line}")
        assert {"2 times" in says for _, _, says in found} == {True}

    @with_cases
    def test_another_template(self, tmp_path: Path) -> None:
        found = self.broken_by(tmp_path, "chat_template.jinja --revision 3f19", "chat_template.jinja --revision 3f18")
        assert [(line, "chat_template.jinja@3f18" in says) for _, line, says in found] == [(182, True)]

    @with_cases
    def test_a_clean_up_without_its_profile(self, tmp_path: Path) -> None:
        found = self.broken_by(tmp_path, '    profiles: ["maintenance"]\n', "")
        assert [(name, "not behind the profile maintenance" in says) for name, _, says in found] == [
            ("model-cache-cleanup", True)
        ]

    @with_cases
    def test_a_clean_up_with_a_default(self, tmp_path: Path) -> None:
        found = self.broken_by(tmp_path, "MODEL_NAME=${MODEL_NAME:-}", "MODEL_NAME=${MODEL_NAME:-a/b}")
        assert [(name, line) for name, line, _ in found] == [("model-cache-cleanup", 241)]
