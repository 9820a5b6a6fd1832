"""Short names for changed files, as people say them: `trial` for `prod/meadow-2-mini-large-trial.yaml`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

# A file name up to this length is clear as it is.
SHORT_ENOUGH = 24
LEAST = 3  # characters of a short name
LONG = 32  # above this, a common end is left out too

_PART = re.compile(r"[^-_]+|[-_]")  # a dot belongs to a version


def short_names(paths: Iterable[str]) -> Mapping[str, str]:
    """A name for each path that tells it from all the others; the path itself where none is shorter.

    Files of one folder and one kind whose names begin alike lose what they share.
    """
    ordered = sorted(set(paths))
    groups: dict[tuple[str, str, str], list[str]] = {}
    for path in ordered:
        pure = PurePosixPath(path)
        first = next(iter(_PART.findall(pure.stem)), "")
        groups.setdefault((str(pure.parent), pure.suffix, first), []).append(path)
    names = {path: path for path in ordered}
    for members in groups.values():
        names.update(_of_group(members))
    return _distinct(names)


def _of_group(paths: list[str]) -> Mapping[str, str]:
    pures = [PurePosixPath(path) for path in paths]
    if max(len(path) for path in paths) <= SHORT_ENOUGH:
        return {path: path for path in paths}
    if len(paths) < 2 or max(len(pure.name) for pure in pures) <= SHORT_ENOUGH:
        return {path: pure.name for path, pure in zip(paths, pures, strict=True)}
    parts = [_PART.findall(pure.stem) for pure in pures]
    for skip in range(_common(parts), -1, -1):
        rest = [tuple(part[skip:]) for part in parts]
        if max(len("".join(part)) for part in rest) > LONG:
            rest = _without_common_end(rest)
        names = ["".join(part) for part in rest]
        if all(_clear(name) for name in names) and len(set(names)) == len(names):
            return dict(zip(paths, names, strict=True))
    return {path: pure.name for path, pure in zip(paths, pures, strict=True)}


def _common(parts: list[list[str]]) -> int:
    """How many parts all names begin with."""
    count = 0
    for column in zip(*parts, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def _without_common_end(parts: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    while all(len(part) > 2 for part in parts) and len({part[-2:] for part in parts}) == 1:
        parts = [part[:-2] for part in parts]
    return parts


def _clear(name: str) -> bool:
    return len(name) >= LEAST and name[0].isalpha()


def _distinct(names: dict[str, str]) -> Mapping[str, str]:
    """No name stands for two files, and none is the path of another."""
    counts = Counter(names.values())
    return {
        path: name if counts[name] == 1 and (name == path or name not in names) else path
        for path, name in names.items()
    }
