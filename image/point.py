"""Makes action.yml name a published image by its digest, as the action of a release does."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_IMAGE = re.compile(r"[a-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._-]+)+@sha256:[0-9a-f]{64}")
_LINE = re.compile(r"^  image: Dockerfile$", re.MULTILINE)


def pointed(text: str, image: str) -> str:
    """The text with that image in place of the Dockerfile. ValueError for a name without a digest."""
    if not _IMAGE.fullmatch(image):
        raise ValueError(f"{image!r} does not name an image by its digest")
    changed, count = _LINE.subn(f"  image: docker://{image.lower()}", text)
    if count != 1:
        raise ValueError("action.yml does not name the Dockerfile exactly once")
    return changed


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(pointed(path.read_text(encoding="utf-8"), sys.argv[2]), encoding="utf-8")
