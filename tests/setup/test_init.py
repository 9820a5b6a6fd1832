"""`init` in folders of several kinds: what it writes is read back, nothing is overwritten, what is missing is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.init import WORKFLOW_PATH
from bot.contracts.packs import pack_names
from bot.intake.config import read_settings
from bot.model.settings import CONFIG_PATH, Settings
from bot.rulebook import catalogue
from bot.setup.workflow import faults, parsed
from tests.support.repo import Repo
from tests.support.run import Ran, compose_review, write_files

PINNED = "registry.example/web@sha256:" + "4a" * 32
GOOD = f"services:\n  web:\n    image: {PINNED}\n"
OTHER = "name: deploy\non: push\njobs: {a: {runs-on: x, steps: [{run: make}]}}\n"


def init(folder: Path, *options: str) -> Ran:
    return compose_review("init", folder, *options)


def written(folder: Path) -> Settings:
    """The configuration as the reader takes it: every name in it must be known."""
    ids = {rule.id for rule in catalogue()}
    return read_settings(CONFIG_PATH, (folder / CONFIG_PATH).read_bytes(), ids, pack_names())


def test_a_repository_gets_what_its_own_check_finds_complete(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"prod/compose.yaml": GOOD, "experiments/compose.yaml": GOOD})
    before = init(repo.folder, "--check")
    assert before.code == 1
    assert WORKFLOW_PATH in before.out
    assert CONFIG_PATH in before.out
    assert not (repo.folder / ".github").exists()
    made = init(repo.folder)
    assert made.code == 0
    assert "on `main`" in made.out
    after = init(repo.folder, "--check")
    assert (after.code, after.out.splitlines()[0]) == (0, "Nothing is missing.")
    assert "pinned-images" in written(repo.folder).use
    assert "Found when this was written: 2 Compose projects" in (repo.folder / CONFIG_PATH).read_text()


def test_what_init_writes_is_no_compose_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": GOOD})
    init(tmp_path)
    assert "Found 1 Compose project;" in init(tmp_path).out


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": "nothing here\n"},
        {"compose.yaml": "services: [\n"},
        {
            "a b/ü.yaml": GOOD,
            'q"uote/c.yaml': GOOD,
            "x/compose.yaml": GOOD.replace("web:", "web:\n    environment: [A=${TOKEN}]"),
        },
        {f"prod/{number}.yaml": GOOD for number in range(20)},
        {"new\nline/compose.yaml": GOOD},
    ],
    ids=["empty", "no compose", "broken", "names", "one folder", "newline"],
)
def test_in_any_folder_what_is_written_can_be_read(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    folder = write_files(tmp_path / "folder", files)
    assert init(folder).code == 0
    written(folder)
    assert init(folder, "--check").code == 0


def test_packs_that_are_broken_today_are_named_and_not_used(tmp_path: Path) -> None:
    write_files(tmp_path, {"compose.yaml": "services:\n  web:\n    image: registry.example/web:latest\n"})
    init(tmp_path)
    assert "pinned-images" not in written(tmp_path).use
    assert "# Not kept everywhere yet: pinned-images:" in (tmp_path / CONFIG_PATH).read_text()


def test_files_that_share_a_project_and_variables_without_a_value_are_told(tmp_path: Path) -> None:
    text = GOOD.replace(PINNED, "${REGISTRY}/web:${TAG:-1}")
    write_files(tmp_path, {f"prod/{name}.yaml": text for name in "abc"})
    init(tmp_path)
    configuration = (tmp_path / CONFIG_PATH).read_text()
    assert '3 files in "prod" name no project' in configuration
    assert '#   - "REGISTRY"' in configuration
    assert "TAG" not in configuration


@pytest.mark.parametrize("path", [WORKFLOW_PATH, CONFIG_PATH, ".github/workflows/other.yaml"])
def test_nothing_is_overwritten(tmp_path: Path, path: str) -> None:
    text = "use: []\n" if path == CONFIG_PATH else "on: push\njobs: {a: {steps: [{uses: example/compose-review@v1}]}}\n"
    write_files(tmp_path, {"compose.yaml": GOOD, path: text})
    assert f"Left as it is: {path}" in init(tmp_path).out
    assert (tmp_path / path).read_text() == text
    assert (tmp_path / WORKFLOW_PATH).exists() == (path != ".github/workflows/other.yaml")


def test_a_link_of_that_name_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "target"
    folder = write_files(tmp_path / "folder", {"compose.yaml": GOOD})
    (folder / ".github/workflows").mkdir(parents=True)
    (folder / WORKFLOW_PATH).symlink_to(target)
    assert f"Left as it is: {WORKFLOW_PATH}" in init(folder).out
    assert not target.exists()


def test_the_top_of_the_repository_is_found_from_inside(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"prod/compose.yaml": GOOD})
    assert init(repo.folder / "prod").code == 0
    assert (repo.folder / WORKFLOW_PATH).exists()


def test_another_address_of_the_action(tmp_path: Path) -> None:
    assert init(tmp_path, "--action", "example/mirror@v3", "--forks").code == 0
    text = (tmp_path / WORKFLOW_PATH).read_text()
    assert "uses: example/mirror@v3" in text
    assert "pull_request_target:" in text
    for wrong in ("example/mirror", "a/b@v1\nrun: x", "$(id)/x@v1"):
        assert init(tmp_path, "--action", wrong).code == 64


def test_a_configuration_that_cannot_be_used_ends_with_64(tmp_path: Path) -> None:
    write_files(tmp_path, {CONFIG_PATH: "reviews: {}\n"})
    assert init(tmp_path, "--check").code == 64


def workflow_faults(text: str, queue: bool = False) -> list[str]:
    root = parsed("w.yml", text.encode())
    assert root is not None
    return list(faults(root, queue))


JOB = "jobs: {a: {permissions: {pull-requests: write, statuses: write}, steps: []}}\n"
TYPES = "[opened, reopened, synchronize, edited, ready_for_review]"


@pytest.mark.parametrize(
    "text",
    [
        f"on: {{pull_request: {{types: {TYPES}}}}}\n{JOB}",
        f"on: {{pull_request_target: {{types: {TYPES}}}}}\npermissions: write-all\njobs: {{a: {{}}}}\n",
        f"on: {{workflow_run: {{workflows: [x]}}}}\n{JOB}",
    ],
)
def test_a_sound_workflow_has_no_fault(text: str) -> None:
    assert workflow_faults(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"on: push\n{JOB}", "runs on none"),
        (f"on: pull_request\n{JOB}", "lacks the types `edited`, `ready_for_review`"),
        (f"on: {{pull_request: {{types: [opened], paths: ['*.yaml']}}}}\n{JOB}", "stays pending for ever"),
        (f"on: {{pull_request: {{types: {TYPES}, branches: [main]}}}}\n{JOB}", "has `branches`"),
        (f"on: {{pull_request: {{types: {TYPES}}}}}\njobs: {{a: {{}}}}\n", "`statuses: write`"),
        (
            f"on: {{pull_request: {{types: {TYPES}}}}}\npermissions: read-all\njobs: {{a: {{}}}}\n",
            "`pull-requests: write`",
        ),
    ],
)
def test_what_would_keep_the_status_away_is_told(text: str, said: str) -> None:
    assert any(said in fault for fault in workflow_faults(text))


def test_a_merge_queue_is_told_from_other_workflows(tmp_path: Path) -> None:
    ours = f"on: {{pull_request: {{types: {TYPES}}}}}\n" + JOB.replace("[]", "[{uses: example/compose-review@v1}]")
    files = {WORKFLOW_PATH: ours, CONFIG_PATH: "use: []\n", ".github/workflows/ci.yml": OTHER}
    write_files(tmp_path, dict(files))
    assert init(tmp_path, "--check").code == 0
    write_files(tmp_path, {".github/workflows/ci.yml": OTHER.replace("push", "[push, merge_group]")})
    ran = init(tmp_path, "--check")
    assert ran.code == 1
    assert f"in {WORKFLOW_PATH}: other workflows run on `merge_group`" in ran.out


@pytest.mark.parametrize(
    ("owners", "told"), [("", True), ("/docs/ @a\n", True), ("* @a\n", False), ("/.github/ @a\n", False)]
)
def test_owners_of_the_configuration_are_asked_for_where_there_are_none(
    tmp_path: Path, owners: str, told: bool
) -> None:
    write_files(tmp_path, {".github/CODEOWNERS": owners})
    assert ("an owner in CODEOWNERS" in init(tmp_path, "--check").out) is told
