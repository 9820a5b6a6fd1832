"""Fills an empty folder with all that the image holds: an interpreter, its environment, Git, and what these load.

Run by the Dockerfile, inside of a virtual environment on an image of Debian's family. No shell, no package
manager and no installer comes along; what does is listed as Debian lists packages, so that scanners see it.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

# Of the standard library: what installs, tests, draws or builds, and what brings a library for nothing used here.
LEFT_OUT = shutil.ignore_patterns(
    *("test", "tests", "idlelib", "turtledemo", "turtle.py", "tkinter", "_tkinter*", "ensurepip", "lib2to3"),
    *("pydoc_data", "config-*", "site-packages", "dist-packages", "__pycache__", "_test*", "xxlimited*"),
    *("_sqlite3*", "_dbm*", "_gdbm*", "_curses*", "readline*", "nis.*", "_crypt*", "ossaudiodev*", "spwd*"),
)
# Of the environment: its installers, and files that run code whenever Python starts.
NOT_INSTALLED = shutil.ignore_patterns(
    *("pip", "pip-*", "setuptools", "setuptools-*", "pkg_resources", "_distutils_hack", "*.pth", "__pycache__"),
)
# Loaded by name while a process runs, so no program lists it: threads end with it.
BY_NAME = ("libgcc_s.so.1",)
FILES = ("/etc/os-release", "/etc/ld.so.conf", *map(str, Path("/etc/ld.so.conf.d").glob("*.conf")))
EMPTY = ("dev", "proc", "sys", "run", "github/workspace")


def main(root: Path) -> None:
    environment = Path(sys.prefix)
    _copy_python(root, environment)
    git = shutil.which("git")
    assert git is not None, "Git is not installed"
    _copy_file(root, git)
    programs = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink() and _is_program(path)]
    libraries = sorted({each for program in programs for each in _loaded(program)} | set(_found_by_name()))
    for library in libraries:
        _copy_file(root, library)
    for file in FILES:
        if Path(file).exists():
            _copy_file(root, file)
    _write_accounts(root)
    _write_packages(root, (git, *libraries))
    for name in EMPTY:
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "tmp").mkdir(mode=0o1777)
    (root / "tmp").chmod(0o1777)
    subprocess.run(["ldconfig", "-r", str(root)], check=True)
    _compile(root)


def _copy_python(root: Path, environment: Path) -> None:
    """The library, the interpreter where it stands, and the environment with a link to it and nothing else in `bin`."""
    library = sysconfig.get_path("stdlib")
    shutil.copytree(library, _inside(root, library), ignore=LEFT_OUT, symlinks=True)
    interpreter = os.path.realpath(sys.executable)
    _copy_file(root, interpreter)
    here = _inside(root, environment)
    shutil.copytree(environment / "lib", here / "lib", ignore=NOT_INSTALLED, symlinks=True)
    (here / "bin").mkdir(parents=True)
    (here / "bin/python3").symlink_to(interpreter)
    (here / "pyvenv.cfg").write_text(f"home = {os.path.dirname(interpreter)}\ninclude-system-site-packages = false\n")


def _inside(root: Path, path: str | Path) -> Path:
    """Where a path of this system stands in the image. Links of its folders (`/lib`) are made there too."""
    here = Path(path)
    for folder in reversed(here.parents):
        copy = root / folder.relative_to("/")
        if folder.is_symlink() and not copy.is_symlink():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(os.readlink(folder))
        target = root / Path(os.path.realpath(folder)).relative_to("/")
        target.mkdir(parents=True, exist_ok=True)
    return root / Path(os.path.realpath(here.parent)).relative_to("/") / here.name


def _copy_file(root: Path, path: str) -> None:
    """A file's content under the name it is asked for, whatever links lead to it."""
    target = _inside(root, path)
    if not target.exists():
        shutil.copy2(os.path.realpath(path), target)


def _is_program(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _loaded(program: Path) -> Iterator[str]:
    """The libraries that a program names, and the loader, as paths of this system."""
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        assert "not found" not in line, f"{program}: {line.strip()}"
        path = line.split("=>")[-1].split(" (")[0].strip()
        if path.startswith("/") and not path.startswith(str(sys.argv[1])):
            yield path


def _found_by_name() -> Iterator[str]:
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for line in known.splitlines():
        name, _, path = line.strip().partition(" => ")
        if name.split(" ")[0] in BY_NAME:
            yield path


def _write_accounts(root: Path) -> None:
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/sbin/nologin\n")
    (root / "etc/group").write_text("root:x:0:\n")


def _write_packages(root: Path, paths: Iterable[str]) -> None:
    """The records and licences of the Debian packages that these files are of, one file a package."""
    names = set()
    for form in {form for path in paths for form in (path, os.path.realpath(path), _unmerged(path))}:
        found = subprocess.run(["dpkg-query", "--search", form], capture_output=True, text=True, check=False)
        names |= {line.split(": ")[0] for line in found.stdout.splitlines()}
    records = root / "var/lib/dpkg/status.d"
    records.mkdir(parents=True)
    for name in sorted(names):
        short = name.split(":")[0]
        record = subprocess.run(["dpkg-query", "--status", name], capture_output=True, check=True).stdout
        (records / short).write_bytes(record)
        licence = f"/usr/share/doc/{short}/copyright"
        if Path(licence).exists():
            _copy_file(root, licence)
    print("packages:", *sorted(names))


def _unmerged(path: str) -> str:
    """Debian lists some files under the names they had before `/lib` became a link."""
    return os.path.realpath(path).removeprefix("/usr")


def _compile(root: Path) -> None:
    """Everything, to what is never compared with its source again: the image does not change."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for folder in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        here = _inside(root, folder)
        compileall.compile_dir(here, quiet=2, workers=0, invalidation_mode=mode, stripdir=str(root))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
