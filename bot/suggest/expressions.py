"""Conventions as checks of a contract: an expression in CEL, where a violation stands, and what it says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bot.model.contract import Contract
from bot.suggest.mine import Convention
from rules._traits import Kind

# By the kind of a trait: what must be true of `name`, and the line to point at. Without an entry it is not suggested:
# a flag goes with its model, and of the many services of a role no single one has to stay.
_BODIES = (
    "values(file.services).exists(each, values(each.bodies).exists(body, "
    "is_yaml(body) && get(yaml(body), [{path}, name], null) != null))"
)
_LOCATIONS = (
    "values(file.services).exists(each, values(each.bodies).exists(body, is_nginx(body) && "
    'nginx(body).directives.exists(d, d.name == "location" && join(d.args, " ") == name)))'
)
_EXPRESSIONS: Mapping[Kind, tuple[str, str]] = {
    Kind.VARIABLE: ("name in service.environment", "service.environment"),
    Kind.LABEL: ("name in service.labels", "service.labels"),
    Kind.MOUNT: ('service.volumes.exists(each, get(each, "target", "") == name)', "service.volumes"),
    Kind.CONFIG: ('service.configs.exists(each, get(each, "target", "") == name)', "service.configs"),
    Kind.LOG_OPTION: ('get(service, ["logging", "options", name], null) != null', "service.logging"),
    Kind.FIELD: ("get(service.written, name, null) != null", "service"),
    Kind.RECEIVER: (_BODIES.format(path='"receivers"'), ""),
    Kind.EXPORTER: (_BODIES.format(path='"exporters"'), ""),
    Kind.PROCESSOR: (_BODIES.format(path='"processors"'), ""),
    Kind.PIPELINE: (_BODIES.format(path='"service", "pipelines"'), ""),
    Kind.LOCATION: (_LOCATIONS, ""),
}
KINDS = frozenset(_EXPRESSIONS)


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
