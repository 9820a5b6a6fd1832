"""What the repository's own configuration asks for, with the defaults that hold without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from bot.model.facts import Role
from bot.model.finding import Level
from bot.model.node import Node
from bot.model.place import Place

CONFIG_PATH = ".github/compose-review.yaml"
DEPLOY_COMMAND = "docker compose up -d --remove-orphans"


@dataclass(frozen=True, slots=True)
class Generated:
    """Files that a program of the repository makes from others. We never run it."""

    files: tuple[str, ...]
    sources: tuple[str, ...]
    command: str
    at: Place


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Files that the configuration leaves out of some rules, with the reason it must give."""

    files: tuple[str, ...]
    rules: tuple[str, ...]  # empty: every rule about what was left out
    because: str
    at: Place

    def covers(self, path: str, rule: str) -> bool:
        return (not self.rules or rule in self.rules) and matches(path, self.files)


@dataclass(frozen=True, slots=True)
class Settings:
    path: str = ""  # where the configuration was read; empty when there is none
    files: tuple[str, ...] = ()  # globs of Compose files; empty: told from content
    not_files: tuple[str, ...] = ()
    deploy: str = DEPLOY_COMMAND
    one_file_per_host: bool = False
    variables: Mapping[str, str | None] = field(default_factory=dict)  # set at deploy time; None: value not known
    projects: tuple[tuple[str, ...], ...] = ()  # files that one command loads together, in order
    generated: tuple[Generated, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    levels: Mapping[str, Level | None] = field(default_factory=dict)  # None: the rule is off
    roles: Mapping[str, Role] = field(default_factory=dict)  # by glob of service names
    use: tuple[str, ...] = ()  # built-in contract packs
    contracts: Node | None = None  # read by the contracts room
    review: Mapping[str, str | bool | int | tuple[str, ...]] = field(default_factory=dict)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether a path matches one of the globs; `*` also crosses folders when the glob says `**`."""
    return any(_match(path.split("/"), glob.split("/")) for glob in globs)


def _match(path: list[str], glob: list[str]) -> bool:
    if not glob:
        return not path
    if glob[0] == "**":
        return any(_match(path[skip:], glob[1:]) for skip in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], glob[0]) and _match(path[1:], glob[1:])
