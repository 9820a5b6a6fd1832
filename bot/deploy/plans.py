"""Which plans a change needs: warm for every touched project, cold where gates changed, switch for new files."""

from __future__ import annotations

from collections.abc import Iterator

from bot.deploy import words
from bot.deploy.cold import cold
from bot.deploy.command import DeployCommand, read_command
from bot.deploy.decide import decide
from bot.deploy.gates import dangers, gate_edges, gates
from bot.deploy.resources import redefined
from bot.deploy.state import state_of, states_of
from bot.model.change import Move
from bot.model.plan import Operation, Plan, PlanKind, Reason, Verb
from bot.model.project import Estate, Project
from bot.model.settings import Settings

# A new file that shares its project name is shown against so many files that may run there now.
SWITCHES = 2


def plans(base: Estate, head: Estate, moves: tuple[Move, ...], settings: Settings) -> tuple[Plan, ...]:
    """What the deploy command of the settings does, for each project that the change touches."""
    command = read_command(settings.deploy)
    return tuple(plan for move in moves for plan in _of(base, head, move, command, settings))


def switch(before: Project, after: Project, settings: Settings, services: tuple[str, ...] = ()) -> Plan:
    """What a host goes through that runs one file and is given another, or the same one of another revision."""
    command = read_command(settings.deploy).narrowed(services) if services else read_command(settings.deploy)
    return _moved(PlanKind.SWITCH, before, after, command, settings)


def _of(base: Estate, head: Estate, move: Move, command: DeployCommand, settings: Settings) -> Iterator[Plan]:
    if move.head is None:
        if move.base is not None and not move.base.problems:
            yield _deleted(move.base, command, settings)
        return
    if move.base is not None:
        yield _moved(PlanKind.WARM, move.base, move.head, command, settings)
    if move.head.problems or command.unknown:
        return
    before = move.base
    if before is None or (not before.problems and gate_edges(before) != gate_edges(move.head)):
        yield cold(before, state_of(move.head, command, settings))
    if before is None:
        for other in nearest(base, head, move.head, command):
            yield _moved(PlanKind.SWITCH, other, move.head, command, settings)


def _moved(kind: PlanKind, before: Project, after: Project, command: DeployCommand, settings: Settings) -> Plan:
    unknown = _unknown(before, after, command)
    old, new = states_of(before, after, command, settings)
    changed = () if unknown or old.name != new.name else redefined(old, new)
    operations = () if unknown else decide(old, new, changed)
    found = () if unknown else gates(before, new)
    return Plan(
        path=after.path,
        kind=kind,
        command=new.command.text,
        operations=operations,
        before=before.path if kind is PlanKind.SWITCH else "",
        project=new.said_name,
        together=after.together,
        profile=new.profile,
        removes_orphans=command.orphans_go,
        redefined=changed,
        gates=found,
        dangers=dangers(found, operations),
        unknown=unknown,
    )


def _unknown(before: Project, after: Project, command: DeployCommand) -> str:
    if command.unknown:
        return command.unknown
    if after.problems:
        return "Compose refuses the file: nothing is deployed"
    if before.problems:
        return "Compose refuses the file as it was before, so what runs is not known"
    return ""


def _deleted(before: Project, command: DeployCommand, settings: Settings) -> Plan:
    """A file that is gone is deployed nowhere any more: what it started goes on."""
    state = state_of(before, command, settings)
    operations = tuple(
        Operation(name, Verb.KEEP_UNMANAGED, words.gone(file=True), service.at, reason=Reason.GONE)
        for name, service in state.services.items()
        if name not in state.one_shots
    )
    return Plan(
        path=before.path,
        kind=PlanKind.WARM,
        command=command.text,
        operations=() if command.unknown else operations,
        project=state.said_name,
        profile=state.profile,
        unknown=command.unknown,
    )


def nearest(base: Estate, head: Estate, new: Project, command: DeployCommand) -> list[Project]:
    """The files that a host may run before it is given a new one of the same project name.

    Those that the change deletes come first, then the most alike.
    """
    rivals = [
        each
        for each in base.projects.values()
        if not each.problems and (command.project is not None or each.name == new.name)
    ]
    rivals.sort(key=lambda each: (each.path in head.projects, -_alike(each, new), each.path))
    return rivals[:SWITCHES]


def _alike(one: Project, other: Project) -> float:
    """The share of services of the same name."""
    names = {*one.services, *other.services}
    return len(set(one.services) & set(other.services)) / len(names) if names else 0.0
