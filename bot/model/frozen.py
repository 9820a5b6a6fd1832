"""Records that nobody changes: frozen for the type checker, and as cheap to make as plain ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Record]) -> type[Record]:
    """A dataclass with slots of which mypy refuses every assignment.

    `dataclass(frozen=True)` refuses them at run time too, which makes a record four times as dear to build; a
    tree of files builds tens of thousands. For the records of the model alone: see docs/decisions/014-records-frozen-for-the-type-checker.md.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
