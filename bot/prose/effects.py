"""Judges what a pull request says about running containers, from the plans of the deploy."""

from __future__ import annotations

import re

from bot.model.change import Change
from bot.model.finding import Related
from bot.model.plan import Operation, Plan, PlanKind, Prerequisite, Verb
from bot.model.prose import Judgement, Statement
from bot.model.text import code, codes

# What a running container notices.
_EFFECTS = (Verb.RECREATE, Verb.REMOVE_ORPHAN, Verb.RESTART, Verb.RERUN)


def no_effect(statement: Statement, change: Change) -> Judgement:
    """Undecidable without plans, false when one of them touches what runs."""
    touched = [(plan, each) for plan in change.plans for each in plan.operations if _affects(plan, each)]
    if not touched:
        for needed in (each for each in change.prerequisites if each.blocks):
            return _needs(statement, needed)
        known = bool(change.plans) and not any(plan.unknown for plan in change.plans)
        return Judgement(statement, True if known and not change.prerequisites else None)
    names = sorted({each.service for _, each in touched})
    first = touched[0][1]
    return Judgement(
        statement,
        False,
        about=("no-effect", *names),
        says=f"The text says {code(statement.quote)}, but the deploy touches {codes(names)}: {first.cause}.",
        do="Say in the text what the deploy does.",
        evidence=tuple(Related(each.at, f"{code(each.service)}: {each.cause}") for _, each in touched if each.at),
    )


def frees(statement: Statement, change: Change) -> Judgement:
    """False when what the plan keeps, though the file no longer starts it, still holds the device."""
    wanted = set(re.findall(r"\d+", statement.claim.subject))
    kind = "gpu" if statement.claim.subject.lower().startswith(("gpu", "device")) else "port"
    for plan in change.plans:
        for each in plan.operations:
            if plan.kind is PlanKind.WARM and each.verb is Verb.KEEP_UNMANAGED:
                held = _held(change, plan, each, kind) & wanted
                if held:
                    return _held_judgement(statement, each, sorted(held), kind)
    return Judgement(statement, None)


def _needs(statement: Statement, needed: Prerequisite) -> Judgement:
    return Judgement(
        statement,
        False,
        about=("no-effect", needed.text),
        says=f"The text says {code(statement.quote)}, but now {needed.text}, or every command on {code(needed.at.file)} fails.",
        do="Say in the text what every host needs.",
        evidence=(Related(needed.at, "needed everywhere"),),
    )


def _affects(plan: Plan, each: Operation) -> bool:
    if plan.kind is PlanKind.WARM:
        return each.verb in _EFFECTS and not (each.verb is Verb.RERUN and not each.changed)
    return plan.kind is PlanKind.SWITCH and each.verb is Verb.REMOVE_ORPHAN


def _held(change: Change, plan: Plan, each: Operation, kind: str) -> set[str]:
    project = change.base.project_of(change.home(plan.path))
    service = project.services.get(each.service) if project is not None else None
    if service is None:
        return set()
    if kind == "gpu":
        return {device for reservation in service.reservations for device in reservation.device_ids}
    return {port.published for port in service.ports if port.published}


def _held_judgement(statement: Statement, each: Operation, held: list[str], kind: str) -> Judgement:
    name = code(each.service)
    thing = f"{'GPU' if kind == 'gpu' else 'port'} {', '.join(held)}"
    return Judgement(
        statement,
        False,
        about=("frees", each.service, *held),
        says=f"The text says {code(statement.quote)}, but {name} keeps running and keeps {thing}: {each.cause}.",
        do=f"Stop {name} by hand as part of the deploy, and say so.",
        evidence=(Related(each.at, f"{name} holds {thing}"),) if each.at else (),
    )
