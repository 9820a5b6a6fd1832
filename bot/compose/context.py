"""What the phases share while one project is loaded: its surroundings, and what they find on the way."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from msgspec import Struct

from bot.model.node import YamlFile
from bot.model.place import Place
from bot.model.project import Problem, ProblemKind, VariableUse


class Unset(Enum):
    """What becomes of a variable that nothing sets."""

    KEEP = "keep"  # its reference stays, and the value is known to be unknown
    BLANK = "blank"  # empty text and a warning, as Compose does


class Sources(Struct, frozen=True):
    """Where files come from, by normalised path; None for what is not there.

    `yaml` raises bot.document's DocumentError for what cannot be parsed.
    """

    yaml: Callable[[str], YamlFile | None]
    text: Callable[[str], str | None]


@dataclass
class Context:
    """One load. `variables` are those set for interpolation, `environment` those a container may inherit."""

    sources: Sources
    unset: Unset
    variables: Mapping[str, str]
    environment: Mapping[str, str]
    home: str | None = None
    root: str = ""  # put before absolute paths: the folder the tree stands for
    resolve_paths: bool = True
    interpolate: bool = True
    resolve_environment: bool = True
    normalize: bool = True  # names on the host, the default network, implied dependencies
    consistent: bool = True  # whether phase 9 looks
    problems: list[Problem] = field(default_factory=list)
    uses: list[VariableUse] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    misshapen: set[tuple[str, ...]] = field(default_factory=set)  # paths that the schema refuses

    def refuse(self, kind: ProblemKind, says: str, at: Place, *subject: str) -> None:
        """Note a problem once, however many documents repeat it."""
        problem = Problem(kind, says, at, subject or (says,))
        if problem not in self.problems:
            self.problems.append(problem)

    def is_misshapen(self, *path: str) -> bool:
        """Whether the schema refuses something at a path or below it: what is said of it later is an echo."""
        return any(found[: len(path)] == path for found in self.misshapen)

    def warn(self, says: str) -> None:
        self.warnings.append(says)

    def read(self, path: str) -> YamlFile | None:
        """A Compose file of this project, and that it belongs to it."""
        if path not in self.files:
            self.files.append(path)
        return self.sources.yaml(path)


def cleaned(path: str) -> str:
    """A path inside a container without what says nothing in it: doubled slashes, `.`, `..` and one at the end."""
    return posixpath.normpath(path) if not path.startswith("//") else "/" + posixpath.normpath(path.lstrip("/"))


def joined(folder: str, path: str) -> str:
    """A path as written in a file of a folder, normalised. Absolute ones stay."""
    return posixpath.normpath(posixpath.join(folder, path)) if path else folder
