"""The fields that contracts ask for, so that no other is computed."""

from __future__ import annotations

from collections.abc import Iterable

from bot.contracts.compiled import Compiled
from bot.contracts.fields import FIELDS


def words_of(contracts: Iterable[Compiled]) -> frozenset[str]:
    """Every name in the contracts; all fields where one uses a service or a file as a whole."""
    found: set[str] = set()
    for compiled in contracts:
        if compiled.takes_whole:
            found |= {field for fields in FIELDS.values() for field in fields}
        found |= compiled.words
    return frozenset(found)
