"""Plans on their own, for a terminal, as Markdown or as data: what `compose-review plan` prints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from bot.model.duration import spoken
from bot.model.plan import Operation, Plan, PlanKind, Verb
from bot.model.text import code, counted
from bot.review.as_json import plan_data
from bot.review.escape import block, plain, prose

_DOES = {
    Verb.CREATE: "start",
    Verb.RECREATE: "recreate",
    Verb.REMOVE: "remove",
    Verb.REMOVE_ORPHAN: "remove",
    Verb.RESTART: "restart",
    Verb.RERUN: "run again",
    Verb.KEEP: "keep",
    Verb.KEEP_STALE: "keep, stale",
    Verb.KEEP_UNMANAGED: "left running",
    Verb.CONFLICT: "cannot start",
}


def terminal(plans: Iterable[Plan]) -> str:
    """One block per plan: a line for each operation in the order it happens, what is kept counted at the end."""
    return "\n".join(_block(plan) for plan in plans) or "Nothing differs.\n"


def markdown(plans: Iterable[Plan]) -> str:
    return ("\n\n".join("\n".join(_section(plan)) for plan in plans) or "Nothing differs.") + "\n"


def as_json(plans: Iterable[Plan]) -> str:
    return json.dumps({"plans": [plan_data(plan) for plan in plans]}, ensure_ascii=False, indent=1) + "\n"


def heading(plan: Plan) -> str:
    if plan.kind is PlanKind.SWITCH and plan.before != plan.path:
        return f"{code(plan.before)} → {code(plan.path)}"
    return f"{code(plan.path)}{', cold start' if plan.kind is PlanKind.COLD else ''}"


def _command(plan: Plan) -> str:
    return f"COMPOSE_PROFILES={plan.profile} {plan.command}" if plan.profile else plan.command


def _told(plan: Plan) -> tuple[list[Operation], list[Operation]]:
    kept = [each for each in plan.operations if each.verb is Verb.KEEP]
    return [each for each in plan.operations if each.verb is not Verb.KEEP], kept


def _block(plan: Plan) -> str:
    project = f"  (project {plain(plan.project)})" if plan.project else ""
    lines = [plain(heading(plan)), f"  {plain(_command(plan))}{project}"]
    if plan.unknown:
        return "\n".join([*lines, f"  {plain(plan.unknown)}", ""])
    told, kept = _told(plan)
    width = max((len(_DOES[each.verb]) for each in told), default=4)
    lines.extend(
        f"  {_DOES[each.verb]:<{width}}  {plain(each.service)}{_stop(each)}: {plain(each.cause)}" for each in told
    )
    lines.append(f"  {'keep':<{width}}  {plain(_names(kept))}")
    lines.extend(f"  ! {plain(danger.says)}" for danger in plan.dangers)
    return "\n".join([*lines, ""])


def _section(plan: Plan) -> Iterator[str]:
    yield f"**{prose(heading(plan))}** {prose(code(_command(plan)))}"
    yield ""
    if plan.unknown:
        yield prose(plan.unknown)
        return
    told, kept = _told(plan)
    for each in told:
        yield f"- {_DOES[each.verb]} {prose(code(each.service))}{_stop(each)}: {prose(each.cause)}"
    yield f"- keep {prose(_names(kept, marked=True))}"
    for danger in plan.dangers:
        yield f"- ⚠️ {prose(danger.says)}"
    if plan.graph:
        yield ""
        yield block(plan.graph, "mermaid")


def _stop(each: Operation) -> str:
    return "" if each.stop_seconds is None else f" (up to {spoken(each.stop_seconds)} to stop)"


def _names(kept: list[Operation], *, marked: bool = False) -> str:
    if not kept:
        return "nothing"
    names = ", ".join(code(each.service) if marked else each.service for each in kept)
    return f"{counted(len(kept), 'service')}: {names}"
