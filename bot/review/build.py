"""A round to a review: everything that the pages show, worked out once."""

from __future__ import annotations

import re

from bot.model.change import Change
from bot.model.finding import Findings
from bot.model.plan import Plan, PlanKind, Verb
from bot.model.review import Review, Round, Stack, Targeted, verdict_of
from bot.review.deploy import happens
from bot.review.summary import summarise

# Only names that no shell can take for anything else are printed in a command.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+@-]*")
_STAYS = frozenset({Verb.KEEP_STALE, Verb.KEEP_UNMANAGED})
_STARTS = frozenset({Verb.CREATE, Verb.RECREATE, Verb.RERUN})


def build(
    change: Change,
    found: Findings,
    round_: Round,
    *,
    base_name: str = "",
    head_name: str = "",
    stack: Stack | None = None,
) -> Review:
    """`found` is this run's own result, gaps of reading among them; `round_` is what `rounds.advance` made of it."""
    pull = change.pull
    return Review(
        verdict=verdict_of(found, change.conflicts, stack),
        round=round_.number,
        repository=pull.repository,
        number=pull.number,
        base_name=pull.base_ref or base_name,
        head_name=pull.head_ref or head_name,
        base_sha=pull.base_sha,
        head_sha=pull.head_sha,
        draft=pull.draft,
        summary=summarise(change),
        findings=round_.findings,
        resolved=round_.resolved,
        not_rechecked=round_.not_rechecked,
        ignored=round_.ignored,
        excluded=found.excluded,
        plans=change.plans,
        targeted=targeted(change.plans),
        prerequisites=change.prerequisites,
        stack=stack or Stack(),
        checks=found.checks,
        gaps=found.gaps,
        crashes=found.crashes,
        conflicts=change.conflicts,
        inherited=found.inherited,
        activity=round_.activity,
        note=round_.note,
    )


def targeted(plans: tuple[Plan, ...]) -> Targeted | None:
    """The command for the one service that the deploy of every file touches, where there is just one."""
    touched = [
        (plan, operation)
        for plan in plans
        for operation in plan.operations
        if plan.kind is PlanKind.WARM and happens(operation) and operation.verb not in _STAYS
    ]
    flags = list(dict.fromkeys(plan.flags for plan, _ in touched))
    files = {file for plan, _ in touched for file in plan.together or (plan.path,)}
    services = {operation.service for _, operation in touched}
    if len(services) != 1 or any(operation.verb not in _STARTS for _, operation in touched):
        return None
    if not all(_PLAIN.fullmatch(name) for name in (*services, *files)):
        return None
    (service,) = services
    return Targeted(service, f"docker compose {flags[0] if len(flags) == 1 else '-f <file>'} up -d {service}")
