"""Conventions as checks of a contract: an expression in CEL, where a violation stands, and what it says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bot.model.contract import Contract
from bot.suggest.mine import Convention

# By the kind of a trait, as `rules/_traits.py` names them: what must be true of `name`, and the line to point at.
_BODIES = (
    "values(file.services).exists(each, values(each.bodies).exists(body, "
    "is_yaml(body) && get(yaml(body), [{path}, name], null) != null))"
)
_EXPRESSIONS: Mapping[str, tuple[str, str]] = {
    "the variable": ("name in service.environment", "service.environment"),
    "the label": ("name in service.labels", "service.labels"),
    "a mount at": ('service.volumes.exists(each, get(each, "target", "") == name)', "service.volumes"),
    "a config at": ('service.configs.exists(each, get(each, "target", "") == name)', "service.configs"),
    "the log option": ('get(service, ["logging", "options", name], null) != null', "service.logging"),
    "the field": ("get(service.written, name, null) != null", "service"),
    "a service that is a": ("values(file.services).exists(each, each.role == name && size(each.profiles) == 0)", ""),
    "the receiver": (_BODIES.format(path='"receivers"'), ""),
    "the exporter": (_BODIES.format(path='"exporters"'), ""),
    "the processor": (_BODIES.format(path='"processors"'), ""),
    "the pipeline": (_BODIES.format(path='"service", "pipelines"'), ""),
}


class Check(Struct, frozen=True):
    """One check for conventions of one kind with the same support."""

    conventions: tuple[Convention, ...]

    @property
    def fields(self) -> dict[str, str]:
        """As a contract writes them. A text of CEL escapes as JSON does."""
        first = self.conventions[0]
        expression, at = _EXPRESSIONS[first.trait.kind]
        who = "file.path" if first.group.of_files else "service.name"
        found = {
            "for": f"name in {json.dumps([each.trait.name for each in self.conventions])}",
            "expression": expression,
            "at": at,
            "message": f"{who} + {json.dumps(f' lacks {first.trait.kind} ')} + name",
        }
        return {name: value for name, value in found.items() if value}


def checks(conventions: Sequence[Convention]) -> tuple[Check, ...]:
    """Together what is of one kind and held by the same peers."""
    groups: dict[tuple[object, ...], list[Convention]] = {}
    for each in conventions:
        groups.setdefault((each.trait.kind, each.having, each.without), []).append(each)
    return tuple(Check(tuple(group)) for group in groups.values())


def stated(contracts: Iterable[Contract]) -> frozenset[tuple[str, str]]:
    """What contracts check already, in the words of ours: an expression over `name`, and a name."""
    found = set()
    for clause in (clause for contract in contracts for clause in contract.clauses):
        for name, listed in clause.loops:
            if name == "name" and len(clause.loops) == 1:
                found |= {(clause.condition.text.strip(), each) for each in _texts(listed.text)}
    return frozenset(found)


def is_stated(convention: Convention, known: frozenset[tuple[str, str]]) -> bool:
    return (_EXPRESSIONS[convention.trait.kind][0], convention.trait.name) in known


def _texts(listed: str) -> Iterable[str]:
    try:
        found = json.loads(listed)
    except ValueError:  # computed, not listed
        return ()
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else ()
