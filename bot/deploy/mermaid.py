"""The gates of a cold start as a Mermaid graph: GitHub draws it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from bot.deploy.state import State
from bot.model.plan import Gate
from bot.model.service import Condition

FOLD_ABOVE = 12  # services; beyond this, those that wait for alike things in alike ways become one box
NAMES = 3  # in one box

_WORDS = {Condition.COMPLETED: "completed", Condition.HEALTHY: "healthy", Condition.STARTED: ""}
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_RED = "red boxes stay down while a gate before them fails"
_CLASSES = """  classDef gate stroke-width:3px
  classDef down stroke:#c0392b,stroke-dasharray:5 3
  classDef both stroke:#c0392b,stroke-dasharray:5 3,stroke-width:3px
"""


class _Edge(Struct, frozen=True):
    """`gate` holds `service` back."""

    gate: str
    service: str
    condition: Condition
    new: bool


Boxes = Mapping[str, int]  # the number of the box that each service stands in


Known = frozenset[tuple[str, str, Condition]]


def graph(found: tuple[Gate, ...], head: State, known: Known, *, mark: bool) -> str:
    """The gates with new edges and everything behind them. Empty where no edge is new.

    `known` are the edges before the change; `mark` says whether new ones are told from them.
    """
    focus = [gate for gate in found if gate.new]
    if not focus:
        return ""
    shown = {name for gate in focus for name in (gate.service, *gate.down)}
    edges = [
        _Edge(wait.service, name, wait.condition, mark and (name, wait.service, wait.condition) not in known)
        for name in head.services
        for wait in head.waits(name)
        if wait.required and {name, wait.service} <= shown
    ]
    gates = {gate.service for gate in focus}
    boxes = _boxes([name for name in head.services if name in shown], gates, edges, head)
    down = {name for gate in focus for name in gate.down}
    kinds = {name: "down" if name not in gates else "both" if name in down else "gate" for name in boxes}
    title = f"Cold start: thick arrows are new, {_RED}" if mark else f"Cold start: {_RED}"
    opening = f'---\ntitle: "{title}"\n---\nflowchart LR\n'
    return opening + _drawn(boxes, kinds, edges) + _CLASSES


def _boxes(names: list[str], gates: set[str], edges: list[_Edge], head: State) -> Boxes:
    """One box per service; in a large graph one for all that cannot be told apart by their edges."""
    if len(names) <= FOLD_ABOVE:
        return {name: number for number, name in enumerate(names)}
    color: dict[str, object] = {name: name if name in gates else str(head.services[name].facts.role) for name in names}
    count = 0
    while len(set(color.values())) > count:
        count = len(set(color.values()))
        color = _refined(names, color, edges)
    numbers = {each: number for number, each in enumerate(dict.fromkeys(color.values()))}
    return {name: numbers[color[name]] for name in names}


def _refined(names: list[str], color: dict[str, object], edges: list[_Edge]) -> dict[str, object]:
    before: dict[str, set[object]] = {name: set() for name in names}
    after: dict[str, set[object]] = {name: set() for name in names}
    for edge in edges:
        before[edge.service].add((color[edge.gate], edge.condition, edge.new))
        after[edge.gate].add((color[edge.service], edge.condition, edge.new))
    keys = {name: (color[name], frozenset(before[name]), frozenset(after[name])) for name in names}
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys.values()))}
    return {name: numbers[key] for name, key in keys.items()}


def _drawn(boxes: Boxes, kinds: Mapping[str, str], edges: list[_Edge]) -> str:
    members: dict[int, list[str]] = {}
    for name, number in boxes.items():
        members.setdefault(number, []).append(name)
    lines = []
    for number, names in members.items():
        lines.append(f'  n{number}["{_label(names)}"]:::{kinds[names[0]]}')
    arrows: dict[str, None] = {}
    for edge in edges:
        arrow = "==>" if edge.new else "-->"
        word = _WORDS[edge.condition]
        text = f"|{'new: ' if edge.new else ''}{word}|" if word else ""
        arrows[f"  n{boxes[edge.gate]} {arrow}{text} n{boxes[edge.service]}"] = None
    return "".join(f"{line}\n" for line in (*lines, *arrows))


def _label(names: list[str]) -> str:
    shown = [_escaped(name) for name in names[: NAMES if len(names) <= NAMES else NAMES - 1]]
    rest = len(names) - len(shown)
    return "<br/>".join([*shown, f"and {rest} more"] if rest else shown)


def _escaped(name: str) -> str:
    """A service's name, which Compose holds to plain characters; anything else is drawn as a question mark."""
    return "".join(each if _PLAIN.fullmatch(each) else "?" for each in name)
