"""Gates of a project, what one failing gate keeps down, and what that means for this very deploy."""

from __future__ import annotations

from bot.deploy.state import State
from bot.model.plan import Danger, Gate, Operation, Verb
from bot.model.project import Project
from bot.model.service import Condition
from bot.model.text import code, codes

_CONDITIONS = (Condition.COMPLETED, Condition.HEALTHY)


def gates(base: Project | None, head: State) -> tuple[Gate, ...]:
    """Every gate of what head starts; an edge is new when its service did not wait in this way before."""
    found = []
    for name, service in head.services.items():
        for condition in _CONDITIONS:
            waiting = [
                other
                for other in head.services
                for wait in head.waits(other)
                if (wait.service, wait.condition) == (name, condition) and wait.required
            ]
            if waiting:
                new = tuple(other for other in waiting if not _waited(base, other, name, condition))
                found.append(Gate(name, condition, tuple(waiting), _down(head, name), new, service.at))
    return tuple(found)


def _waited(base: Project | None, name: str, gate: str, condition: Condition) -> bool:
    before = base.services.get(name) if base is not None else None
    wait = before.wait_for(gate) if before is not None else None
    return wait is not None and wait.required and wait.condition is condition


def _down(head: State, gate: str) -> tuple[str, ...]:
    """What stays down while a gate fails, in start order."""
    found = {gate}
    for name in head.services:
        if any(wait.required and wait.service in found for wait in head.waits(name)):
            found.add(name)
    return tuple(name for name in head.services if name in found and name != gate)


def edges(project: Project | None) -> frozenset[tuple[str, str, Condition]]:
    """The edges that can hold a service back: who waits for whom, and how."""
    return frozenset(
        (service.name, wait.service, wait.condition)
        for service in (project.services.values() if project is not None else ())
        for wait in service.waits
        if wait.required
    )


def gate_edges(project: Project | None) -> frozenset[tuple[str, str, Condition]]:
    """Of these, the ones that wait for more than a start."""
    return frozenset(edge for edge in edges(project) if edge[2] is not Condition.STARTED)


def dangers(found: tuple[Gate, ...], operations: tuple[Operation, ...]) -> tuple[Danger, ...]:
    """For each gate that this deploy passes through: what is down when it fails then."""
    verbs: dict[str, Verb] = {}
    for each in operations:
        verbs.setdefault(each.service, each.verb)
    stopped = {Verb.RECREATE, Verb.RESTART}
    if any(each.verb is Verb.REMOVE_ORPHAN and each.stop_seconds is not None for each in operations):
        stopped.add(Verb.CREATE)  # it takes the place of something that is gone by then
    said = []
    for gate in found:
        if gate.condition is Condition.HEALTHY and verbs.get(gate.service) in (Verb.KEEP, Verb.KEEP_STALE):
            continue
        lost = [name for name in gate.down if verbs.get(name) in stopped]
        if lost:
            said.append(Danger(_danger(gate, lost, verbs), gate.at))
    return tuple(said)


def _danger(gate: Gate, lost: list[str], verbs: dict[str, Verb]) -> str:
    how = "fails" if gate.condition is Condition.COMPLETED else "does not become healthy"
    on = [name for name in gate.down if verbs.get(name) in (Verb.KEEP, Verb.KEEP_STALE)]
    goes_on = f"; {codes(on)} {'goes' if len(on) == 1 else 'go'} on running" if on else ""
    return (
        f"If {code(gate.service)} {how} in this deploy, `up` ends with an error and {codes(lost)} "
        f"{'stays' if len(lost) == 1 else 'stay'} down, while what ran before is stopped by then{goes_on}."
    )
