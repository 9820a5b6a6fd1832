"""`compose-review plan`: files, revisions and folders, narrowed, in three forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import cli
from tests.support.repo import Repo

OLD = "services:\n  a: {image: i, stop_grace_period: 2m}\n  b: {image: i}\n"
NEW = "services:\n  c: {image: i}\n  b: {image: i}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/old.yaml").write_text(OLD)
    (tmp_path / "pack/new.yaml").write_text(NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["plan", *args], standalone_mode=False)


def test_two_files_of_a_folder_outside_any_repository(folder: Path) -> None:  # noqa: ARG001 - the working folder
    result = run("pack/old.yaml", "pack/new.yaml")
    assert result.output == (
        "`pack/old.yaml` → `pack/new.yaml`\n"
        "  docker compose up -d --remove-orphans  (project pack)\n"
        "  remove  a (up to 2m to stop): it is not in the file: removed as an orphan before anything is created\n"
        "  start   c: new in the file\n"
        "  keep    1 service: b\n"
    )


def test_named_services(folder: Path) -> None:  # noqa: ARG001
    assert "start" not in run("pack/old.yaml", "pack/new.yaml", "--services", "b").output
    wrong = run("pack/old.yaml", "pack/new.yaml", "--services", "cc")
    assert str(wrong.exception) == "pack/new.yaml has no service cc; did you mean c?"


def test_a_profile_is_enabled(folder: Path) -> None:
    (folder / "pack/new.yaml").write_text(NEW.replace("c: {image: i}", "c: {image: i, profiles: [x]}"))
    assert "start" not in run("pack/old.yaml", "pack/new.yaml").output
    assert "start   c" in run("pack/old.yaml", "pack/new.yaml", "--profile", "x").output


def test_json_holds_every_operation(folder: Path) -> None:  # noqa: ARG001
    (plan,) = json.loads(run("pack/old.yaml", "pack/new.yaml", "--format", "json").output)["plans"]
    assert (plan["kind"], plan["before"], plan["file"]) == ("switch", "pack/old.yaml", "pack/new.yaml")
    assert [(each["service"], each["action"], each["stop_seconds"]) for each in plan["operations"]] == [
        ("a", "remove-orphan", 120),
        ("c", "create", None),
        ("b", "keep", None),
    ]


def test_markdown_shows_causes(folder: Path) -> None:  # noqa: ARG001
    assert "- start `c`: new in the file" in run("pack/old.yaml", "pack/new.yaml", "--format", "markdown").output


def test_the_configuration_above_the_file_says_the_command(folder: Path) -> None:
    (folder / ".github").mkdir()
    (folder / ".github/compose-review.yaml").write_text("compose:\n  deploy: docker compose up -d\n")
    assert "left running  a" in run("pack/old.yaml", "pack/new.yaml").output


def test_a_file_that_compose_refuses_is_not_planned(folder: Path) -> None:
    (folder / "pack/new.yaml").write_text("services:\n  c: {image: i, depends_on: [nobody]}\n")
    result = run("pack/old.yaml", "pack/new.yaml")
    assert "Compose refuses the file: nothing is deployed" in result.output
    assert result.return_value == 2


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    found = Repo(tmp_path)
    found.commit({"pack/a.yaml": OLD, "pack/same.yaml": OLD})
    found.commit({"pack/a.yaml": NEW})
    monkeypatch.chdir(tmp_path)
    return found


def test_two_revisions_plan_every_file_that_differs(repo: Repo) -> None:  # noqa: ARG001
    output = run("HEAD~1", "HEAD").output
    assert "`pack/a.yaml`\n" in output
    assert "same.yaml" not in output
    assert run("HEAD", "HEAD").output == "Nothing differs.\n"


def test_the_same_file_of_two_revisions(repo: Repo) -> None:  # noqa: ARG001
    output = run("HEAD~1:pack/a.yaml", "pack/a.yaml").output
    assert "`HEAD~1:pack/a.yaml` → `pack/a.yaml`" in output
    assert "(project pack)" in output
    assert "remove  a" in output


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("pack/a.yaml", "HEAD", "name two files, or two revisions or folders"),
        ("HEAD:pack/b.yaml", "pack/a.yaml", "pack/b.yaml is no Compose file of HEAD; did you mean pack/a.yaml?"),
        ("nope", "HEAD", "nope"),
    ],
)
def test_what_is_not_there_is_said(repo: Repo, before: str, after: str, says: str) -> None:  # noqa: ARG001
    assert says in str(run(before, after).exception)


def test_the_overlay_of_a_standard_name_is_loaded_with_it(folder: Path) -> None:
    for name, tag in (("one", "1"), ("two", "2")):
        (folder / name).mkdir()
        (folder / name / "compose.yaml").write_text("name: pack\nservices:\n  a: {image: i}\n")
        (folder / name / "compose.override.yaml").write_text(f"services:\n  a: {{image: 'i:{tag}'}}\n")
    assert "recreate  a" in run("one/compose.yaml", "two/compose.yaml").output
