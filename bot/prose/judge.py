"""Statements against the model: confirmed, contradicted, or left alone where they cannot be decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.model.change import Change
from bot.model.prose import ClaimKind, Judgement, Medium, Statement
from bot.prose.effects import frees, no_effect
from bot.prose.every import every
from bot.prose.everywhere import everywhere
from bot.prose.unchanged import comments_only, exactly_once, no_change, unaffected

_JUDGES: Mapping[ClaimKind, Callable[[Statement, Change], Judgement]] = {
    ClaimKind.EVERY: every,
    ClaimKind.EVERYWHERE: everywhere,
    ClaimKind.NO_CHANGE: no_change,
    ClaimKind.UNAFFECTED: unaffected,
    ClaimKind.COMMENTS_ONLY: comments_only,
    ClaimKind.EXACTLY_ONCE: exactly_once,
    ClaimKind.NO_EFFECT: no_effect,
    ClaimKind.FREES: frees,
}


def judge(change: Change) -> tuple[Judgement, ...]:
    """Every statement of the change, judged.

    What is written in the files was also written for other days: of it only claims about sets are held
    against the model; what a pull request's text says is about this change, and all of it is.
    """
    found = []
    for statement in change.statements:
        judged = _JUDGES.get(statement.claim.kind)
        if judged is None or (
            statement.medium is not Medium.PULL_REQUEST and statement.claim.kind is not ClaimKind.EVERY
        ):
            found.append(Judgement(statement, None))
        else:
            found.append(judged(statement, change))
    return tuple(found)
