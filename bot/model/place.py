"""Where something stands in a file of the reviewed tree."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A span of one file.

    Lines and columns count from 1, columns in characters (not bytes); `end_line` is inclusive.
    `file` is the path from the root of the tree, with forward slashes.
    """

    file: str
    line: int
    column: int
    end_line: int

    @classmethod
    def of_line(cls, file: str, line: int, end_line: int | None = None) -> Place:
        """The whole line, or the lines up to `end_line`."""
        return cls(file, line, 1, line if end_line is None else end_line)

    def through(self, other: Place) -> Place:
        """From the start of this place to the end of a later one in the same file."""
        return Place(self.file, self.line, self.column, max(self.end_line, other.end_line))

    def covers(self, line: int) -> bool:
        return self.line <= line <= self.end_line

    def __str__(self) -> str:
        if self.end_line > self.line:
            return f"{self.file}:{self.line}-{self.end_line}"
        return f"{self.file}:{self.line}"
