"""What the deploy does, file by file; files for which it does the same in one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bot.model.duration import spoken
from bot.model.plan import Danger, Operation, Plan, PlanKind, Prerequisite, Verb
from bot.model.text import code, codes

MAX_NAMES = 4

# Heading of each column, with the verbs that it tells of. The first two and the last are always there.
COLUMNS: Mapping[str, tuple[Verb, ...]] = {
    "recreated": (Verb.RECREATE, Verb.RERUN),
    "removed": (Verb.REMOVE_ORPHAN, Verb.REMOVE),
    "started": (Verb.CREATE,),
    "restarted": (Verb.RESTART,),
    "keeps old content": (Verb.KEEP_STALE,),
    "left running": (Verb.KEEP_UNMANAGED,),
    "cannot start": (Verb.CONFLICT,),
}
ALWAYS = ("recreated", "removed")

_HAPPENS: Mapping[Verb, str] = {
    Verb.CREATE: "is started",
    Verb.RECREATE: "is recreated",
    Verb.REMOVE_ORPHAN: "is removed",
    Verb.REMOVE: "is removed",
    Verb.RESTART: "is restarted",
    Verb.RERUN: "runs again",
    Verb.KEEP: "is kept",
    Verb.KEEP_STALE: "keeps running with its old content",
    Verb.KEEP_UNMANAGED: "is left running",
    Verb.CONFLICT: "cannot start",
}


class Row(Struct, frozen=True):
    """Plans that do the same. `cells` are prose by column; `kept` is how many services stay as they are."""

    plans: tuple[Plan, ...]
    cells: Mapping[str, str]
    kept: str

    @property
    def plan(self) -> Plan:
        return self.plans[0]


def rows(plans: Iterable[Plan]) -> tuple[Row, ...]:
    groups: dict[object, list[Plan]] = {}
    plans = tuple(plans)
    warm = {plan.path for plan in plans if plan.kind is PlanKind.WARM}
    for plan in plans:
        if plan.kind is PlanKind.COLD and plan.path in warm:
            continue  # it is there for the graph of its gates
        same = (plan.kind, plan.before, plan.command, plan.profile, plan.unknown, tuple(_telling(plan)))
        groups.setdefault(same, []).append(plan)
    return tuple(Row(tuple(group), _cells(group[0]), _kept(group)) for group in groups.values())


def columns(found: Iterable[Row]) -> tuple[str, ...]:
    told = {name for row in found for name, cell in row.cells.items() if cell}
    return tuple(name for name in COLUMNS if name in ALWAYS or name in told)


def happens(operation: Operation) -> bool:
    """Whether this change brings it about: a service that is kept, or that runs again every time, is not told."""
    return operation.verb is not Verb.KEEP and (operation.verb is not Verb.RERUN or operation.changed)


def _telling(plan: Plan) -> list[tuple[object, ...]]:
    return [(each.service, each.verb, each.cause, each.stop_seconds) for each in plan.operations if happens(each)]


def _cells(plan: Plan) -> Mapping[str, str]:
    return {
        name: _cell([each for each in plan.operations if each.verb in verbs and happens(each)])
        for name, verbs in COLUMNS.items()
    }


def _cell(operations: list[Operation]) -> str:
    groups: dict[str, list[str]] = {}
    for each in operations:
        groups.setdefault(_aside(each), []).append(each.service)
    return "; ".join(f"{codes(names, MAX_NAMES)}{aside}" for aside, names in groups.items())


def _aside(operation: Operation) -> str:
    if operation.verb is Verb.RERUN or operation.changed:
        return " (runs again)"
    if operation.stop_seconds is not None and operation.verb in (Verb.RECREATE, Verb.REMOVE_ORPHAN, Verb.RESTART):
        return f" ({spoken(operation.stop_seconds)} to stop)"
    return ""


def _kept(plans: list[Plan]) -> str:
    if plans[0].unknown:
        return plans[0].unknown
    counts = sorted({sum(not happens(each) for each in plan.operations) for plan in plans})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def subject(row: Row, named: list[str]) -> str:
    """What a row is about, in front of its cells."""
    profile = f" with the profile {code(row.plan.profile)}" if row.plan.profile else ""
    if row.plan.kind is PlanKind.SWITCH:
        return f"{codes([row.plan.before])} → {codes(named)}{profile}"
    return f"{codes(named, MAX_NAMES)}{' (cold start)' if row.plan.kind is PlanKind.COLD else ''}{profile}"


def dangers(found: Iterable[Row]) -> tuple[str, ...]:
    """What goes wrong in this very deploy if a gate fails, each once."""
    return tuple(dict.fromkeys(_danger(plan, danger) for row in found for plan in row.plans for danger in plan.dangers))


def _danger(plan: Plan, danger: Danger) -> str:
    return f"Coming from {code(plan.before)}: {danger.says}" if plan.kind is PlanKind.SWITCH else danger.says


def graphs(plans: Iterable[Plan]) -> Mapping[str, list[str]]:
    """The graphs of changed gates, each with the files it is drawn for."""
    groups: dict[str, list[str]] = {}
    for plan in plans:
        if plan.graph:
            groups.setdefault(plan.graph, []).append(plan.path)
    return groups


def causes(row: Row) -> list[tuple[str, str, str]]:
    """Service, what happens to it, and why."""
    return [(each.service, _HAPPENS[each.verb], each.cause) for each in row.plan.operations if happens(each)]


def needs(found: Iterable[Prerequisite]) -> Mapping[str, list[Prerequisite]]:
    """What the operator must see to, the same for several files together."""
    groups: dict[str, list[Prerequisite]] = {}
    for each in found:
        groups.setdefault(each.text, []).append(each)
    return groups
