"""What a path pattern may look like: faults that would make it match nothing, or not what was meant."""

from __future__ import annotations

import re

_LONGEST = 500

# (pattern of the fault, what is wrong)
_FAULTS = (
    (r"!", "cannot be negated; name files to leave out where the page says so"),
    (r"/", "must not begin with `/`: paths start at the root of the repository"),
    (r"\./", "must not begin with `./`: paths start at the root of the repository"),
    (r".*/$", "names a folder; add `**` for the files below it"),
    (r".*\\", "holds a backslash; folders are parted by `/`"),
    (r"(?:.*/)?\.\.(?:/|$)", "must not leave the repository with `..`"),
    (r".*//", "has an empty folder name"),
    (r".*(?:[^/]\*\*|\*\*[^/])", "has `**` within a name; it must stand alone between slashes"),
    (r".*\[[^\]]*$", "has a `[` that nothing closes"),
    (r".*\{.*\}", "has braces, which are not expanded; write one pattern for each"),
)


def glob_fault(glob: str) -> str | None:
    """What is wrong with a glob, None when it can be used."""
    if len(glob) > _LONGEST:
        return f"is longer than {_LONGEST} characters"
    return next((says for pattern, says in _FAULTS if re.match(pattern, glob, re.DOTALL)), None)


def path_fault(path: str) -> str | None:
    """What is wrong with the path of one file of the repository."""
    if re.search(r"[*?\[]", path):
        return "must be the path of one file, not a pattern: the order of files matters here"
    return glob_fault(path)
