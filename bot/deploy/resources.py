"""Networks and volumes that are defined otherwise than before under the same name."""

from __future__ import annotations

from typing import Any

from bot.deploy.state import State


def redefined(section: str, base: State, head: State) -> dict[str, tuple[str, ...]]:
    """The networks or volumes of head that stand under base's name with another definition.

    By key of head, with the fields that differ. What is `external` belongs to somebody else: `up` leaves it.
    """
    known = {base.resource(section, key): key for key in _keys(section, base)}
    found = {}
    for key in _keys(section, head):
        before = known.get(head.resource(section, key))
        if before is None:
            continue
        old, new = _defined(section, base, before), _defined(section, head, key)
        fields = tuple(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))
        if fields and "external" not in {*old, *new}:
            found[key] = fields
    return found


def _keys(section: str, state: State) -> list[str]:
    """The resources that started services use; `up` leaves the others alone."""
    use = state.networks if section == "networks" else state.volumes
    return list(dict.fromkeys(key for name in state.services for key in use(name)))


def _defined(section: str, state: State, key: str) -> dict[str, Any]:
    """A definition without its name, and without what says nothing."""
    value = state.definition(section, key)
    plain = value.plain() if value is not None else None
    if not isinstance(plain, dict):
        return {}
    return {name: part for name, part in plain.items() if name != "name" and part not in (None, {}, [], False)}
