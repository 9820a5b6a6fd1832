"""Builds and runs the image without a container engine or its service: Debian's buildah, in a chroot, on plain folders."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BASE, IMAGE = "localhost/debian-python", "localhost/compose-review"
# Debian's release with the oldest Python that we support.
RELEASE, PACKAGES = "bookworm", "python3,python3-venv,ca-certificates"
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str


class Engine:
    """One store of images, in a folder that is removed with everything in it by whoever made it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._store = ("--root", f"{folder}/store", "--runroot", f"{folder}/run", "--storage-driver", "vfs")

    def buildah(self, *arguments: str) -> str:
        done = subprocess.run(
            ["buildah", *self._store, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"buildah {arguments[0]} failed with {done.returncode}")
        return done.stdout.strip()

    def make_base(self, kept: Path) -> None:
        """Debian with Python, in place of the official image, which cannot be fetched everywhere."""
        if not kept.exists():
            partial = kept.with_suffix(".partial")
            shutil.rmtree(partial, ignore_errors=True)
            partial.parent.mkdir(parents=True, exist_ok=True)
            command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, str(partial)]
            subprocess.run(command, stdout=sys.stderr, check=True)
            partial.rename(kept)
        made = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", made, str(kept), "/")
        self.buildah("commit", "--quiet", "--rm", made, BASE)

    def build(self) -> None:
        """With the authorities that this machine trusts, for a network that is looked into on its way out."""
        settings = self.folder / "pip.conf"
        settings.write_text(f"[global]\ncert = {AUTHORITIES}\n" if AUTHORITIES.exists() else "")
        trusted = ("--volume", f"{AUTHORITIES}:{AUTHORITIES}:ro") if AUTHORITIES.exists() else ()
        self.buildah(
            *("build", "--quiet", "--isolation", "chroot", "--build-arg", f"PYTHON={BASE}", "--tag", IMAGE),
            *(*trusted, "--volume", f"{settings}:/etc/pip.conf:ro", "."),
        )

    def container(self) -> tuple[str, Path, dict[str, Any]]:
        """A container of the image: its name, its root folder, and the image's configuration."""
        name = self.buildah("from", IMAGE)
        found = json.loads(self.buildah("inspect", "--type", "image", IMAGE))
        config: dict[str, Any] = found["OCIv1"]["config"]
        return name, Path(self.buildah("mount", name)), config

    def run(
        self, container: str, program: list[str], environment: Mapping[str, str], folders: Mapping[Path, str]
    ) -> Ran:
        """As the runner starts an action: its folders mounted, its variables set, in the workspace."""
        options = [f"--volume={source}:{target}" for source, target in folders.items()]
        options += [f"--env={name}={value}" for name, value in environment.items()]
        command = ["buildah", *self._store, "run", "--isolation", "chroot", "--workingdir", "/github/workspace"]
        return _ran([*command, *options, container, "--", *program])

    def run_confined(
        self, root: Path, program: list[str], environment: Mapping[str, str], folders: Mapping[Path, str]
    ) -> Ran:
        here = Path(__file__).with_name("confined.py")
        mounts = [f"{source}={target}" for source, target in folders.items()]
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, str(here), str(root), *mounts]
        return _ran([*command, "--", *program], environment)


def _ran(command: list[str], environment: Mapping[str, str] | None = None) -> Ran:
    done = subprocess.run(
        command,
        env=None if environment is None else dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout)
