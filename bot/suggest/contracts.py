"""Conventions as contracts: those without an exception apart from those with one, ready to paste."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, count
from typing import Any

from msgspec import Struct

from bot.model.text import counted
from bot.suggest.expressions import KINDS, checks, is_stated
from bot.suggest.mine import Convention, Group

MAX_CONVENTIONS = 40  # of one contract: more than a person reads at once
MAX_CONTRACTS = 20


class Suggested(Struct, frozen=True):
    """One contract. `left` counts conventions of the group that were not taken, for length."""

    id: str
    group: Group
    conventions: tuple[Convention, ...]
    left: int

    @property
    def level(self) -> str:
        """What has exceptions today must not block anybody tomorrow."""
        return "error" if all(each.whole for each in self.conventions) else "warning"


def suggested(
    found: Sequence[Convention], known: frozenset[tuple[str, str]] = frozenset(), taken: Collection[str] = ()
) -> tuple[tuple[Suggested, ...], int]:
    """The contracts, the strongest first, and how many more there would be.

    `known` is what contracts state already (see `expressions.stated`), `taken` their ids.
    """
    groups: dict[tuple[Group, bool], list[Convention]] = {}
    for each in found:
        if each.trait.kind in KINDS and not is_stated(each, known):
            groups.setdefault((each.group, each.whole), []).append(each)
    made: list[Suggested] = []
    for (group, whole), conventions in groups.items():
        first = conventions[:MAX_CONVENTIONS]
        name = _free(_id(group, whole), {*taken, *(each.id for each in made)})
        made.append(Suggested(name, group, tuple(first), len(conventions) - len(first)))
    return tuple(made[:MAX_CONTRACTS]), max(0, len(made) - MAX_CONTRACTS)


def _id(group: Group, whole: bool) -> str:
    words = [_kind(group), *(["in", group.folder] if group.folder else []), *([] if whole else ["mostly"])]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def _free(name: str, taken: Collection[str]) -> str:
    return next(each for each in chain([name], (f"{name}-{number}" for number in count(2))) if each not in taken)


_PLURALS = {"telemetry": "telemetry services", "proxy": "proxies"}


def _kind(group: Group) -> str:
    return "files" if group.of_files else _PLURALS.get(group.role, f"{group.role}s")


def as_yaml(contracts: Sequence[Suggested], left: int) -> str:
    """Valid YAML for `.github/compose-review.yaml`. All foreign words stand in quoted texts or behind `#`."""
    if not contracts:
        return "# Nothing (more) to suggest. A convention shows in four peers: services of one role, or files of one folder.\n"
    lines = ["contracts:"]
    for each in contracts:
        lines += [*_contract(each), ""]
    if left:
        lines.append(f"# {counted(left, 'more contract')} with less support left out.")
    return "\n".join(lines).rstrip() + "\n"


def _contract(made: Suggested) -> Iterator[str]:
    fields = _fields(made)
    yield f"  - id: {made.id}"
    yield f"    because: {_quoted(fields['because'])}"
    yield f"    level: {made.level}"
    yield f"    files: [{_quoted(fields['files'][0])}]"
    yield f"    each: {fields['each']}"
    if "select" in fields:
        yield f"    select: {_plain_or_quoted(fields['select'])}"
    yield "    checks:"
    for check in checks(made.conventions):
        first = check.conventions[0]
        yield f"      # {first.having} of {first.peers}{_exceptions(first)}"
        for index, (name, value) in enumerate(check.fields.items()):
            yield f"      {'- ' if index == 0 else '  '}{name}: {_plain_or_quoted(value)}"
    if made.left:
        yield f"    # {counted(made.left, 'more convention')} of this group left out."


def _exceptions(each: Convention) -> str:
    """As a comment: printable, and on its line."""
    if each.whole:
        return ""
    shown = ", ".join(f"{peer.name} ({peer.at})" for peer in each.without[:5])
    rest = f" and {len(each.without) - 5} more" if len(each.without) > 5 else ""
    return "; not " + "".join(char if char.isprintable() else "?" for char in shown) + rest


def _fields(made: Suggested) -> dict[str, Any]:
    first = made.conventions[0]
    where = f"in {made.group.folder}" if made.group.folder else "in the root folder"
    whose = f"The {first.peers} {_kind(made.group)} {where}"
    who = whose if made.level == "error" else f"Nearly all of t{whose[1:]}"
    fields: dict[str, Any] = {
        "id": made.id,
        "because": f"{who} have this in common; one that goes without was forgotten, or says why.",
        "level": made.level,
        "files": [f"{_escaped(made.group.folder)}/*" if made.group.folder else "*"],
        "each": "file" if made.group.of_files else "service",
    }
    if not made.group.of_files:
        fields["select"] = f"service.role == {json.dumps(made.group.role)} && size(service.profiles) == 0"
    fields["checks"] = [check.fields for check in checks(made.conventions)]
    return fields


def _escaped(folder: str) -> str:
    """Letters of a pattern that mean something stand for themselves."""
    return re.sub(r"([*?\[])", r"[\1]", folder)


def _quoted(text: str) -> str:
    """A text in YAML's double quotes, which escape as JSON does."""
    return json.dumps(text, ensure_ascii=True)


def _plain_or_quoted(text: str) -> str:
    """Single quotes where they do: expressions are full of double ones."""
    return f"'{text}'" if text.isprintable() and text.isascii() and "'" not in text else _quoted(text)


def as_json(contracts: Sequence[Suggested], left: int) -> str:
    data = {
        "contracts": [
            {
                **_fields(each),
                "support": [
                    {
                        "kind": convention.trait.kind,
                        "name": convention.trait.name,
                        "having": convention.having,
                        "peers": convention.peers,
                        "without": [
                            {"name": peer.name, "file": peer.at.file, "line": peer.at.line}
                            for peer in convention.without
                        ],
                    }
                    for convention in each.conventions
                ],
                "left": each.left,
            }
            for each in contracts
        ],
        "left": left,
    }
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"
