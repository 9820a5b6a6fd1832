"""What the repository's own configuration asks for, with the defaults that hold without one."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache

from msgspec import Struct, field

from bot.model.facts import Role
from bot.model.fail_on import FailOn as FailOn  # a word of the settings, in a module of its own: see intake
from bot.model.finding import Level
from bot.model.node import Node
from bot.model.place import Place

CONFIG_PATH = ".github/compose-review.yaml"
DEPLOY_COMMAND = "docker compose up -d --remove-orphans"


class Generated(Struct, frozen=True):
    """Files that a program of the repository makes from others. We never run it."""

    files: tuple[str, ...]
    sources: tuple[str, ...]
    command: str
    at: Place


class Exclusion(Struct, frozen=True):
    """Files that the configuration leaves out of some rules, with the reason it must give."""

    files: tuple[str, ...]
    rules: tuple[str, ...]  # empty: every rule about what was left out
    because: str
    at: Place

    def covers(self, path: str, rule: str) -> bool:
        return (not self.rules or rule in self.rules) and matches(path, self.files)


class ReviewSettings(Struct, frozen=True):
    """How a review appears on GitHub, and who may ask for another round."""

    reviewers: tuple[str, ...] = ()  # logins; a review requested of one of them is a new round
    teams: tuple[str, ...] = ()  # slugs, without the organisation; the same
    drafts: bool = True  # review drafts too, and say that they are
    comment: bool = True  # keep the one comment; without it the job summary holds the review
    annotations: bool = False  # findings also as annotations of a check run
    inline_comments: int = 0  # findings also as comments on lines of the diff, so many at most
    reactions: bool = True
    fail_on: FailOn = FailOn.ERROR


class Settings(Struct, frozen=True):
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
    trunks: tuple[str, ...] = ()  # globs of branches that live on: never a parent that is merged and gone
    contracts: Node | None = None  # read by the contracts room
    review: ReviewSettings = field(default_factory=ReviewSettings)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether a path matches one of the globs: `*` stays within a folder, `**` stands for any folders."""
    return any(_match(path, glob) for glob in globs)


@lru_cache(maxsize=65_536)
def _match(path: str, glob: str) -> bool:
    """Part by part; the cost is their product, also for a glob that is full of `**`."""
    parts = glob.split("/")
    reached = {0}  # how many parts of the glob may be used up
    for name in path.split("/"):
        reached = _skip_any(parts, reached)
        reached = {
            at + (parts[at] != "**")
            for at in reached
            if at < len(parts) and (parts[at] == "**" or fnmatchcase(name, parts[at]))
        }
    return len(parts) in _skip_any(parts, reached)


def _skip_any(parts: list[str], reached: set[int]) -> set[int]:
    """`**` may also stand for no folder at all."""
    found = set(reached)
    for at in reached:
        while at < len(parts) and parts[at] == "**":
            at += 1
            found.add(at)
    return found
