"""Networks and volumes that are defined otherwise than before under the same name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.deploy.state import State
from bot.model.plan import Redefined


def redefined(base: State, head: State) -> tuple[Redefined, ...]:
    """The networks and volumes of head that stand under base's name with another definition.

    What is `external` belongs to somebody else: `up` leaves it alone.
    """
    return (*_redefined("networks", base, head), *_redefined("volumes", base, head))


def _redefined(section: str, base: State, head: State) -> Iterator[Redefined]:
    known = {base.resource(section, key): key for key in _keys(section, base)}
    for key in _keys(section, head):
        name = head.resource(section, key)
        value = head.definition(section, key)
        if name not in known or value is None:
            continue
        old, new = _defined(section, base, known[name]), _defined(section, head, key)
        fields = tuple(sorted(field for field in {*old, *new} if old.get(field) != new.get(field)))
        if fields and "external" not in {*old, *new}:
            anew = section == "networks" or head.command.volumes_go
            yield Redefined(section.removesuffix("s"), key, head.shown(name), fields, anew, value.whole)


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
