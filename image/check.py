"""`make image-check`: builds the image and runs the action of it against a fake GitHub. See docs/installation.md."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from image.engine import Engine, Ran
from tests.fake_github.server import served
from tests.wire.stage import BLOCKED, QUIET, Stage, opened, stage

NEEDED = ("buildah", "debootstrap", "unshare", "git")
RUNNER = 1001  # whoever owns the workspace is not who the action runs as
ABSENT = ("sh", "bash", "dash", "perl", "apt-get", "dpkg", "pip", "pip3", "gcc", "cc", "ld", "make", "curl", "wget")
# What a pull request might put where Python looks for modules first.
TRAP = "import pathlib; pathlib.Path('/github/workspace/ran').touch()\n"
TRAPS = (
    "json.py",
    "click.py",
    "sitecustomize.py",
    "usercustomize.py",
    "bot/__init__.py",
    "bot/__main__.py",
    "rules.py",
)


def main(kept: Path) -> None:
    """`kept` is the base's folder: made once, used again."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        raise SystemExit(f"image-check needs root and {', '.join(NEEDED)}; missing: {', '.join(missing) or 'root'}")
    with tempfile.TemporaryDirectory(prefix="compose-review-image-") as temporary:
        engine = Engine(Path(temporary))
        print("base: Debian with Python, by debootstrap", flush=True)
        engine.make_base(kept)
        print("build: the Dockerfile on it", flush=True)
        began = time.monotonic()
        engine.build()
        print(f"built in {time.monotonic() - began:.0f} s", flush=True)
        name, root, config = engine.container()
        _look(root, config)
        program = [*config["Entrypoint"], *config["Cmd"]]
        environment = dict(each.split("=", 1) for each in config["Env"])
        made = stage(Path(temporary))
        with served(made.hub) as url:
            made.url = url
            run = _Run(engine, made, name, root, program, environment)
            run.usual()
            run.strict()
            run.ignored()
    print("image-check: passed")


def _look(root: Path, config: dict[str, Any]) -> None:
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    found = sorted({path.name for path in files if path.name in ABSENT and os.access(path, os.X_OK)})
    assert not found, f"the image holds {found}"
    sources = [path for path in files if path.suffix == ".py"]
    compiled = sum(path.suffix == ".pyc" for path in files)
    assert compiled >= 0.99 * len(sources), f"{compiled} of {len(sources)} modules are compiled"
    assert not config.get("User"), "an action runs as root"
    assert not config.get("WorkingDir"), "an action has no WORKDIR"
    size = sum(path.stat().st_size for path in files)
    print(f"tree: {size / 1024**2:.0f} MiB in {len(files)} files, {compiled} modules compiled; no {', '.join(ABSENT)}")


class _Run:
    def __init__(
        self, engine: Engine, made: Stage, name: str, root: Path, program: list[str], environment: dict[str, str]
    ) -> None:
        self.engine, self.made, self.name, self.root = engine, made, name, root
        self.program, self.environment = program, environment

    def usual(self) -> None:
        """As on a runner: the workspace is a clone that another user owns, with traps in it."""
        opened(self.made, {"compose.yaml": QUIET, **dict.fromkeys(TRAPS, TRAP)}, 7)
        ran, place = self._run("pull_request", self.made.event(7, "opened"))
        assert ran.code == 0, ran.out
        assert "The checkout is not used" not in ran.out, ran.out
        assert self._states(7) == ["pending", "success"], ran.out
        assert len(self.made.hub.sticky(7)) == 1
        assert (place / "workspace/compose-review-report.json").exists()
        outputs = (place / "output").read_text()
        assert "verdict<<" in outputs
        assert "\ncompose-review-report.json\n" in outputs
        assert not (place / "workspace/ran").exists(), "a file of the workspace was imported"
        print("ran: workspace of another user, traps in it; comment, status, outputs and report written")

    def strict(self) -> None:
        """Read-only root and workspace, no capability: what must be written then is written by GitHub."""
        opened(self.made, {"compose.yaml": BLOCKED}, 8)
        ran, place = self._run("pull_request", self.made.event(8, "opened"), strict=True)
        assert ran.code == 1, ran.out
        assert self._states(8) == ["pending", "failure"], (ran.out, self._states(8))
        assert "The report cannot be written" in ran.out, ran.out
        assert not list((place / "workspace").glob("compose-review-report*"))
        print("ran: read-only root and workspace, no capability, only /tmp writable; comment and status written")

    def ignored(self) -> None:
        payload, _ = self.made.comment(7, "Looks fine to me.")
        began = time.monotonic()
        ran, _ = self._run("issue_comment", payload, strict=True)
        assert ran.code == 0, ran.out
        print(f"ran: an event that is ignored, {time.monotonic() - began:.2f} s with the chroot")

    def _run(self, event: str, payload: dict[str, Any], strict: bool = False) -> tuple[Ran, Path]:
        variables = self.made.environment(event, payload)
        place = Path(variables["GITHUB_EVENT_PATH"]).parent
        workspace = place / "workspace"
        self.made.work.git("clone", "-q", f"file://{self.made.hub.git.path}", str(workspace))
        if "number" in payload:
            branch = self.made.hub.pulls[payload["number"]].head
            self.made.work.git("-C", str(workspace), "checkout", "-q", branch)
        for path in (place, *place.rglob("*")):
            os.chown(path, RUNNER, RUNNER, follow_symlinks=False)
        inside = {
            **self.environment,
            **variables,
            "HOME": "/github/home",
            "GITHUB_WORKSPACE": "/github/workspace",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_OUTPUT": "/github/file_commands/output",
            "GITHUB_STEP_SUMMARY": "/github/file_commands/summary",
        }
        for folder in ("home", "workflow", "file_commands"):
            (self.root / "github" / folder).mkdir(exist_ok=True)
        if strict:
            folders = {workspace: "/github/workspace:ro", place: "/github/workflow:ro"}
            return self.engine.run_confined(self.root, self.program, inside, folders), place
        folders = {workspace: "/github/workspace", place: "/github/workflow"}
        inside |= {"GITHUB_OUTPUT": "/github/workflow/output", "GITHUB_STEP_SUMMARY": "/github/workflow/summary"}
        return self.engine.run(self.name, self.program, inside, folders), place

    def _states(self, number: int) -> list[str]:
        sha = self.made.hub.head_of(self.made.hub.pulls[number])
        return [each.state for each in self.made.hub.statuses.get(sha, [])]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
