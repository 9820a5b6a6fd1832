"""Phase 4, include: other files as projects of their own, brought in whole. Only local ones: nothing is fetched."""

from __future__ import annotations

from msgspec import Struct

from bot.model.value import Value


class Include(Struct, frozen=True):
    """One entry of `include`. `folder` is where its relative paths start; None: beside its first file."""

    paths: tuple[str, ...]
    folder: str | None
    env_files: tuple[str, ...]
    value: Value

    @property
    def remote(self) -> bool:
        return any("://" in path or path.startswith(("git@", "oci:")) for path in self.paths)


def includes(document: Value) -> list[Include]:
    """The `include` entries of a document, short and long form alike."""
    return [_include(entry) for entry in document.sequence("include")]


def _include(entry: Value) -> Include:
    if not isinstance(entry.data, dict):
        return Include((entry.as_text,), None, (), entry)
    return Include(_texts(entry.get("path")), entry.text("project_directory"), _texts(entry.get("env_file")), entry)


def _texts(value: Value | None) -> tuple[str, ...]:
    if value is None or value.data is None:
        return ()
    return tuple(item.as_text for item in value.data) if isinstance(value.data, tuple) else (value.as_text,)
