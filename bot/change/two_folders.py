"""`git diff --no-index` over two private folders whose file names are ours alone.

Names of the reviewed repository never reach Git's output, so nothing in them needs quoting or can be
mistaken for the diff's own syntax.
"""

from __future__ import annotations

import shutil
from types import TracebackType

from bot.local.git import call, private_folder

_DIFFERENT = 1


class TwoFolders:
    """`old/` and `new/`, removed at the end of the `with`."""

    def __init__(self) -> None:
        self._root = private_folder()
        for side in ("old", "new"):
            (self._root / side).mkdir()

    def __enter__(self) -> TwoFolders:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    def put(self, side: str, name: str, content: bytes) -> None:
        path = self._root / side / name
        if "/" in name:
            path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    def diff(self, *options: str) -> bytes:
        return call(
            *("diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", *options),
            *("--", "old", "new"),
            folder=self._root,
            # A repository that happens to lie above the temporary folder has no say.
            extra={"GIT_CEILING_DIRECTORIES": str(self._root.parent)},
            accept=(0, _DIFFERENT),
        ).out
