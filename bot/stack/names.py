"""Names of branches: which are trunks, which tools made, and which may stand in a printed command."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from bot.model.pull import PullRef, Repository
from bot.model.text import code

TRUNKS = (
    "main",
    "master",
    "trunk",
    "develop",
    "dev",
    "next",
    "staging",
    "production",
    "release",
    "release/*",
    "hotfix/*",
)
# ghstack and its like: bases that are no pull request's head.
_TOOL_MADE = re.compile(r"gh/[^/]+/\d+/(?:base|head|orig)")
# Only such names are printed inside a command: a branch may be called `$(…)`, and people paste.
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+@-]*")


def is_trunk(branch: str, home: Repository) -> bool:
    """Branches that live on: never the parent of a stack."""
    if branch == home.default_branch or branch in home.trunks:
        return True
    return any(fnmatchcase(branch, glob) for glob in (*TRUNKS, *home.trunks))


def is_tool_made(branch: str) -> bool:
    return _TOOL_MADE.fullmatch(branch) is not None


def may_be_printed(*names: str) -> bool:
    return all(_SAFE.fullmatch(name) and ".." not in name for name in names)


def label(ref: PullRef) -> str:
    """`#12`, or the branch where nothing but a clone is known."""
    return f"#{ref.number}" if ref.number else code(ref.head_ref)
