"""The action as a whole process: hostile inputs and folders, what it may not import, what it can do without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bot.action.outputs import REPORT
from bot.intake import inputs
from tests.support.repo import Repo, clone
from tests.wire.conftest import staged as staged  # the fixture
from tests.wire.stage import QUIET, ROOT, Stage, opened

NOBODY = 65534
FOREIGN = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
HOSTILE = ("\n", "a\nb", "$(touch ran)", "`touch ran`", "; touch ran", "a;b", "| touch ran", "> ran", "‮x", "–x", "\0")


def run(staged: Stage, folder: Path, name: str, payload: object, *options: str, **more: str) -> tuple[int, str]:
    """As the image starts it: in the workspace, which is no place to import from."""
    made = staged.environment(name, payload, GITHUB_WORKSPACE=str(folder), **more)  # type: ignore[arg-type]
    done = subprocess.run(
        [sys.executable, "-P", "-s", *options, "-m", "bot", "action"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **made},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_inputs_that_cannot_be_used_end_with_64_and_run_nothing(staged: Stage, tmp_path: Path) -> None:
    """One process with all that is wrong, beside the tables of tests/intake: what is said, and that nothing ran."""
    opened(staged, {"compose.yaml": QUIET})
    folder = tmp_path / "workspace"
    folder.mkdir()
    names = ("CONFIG", "FAIL-ON", "COMMENT", "INLINE-COMMENTS", "REVIEWERS", "DEPLOY", "PULL-REQUEST", "WAIT-SECONDS")
    wrong = {f"INPUT_{name}": "x –y; $(touch ran) `touch ran` \n| touch ran" for name in names}
    code, said = run(staged, folder, "pull_request", staged.event(7, "opened"), **wrong)
    assert code == 64
    for name in names:
        assert f"input `{name.lower()}` must" in said
    assert list(folder.iterdir()) == []
    assert staged.hub.log == []


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["DEPLOY", "PULL-REQUEST", "FAIL-ON", "REVIEWERS", "INLINE-COMMENTS", "DRAFTS"])
def test_every_input_takes_hostile_words_for_what_they_are(name: str, text: str) -> None:
    from bot.intake.inputs import InputError, inputs_of

    if not text.strip() or (name == "REVIEWERS" and text == "a\nb"):  # nothing; logins may stand on lines
        assert inputs_of({f"INPUT_{name}": text}).reviewers in (None, ("a", "b"))
        return
    with pytest.raises(InputError, match=f"input `{name.lower()}` must"):
        inputs_of({f"INPUT_{name}": text})


def test_without_any_token_it_says_so(staged: Stage) -> None:
    empty = {f"INPUT_{name.upper()}": "" for name in inputs.NAMES}
    ran = staged.run("pull_request", staged.event(opened(staged, {"compose.yaml": QUIET}).number, "opened"), **empty)
    assert (ran.code, staged.hub.log) == (64, [])
    assert "No token" in ran.out


def test_with_every_other_input_empty_it_runs(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    empty = {f"INPUT_{name.upper()}": "" for name in inputs.NAMES if name not in ("token", "wait-seconds")}
    assert staged.run("pull_request", staged.event(7, "opened"), **empty).code == 0


def test_a_configuration_that_base_does_not_have_is_said(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    ran = staged.run("pull_request", staged.event(7, "opened"), INPUT_CONFIG="deploy/review.yaml")
    assert ran.code == 0
    assert "Base has no deploy/review.yaml" in ran.out


@pytest.mark.parametrize(
    "text",
    ["docker compose up -d && docker image prune -f", "DOCKER_HOST=x docker compose -f prod/ä.yaml up -d web"],
)
def test_a_usual_deploy_command_is_taken(staged: Stage, text: str) -> None:
    opened(staged, {"compose.yaml": QUIET})
    assert staged.run("pull_request", staged.event(7, "opened"), INPUT_DEPLOY=text).code == 0


@pytest.mark.parametrize(
    "text", ["make deploy", "docker compose pull", "docker compose up 'we b'", "docker compose up 'x"]
)
def test_a_deploy_command_of_which_no_plan_can_be_made_is_refused(staged: Stage, text: str) -> None:
    opened(staged, {"compose.yaml": QUIET})
    ran = staged.run("pull_request", staged.event(7, "opened"), INPUT_DEPLOY=text)
    assert ran.code == 64
    assert "The input `deploy` cannot be used" in ran.out
    assert staged.hub.log == []


@FOREIGN
def test_a_workspace_of_another_user_with_traps_in_it(staged: Stage) -> None:
    trap = "import pathlib; pathlib.Path('ran').touch()\n"
    names = ("json.py", "click.py", "sitecustomize.py", "bot/__init__.py", "bot/__main__.py", "rules/__init__.py")
    opened(staged, {"compose.yaml": QUIET, **dict.fromkeys(names, trap)})
    made = clone(staged.work, staged.folder / "workspace", "--branch", "change-7")
    for path in (made.folder, *made.folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    code, said = run(staged, made.folder, "pull_request", staged.event(7, "opened"))
    assert code == 0, said
    assert not [call for call in staged.hub.log if "/git/" in call.route], "the checkout was not read"
    assert not (made.folder / "ran").exists()
    assert json.loads((made.folder / REPORT).read_text())["verdict"] == "pass"
    assert len(staged.hub.sticky(7)) == 1


def test_the_report_takes_the_place_of_a_link_and_follows_none(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    work, target = staged.folder / "workspace", staged.folder / "target"
    work.mkdir()
    target.write_text("kept")
    (work / REPORT).symlink_to(target)
    ran = staged.run("pull_request", staged.event(7, "opened"), GITHUB_WORKSPACE=str(work))
    assert target.read_text() == "kept"
    assert not (work / REPORT).is_symlink()
    assert f"\n{REPORT}\n" in ran.outputs
    assert [path.name for path in work.iterdir()] == [REPORT]


def test_what_cannot_be_written_for_later_steps_costs_no_review(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    work = staged.folder / "workspace"
    (work / REPORT).mkdir(parents=True)
    folder = str(staged.folder)
    ran = staged.run(
        *("pull_request", staged.event(7, "opened")),
        GITHUB_WORKSPACE=str(work),
        GITHUB_OUTPUT=f"{folder}/none/output",
        GITHUB_STEP_SUMMARY=f"{folder}/none/summary",
    )
    assert ran.code == 0
    for what in ("The outputs", "The summary of the run", "The report"):
        assert f"{what} cannot be written" in ran.out
    assert len(staged.hub.sticky(7)) == 1
    assert [path.name for path in work.iterdir()] == [REPORT]


def test_without_any_folder_to_write_to_no_review_is_a_pass(staged: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(staged, {"compose.yaml": QUIET})
    monkeypatch.setattr(tempfile, "tempdir", str(staged.folder / "none"))
    ran = staged.run("pull_request", staged.event(7, "opened"), GITHUB_WORKSPACE=str(staged.work.folder))
    assert ran.code == 2
    assert "no temporary folder can be made" in ran.out
    sha = staged.hub.head_of(staged.hub.pulls[7])
    assert [each.state for each in staged.hub.statuses[sha]] == ["pending", "error"]


def test_an_ignored_event_imports_next_to_nothing(staged: Stage) -> None:
    opened(staged, {"compose.yaml": QUIET})
    payload, _ = staged.comment(7, "Looks fine to me.")
    environment = staged.environment("issue_comment", payload)
    watch = (
        "import os, sys; from bot.__main__ import main; leave = os._exit; "
        "os._exit = lambda code: (print(*sys.modules, flush=True), leave(code)); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch, "action"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    third = {"github", "requests", "jinja2", "rich", "cel", "tree_sitter", "crossplane", "jsonschema_rs", "ruamel"}
    rooms = {
        f"bot.{name}" for name in ("app", "forge", "local", "compose", "contracts", "rulebook", "document", "facts")
    }
    slow = {"bot.action.run", "bot.model.settings", "rules", "subprocess", "asyncio", "ssl", "http.client"}
    assert not loaded & (third | rooms | slow)
    assert {"bot.action.begin", "bot.intake.event"} <= loaded
    assert staged.hub.log == []


def test_git_trusts_the_folder_and_those_above_it_alone(tmp_path: Path) -> None:
    """`safe.directory` names folders, never all of them."""
    from bot.local import git

    folder = Repo(tmp_path / "a").folder
    with git.start("config", "--get-all", "safe.directory", folder=folder) as process:
        out, _ = process.communicate()
    named = out.decode().splitlines()
    assert str(folder.resolve()) in named
    assert all(name.startswith("/") and "*" not in name for name in named)


def test_what_is_to_be_closed_at_the_end_is_closed_and_the_exit_code_stays(tmp_path: Path) -> None:
    """The process leaves without freeing its memory, but after its exit handlers: they remove temporary folders."""
    folder = tmp_path / "store"
    folder.mkdir()
    code = (
        "import shutil, sys, weakref; from bot.__main__ import main\n"
        "class Owner: pass\n"
        "owner = Owner(); weakref.finalize(owner, shutil.rmtree, sys.argv[1])\n"
        "sys.argv[1:] = ['no-such-command']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 64, done.stderr
    assert not folder.exists()
