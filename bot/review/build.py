"""A round to a review: everything that the pages show, worked out once."""

from __future__ import annotations

import re

from bot.model.change import Change
from bot.model.finding import Findings
from bot.model.plan import Plan, PlanKind, Verb
from bot.model.review import Review, Round, Stack, Targeted, verdict_of
from bot.review.summary import summarise

# Only names that no shell can take for anything else are printed in a command.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+@-]*")
_STAYS = frozenset({Verb.KEEP, Verb.KEEP_STALE, Verb.KEEP_UNMANAGED})


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
    warm = [plan for plan in plans if plan.kind is PlanKind.WARM]
    touched = {operation.service for plan in warm for operation in plan.operations if operation.verb not in _STAYS}
    paths = [plan.path for plan in warm if len(plan.of(*_STAYS)) < len(plan.operations)]
    if len(touched) != 1 or not all(_PLAIN.fullmatch(name) for name in (*touched, *paths)):
        return None
    (service,) = touched
    file = paths[0] if len(paths) == 1 else "<file>"
    return Targeted(service, f"docker compose -f {file} up -d {service}")
