"""Permanent links to files and lines at the commit that was reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bot.model.change import FileStatus
from bot.model.place import Place
from bot.model.review import Review
from bot.model.text import codes
from bot.review.escape import Safe, address, code, joined, link, ours

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d+)?")

MAX_PLACES = 5


class Links:
    """Places of head as links, or as `path:line` where there is no commit on a server to link to."""

    def __init__(self, review: Review) -> None:
        repository = review.repository
        known = _REPOSITORY.fullmatch(repository.full_name) and _SERVER.fullmatch(repository.server)
        self._root = f"{repository.server}/{repository.full_name}" if known else ""
        self._sha = review.head_sha if _SHA.fullmatch(review.head_sha) else ""
        self._base = review.base_sha if _SHA.fullmatch(review.base_sha) else ""
        self._names = {file.path: file.name or file.path for file in review.summary.files}
        self._gone = {file.path for file in review.summary.files if file.status is FileStatus.DELETED}

    def place(self, at: Place, *, named: bool = True, table: bool = False) -> Safe:
        """`TP4:12-14`, or the lines alone when the file was named just before."""
        lines = str(at.line) if at.end_line <= at.line else f"{at.line}-{at.end_line}"
        address = self._file(at.file)
        name = self.name(at.file) if address else at.file
        label = f"{name}:{lines}" if named else lines
        return link(label, f"{address}#{_anchor(at)}", table) if address else code(label, table)

    def file(self, path: str, *, table: bool = False) -> Safe:
        """The short name as a link, or the path: a short name that leads nowhere helps nobody."""
        address = self._file(path)
        return link(self.name(path), address, table) if address else code(path, table)

    def places(self, places: Iterable[Place]) -> Safe:
        """Each place once, the file's name only where it changes, and no more than a reader follows."""
        ordered = list(dict.fromkeys(places))
        shown = []
        for before, at in zip([None, *ordered], ordered[:MAX_PLACES], strict=False):
            shown.append(self.place(at, named=before is None or before.file != at.file))
        more = len(ordered) - MAX_PLACES
        if more > 0:
            shown.append(ours("and {} more", more))
        return joined(", ", shown)

    def in_findings(self, places: Iterable[Place]) -> Mapping[str, Safe]:
        """What a finding's sentences may call its places, with the link for each."""
        found = {}
        for at in places:
            found[at.file] = self.file(at.file)
            found[str(at)] = self.place(at)
        return {text: shown for text, shown in found.items() if shown.startswith("[")}

    def in_summary(self, *, table: bool = False) -> Mapping[str, Safe]:
        """The short names that the summary calls the changed files by."""
        found = {}
        for path, name in self._names.items():
            found[path] = found[name] = self.file(path, table=table)
        return {text: shown for text, shown in found.items() if shown.startswith("[")}

    def commit(self, sha: str) -> Safe:
        """A commit by its first characters."""
        if self._root and _SHA.fullmatch(sha):
            return link(sha[:7], f"{self._root}/commit/{sha}", table=True)
        return code(sha[:7] if _SHA.fullmatch(sha) else sha, table=True)

    def listed(self, text: str) -> str:
        """A list of paths by their short names; any other text as it is."""
        paths = text.split(", ")
        return codes(map(self.name, paths)) if all(path in self._names for path in paths) else text

    def name(self, path: str) -> str:
        return self._names.get(path, path)

    def _file(self, path: str) -> str:
        """The file at the reviewed commit, or at base when the change deletes it; empty when unknown."""
        sha = self._base if path in self._gone else self._sha
        if not (self._root and sha):
            return ""
        return f"{self._root}/blob/{sha}/{address(path)}"


def _anchor(at: Place) -> str:
    return f"L{at.line}" if at.end_line <= at.line else f"L{at.line}-L{at.end_line}"
