"""The repository's configuration, strict: every fault with its file and line. See docs/configuration.md."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from bot.document.parse import DocumentError, parse
from bot.intake.section import Faults, is_null, said
from bot.intake.settings_reader import SettingsReader
from bot.model.node import MappingNode
from bot.model.place import Place
from bot.model.project import Problem, ProblemKind
from bot.model.settings import CONFIG_PATH, Settings
from bot.ports import Tree, Unreadable

# Both spellings are read, so that a file under the other one is not passed over in silence.
CONFIG_PATHS = (CONFIG_PATH, CONFIG_PATH.removesuffix("yaml") + "yml")


class ConfigError(Exception):
    """A configuration that cannot be used: all its faults, one a line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(f"{problem.at}: {problem.says}" for problem in problems))
        self.problems = problems


def settings_of(tree: Tree, rules: Collection[str], packs: Collection[str] | None = None) -> Settings:
    """The configuration a tree holds; the defaults when it holds none."""
    there = [path for path in CONFIG_PATHS if path in tree.entries]
    if not there:
        return Settings()
    if len(there) > 1:
        raise _only(f"stands beside {there[0]}; keep one of the two", there[1])
    try:
        return read_settings(there[0], tree.read(there[0]), rules, packs)
    except Unreadable as error:
        raise _only(str(error), there[0]) from None


def settings_file(path: Path, rules: Collection[str], packs: Collection[str] | None = None) -> Settings:
    """The configuration in a file of this machine."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _only(f"cannot be read: {error.strerror}", str(path)) from None
    return read_settings(str(path), data, rules, packs)


def read_settings(path: str, data: bytes, rules: Collection[str], packs: Collection[str] | None = None) -> Settings:
    """A configuration's text as settings.

    `rules` are the ids that may be named, `packs` the contract packs (None: not checked here). Raises
    ConfigError with every unknown key, wrong type, bad pattern, unknown id and missing reason.
    """
    try:
        roots = parse(path, data).roots
    except DocumentError as error:
        raise ConfigError((error.problem,)) from None
    if not roots or is_null(roots[0]):
        return Settings(path=path)
    if len(roots) > 1:
        raise _only("holds a second document; a configuration is one", path, roots[1].at.line)
    if not isinstance(roots[0], MappingNode):
        raise _only(f"must be a mapping of keys, not {said(roots[0])}", path, roots[0].at.line)
    faults = Faults()
    settings = SettingsReader(roots[0], faults, rules, packs).settings(path)
    if faults.found:
        raise ConfigError(tuple(sorted(faults.found, key=lambda problem: problem.at)))
    return settings


def _only(says: str, path: str, line: int = 1) -> ConfigError:
    return ConfigError((Problem(ProblemKind.SCHEMA, says, Place.of_line(path, line), (says,)),))
