"""Fetches GitHub's own descriptions of its API, which tests hold both sides to. Run by `make test` where npm is.

python -m tests.official.fetch FOLDER
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

# package, the file of it that is needed, what it is called here
WANTED = (
    ("@octokit/openapi@23.0.2", "package/generated/api.github.com.json", "openapi.json"),
    ("@octokit/graphql-schema@15.26.1", "package/schema.graphql", "schema.graphql"),
    ("@octokit/webhooks-schemas@7.6.1", "package/schema.json", "webhooks.json"),
    ("@octokit/webhooks-examples@7.6.1", "package/api.github.com/index.json", "events.json"),
)


def fetch(folder: Path) -> str:
    """What is missing afterwards, empty when all is there. No failure here fails a test run."""
    if shutil.which("npm") is None:
        return "npm is not installed"
    folder.mkdir(parents=True, exist_ok=True)
    for package, inside, name in WANTED:
        if not (folder / name).exists():
            with TemporaryDirectory() as temporary:
                done = subprocess.run(
                    ["npm", "pack", "--silent", package], cwd=temporary, capture_output=True, text=True, check=False
                )
                packed = next(Path(temporary).glob("*.tgz"), None)
                if packed is None:
                    return f"npm could not fetch {package}: {done.stderr.strip()[:200]}"
                with tarfile.open(packed) as archive:
                    found = archive.extractfile(inside)
                    if found is None:
                        return f"{package} has no {inside}"
                    (folder / name).write_bytes(found.read())
    return ""


if __name__ == "__main__":
    missing = fetch(Path(sys.argv[1]))
    if missing:
        print(f"GitHub's descriptions are not there ({missing}): the tests that need them are skipped.")
