"""Places that state the digest of a changed file: checksum lists, tests, scripts, prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import basename

from msgspec import Struct

from bot.change.digests import Target, targets
from bot.change.hunks import lines_of
from bot.model.change import ContentPin, FileChange
from bot.model.place import Place
from bot.ports import Tree

_HEXADECIMAL = re.compile("[0-9A-Fa-f]{32,}")
_OPENS = ("-", "{")
_FILE_NAME = re.compile(r"\w\.\w")


def content_pins(base: Tree, head: Tree, files: Sequence[FileChange]) -> tuple[ContentPin, ...]:
    """Every line of base that states a digest of a changed file's old content, by file and line.

    sha256, sha1, md5, sha512 and Git's blob name, in lower or upper case. Where the old content stands in
    other files too, a line counts for the changed file only when it, or the line beside one that names no
    file, names that file.
    """
    wanted: dict[str, list[Target]] = {}
    for target in targets(base, head, files):
        wanted.setdefault(target.old, []).append(target)
    if not wanted:
        return ()
    needles = [needle.encode() for digest in wanted for needle in (digest, digest.upper())]
    stating = base.find(needles)
    return tuple(
        pin
        for states in _pairs(stating, head, files)
        for digest in states.before.stated
        for target in wanted.get(digest, ())
        for pin in _pins(states, target)
    )


class _Text(Struct, frozen=True, dict=True):
    path: str
    lines: tuple[str, ...]

    @cached_property
    def stated(self) -> Mapping[str, list[int]]:
        """The line numbers, from 1, of every hexadecimal word."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, start=1):
            for word in _HEXADECIMAL.findall(line):
                found.setdefault(word.lower(), []).append(number)
        return found

    def names(self, path: str, line: int) -> bool:
        """Whether a line names a file; where it names none at all, whether one beside it does."""
        here = self.lines[line - 1]
        if _FILE_NAME.search(here):
            return _names(here, path)
        return any(_names(near, path) for near in self._beside(line))

    def _beside(self, line: int) -> Iterator[str]:
        """The lines above and below, where they belong to the same item of a list or the same object."""
        above = self.lines[line - 2] if line > 1 else ""
        below = self.lines[line] if line < len(self.lines) else ""
        if not self.lines[line - 1].lstrip().startswith(_OPENS) and not above.lstrip().startswith("}"):
            yield above
        if not below.lstrip().startswith((*_OPENS, "}")):
            yield below


class _Stating(Struct, frozen=True):
    """A file that states digests. `after` is None when it is gone, `change` when it stayed as it was."""

    before: _Text
    after: _Text | None
    change: FileChange | None

    def now(self, digest: str, line: int) -> Place | None:
        """Where head states what base states on a line: the same line, or one that this change wrote."""
        if self.after is None:
            return None
        kept = line if self.change is None else self.change.line_in_head(line)
        if kept is not None:
            return Place.of_line(self.after.path, kept)
        written = (each for each in self.after.stated.get(digest, ()) if self.change and self.change.touches(each))
        return self._at(next(written, None))

    def renewed(self, digest: str | None) -> Place | None:
        if self.after is None or digest is None:
            return None
        return self._at(next(iter(self.after.stated.get(digest, ())), None))

    def _at(self, line: int | None) -> Place | None:
        return Place.of_line(self.after.path, line) if self.after is not None and line is not None else None


def _pairs(stating: Mapping[str, bytes], head: Tree, files: Sequence[FileChange]) -> Iterator[_Stating]:
    changes = {file.old_path: file for file in files if file.old_path in stating}
    paths = {path: changes[path].path if path in changes else path for path in stating}
    after = head.read_many(paths.values())
    for path, content in stating.items():
        later = paths[path]
        text = _Text(later, lines_of(after[later])) if later in after else None
        yield _Stating(_Text(path, lines_of(content)), text, changes.get(path))


def _pins(states: _Stating, target: Target) -> Iterator[ContentPin]:
    for line in states.before.stated[target.old]:
        if target.shared and not states.before.names(target.file.old_path, line):
            continue
        yield ContentPin(
            target=target.file.path,
            algorithm=target.algorithm,
            digest=target.old,
            at=Place.of_line(states.before.path, line),
            now=states.now(target.old, line),
            renewed=states.renewed(target.new),
        )


def _names(line: str, path: str) -> bool:
    """Whether a line holds the path, or the file's name with no other folder before it."""
    name = basename(path)
    return path in line or (name in line and f"/{name}" not in line)
