"""A tree to an estate: which files are Compose, which of them belong together, and each project loaded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.compose.assemble import Request, load
from bot.compose.context import Context, Sources, Unset
from bot.compose.dotenv import DotenvError, parse_dotenv
from bot.compose.select import SUFFIXES, grouped, looks_like_compose, may_be_compose, named_like_compose
from bot.document.collecting import paused
from bot.document.parse import DocumentError, parse
from bot.model.facts import Facts
from bot.model.finding import Gap
from bot.model.node import YamlFile
from bot.model.project import Estate, Problem, Project
from bot.model.service import Service
from bot.model.settings import CONFIG_PATH, Settings, matches
from bot.ports import EntryKind, Tree, Unreadable

ReadFacts = Callable[[Service], Facts]

# GitHub's own, and our configuration in both spellings: their names may begin like a Compose file's.
_NOT_COMPOSE = (".github/workflows/", f"{CONFIG_PATH.removesuffix('yaml')}y")


@dataclass
class Cache:
    """What two trees of one review share: files by content, and projects none of whose files changed."""

    files: dict[tuple[str, str], YamlFile | Problem] = field(default_factory=dict)
    projects: dict[tuple[str, ...], list[tuple[Mapping[str, str | None], Project]]] = field(default_factory=dict)


def load_estate(
    tree: Tree, settings: Settings, read_facts: ReadFacts, cache: Cache | None = None
) -> tuple[Estate, tuple[Gap, ...]]:
    """Every Compose project of a tree. A file that cannot be read is a gap, or a problem of its project."""
    with paused():
        return _load(_Reader(tree, settings, cache if cache is not None else Cache()), settings, read_facts)


def _load(reader: _Reader, settings: Settings, read_facts: ReadFacts) -> tuple[Estate, tuple[Gap, ...]]:
    compose = reader.compose_files()
    projects = {files[0]: reader.project(files, read_facts) for files in grouped(compose, settings, reader.text)}
    # A file that others include or extend, and that cannot stand alone, is theirs.
    used = {path for project in projects.values() for path in project.files if path != project.path}
    projects = {path: project for path, project in projects.items() if not (path in used and project.problems)}
    read = dict.fromkeys([*compose, *(path for project in projects.values() for path in project.files)])
    files = {path: file for path in read if isinstance(file := reader.parsed(path), YamlFile)}
    return Estate(projects, files), tuple(reader.gaps)


class _Reader:
    """The files of one tree, each read and parsed once."""

    def __init__(self, tree: Tree, settings: Settings, cache: Cache) -> None:
        self._tree, self._settings, self._cache = tree, settings, cache
        self._data: dict[str, bytes] = {}
        self._asked: dict[str, str | None] = {}
        self.gaps: list[Gap] = []

    def compose_files(self) -> list[str]:
        """The Compose files of the tree; broken ones too where name, glob or content say what they are meant to be."""
        wanted = [
            path for path, entry in self._tree.entries.items() if entry.kind is EntryKind.FILE and self._candidate(path)
        ]
        self._data.update(self._tree.read_many(wanted))
        found = []
        for path in wanted:
            data = self._data.get(path)
            if data is None:
                self.gaps.append(Gap(path, "it could not be read"))
            elif self._is_compose(path, data):
                found.append(path)
        return found

    def _candidate(self, path: str) -> bool:
        if path == self._settings.path or path.startswith(_NOT_COMPOSE):
            return False
        if self._settings.files:
            return matches(path, self._settings.files) and not matches(path, self._settings.not_files)
        return path.lower().endswith(SUFFIXES) and not matches(path, self._settings.not_files)

    def _is_compose(self, path: str, data: bytes) -> bool:
        if self._settings.files or any(path in files for files in self._settings.projects):
            return True
        if not may_be_compose(path, data):
            return named_like_compose(path)
        file = self.parsed(path)
        if isinstance(file, YamlFile):
            return looks_like_compose(file)
        # Unparsable, yet with services at its margin: judged by what can be seen without parsing.
        return file is not None

    def parsed(self, path: str) -> YamlFile | Problem | None:
        """A file's YAML, or why it is none; None when the tree has no such file."""
        entry = self._tree.entries.get(path)
        if entry is None or entry.kind is not EntryKind.FILE:
            return None
        key = (path, entry.blob)
        if key not in self._cache.files:
            data = self._bytes(path)
            if data is None:
                return None
            try:
                self._cache.files[key] = parse(path, data)
            except DocumentError as error:
                self._cache.files[key] = error.problem
        return self._cache.files[key]

    def yaml(self, path: str) -> YamlFile | None:
        """For the loader: raises what is wrong with the file, and remembers that it was asked for."""
        entry = self._tree.entries.get(path)
        self._asked[path] = entry.blob if entry is not None else None
        found = self.parsed(path)
        if isinstance(found, Problem):
            raise DocumentError(found)
        return found

    def text(self, path: str) -> str | None:
        entry = self._tree.entries.get(path)
        self._asked[path] = entry.blob if entry is not None else None
        data = self._bytes(path) if entry is not None and entry.kind is EntryKind.FILE else None
        return data.decode("utf-8", "replace") if data is not None else None

    def _bytes(self, path: str) -> bytes | None:
        if path not in self._data:
            try:
                self._data[path] = self._tree.read(path)
            except (Unreadable, KeyError) as error:
                self.gaps.append(Gap(path, str(error) or "it could not be read"))
                return None
        return self._data[path]

    def project(self, files: tuple[str, ...], read_facts: ReadFacts) -> Project:
        """The project of some files; the one already loaded when nothing that it read is different here."""
        for read, known in self._cache.projects.get(files, ()):
            if all(blob == self._blob(path) for path, blob in read.items()):
                return known
        self._asked = {}
        folder = files[0].rpartition("/")[0]
        project = load(Request(files, folder), self._context(folder), read_facts)
        self._cache.projects.setdefault(files, []).append((dict(self._asked), project))
        return project

    def _blob(self, path: str) -> str | None:
        entry = self._tree.entries.get(path)
        return entry.blob if entry is not None else None

    def _context(self, folder: str) -> Context:
        stated = {name: value for name, value in self._settings.variables.items() if value is not None}
        written = self.text(f"{folder}/.env" if folder else ".env")
        try:
            values = parse_dotenv(written, stated) if written is not None else {}
        except DotenvError:
            values = {}  # Compose refuses the file on the host; what it would have set is unknown here
        variables = {name: value for name, value in values.items() if value is not None}
        return Context(Sources(self.yaml, self.text), Unset.KEEP, {**variables, **stated}, {})
