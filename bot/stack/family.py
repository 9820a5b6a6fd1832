"""Who belongs together: the parent of a pull request, its children, and the branch all of it should end on."""

from __future__ import annotations

import re

from bot.model.pull import Pull, PullRef, PullState
from bot.stack.ancestry import Ancestry
from bot.stack.names import is_tool_made, is_trunk

# Open before merged before closed: branch names are used again.
_ORDER = (PullState.OPEN, PullState.MERGED, PullState.CLOSED)
_AFTER = re.compile(
    r"\b(?:merge[sd]?|land(?:s|ed)?|deploy(?:s|ed)?|review)\s+(?:only\s+|this\s+|it\s+)*after\s+#(\d+)"
    r"|\b(?:depends\s+on|blocked\s+by|stacked\s+on|builds\s+on|based\s+on)\s+#(\d+)"
    r"|\b(?:needs|requires)\s+#(\d+)\s+(?:first|to\s+be\s+merged)",
    re.IGNORECASE,
)


def parent_of(pull: Pull, git: Ancestry) -> PullRef | None:
    """The pull request this one is built on: by its base branch, else by the commits it contains."""
    if is_tool_made(pull.base_ref):
        tip = git.tip(pull.base_ref)
        others = [each for each in pull.parents if each.state is PullState.OPEN]
        return next((each for each in others if each.head_sha and each.head_sha in (tip, pull.base_sha)), None)
    if is_trunk(pull.base_ref, pull.repository.default_branch):
        return _implicit(pull, git)
    named = [each for each in pull.parents if each.head_ref == pull.base_ref and not each.head_repository]
    return min(named, key=lambda each: (_ORDER.index(each.state), -each.number), default=None)


def _implicit(pull: Pull, git: Ancestry) -> PullRef | None:
    """Of those whose head this one contains, the one that contains the most: its nearest neighbour."""
    best: PullRef | None = None
    for each in pull.implicit:
        if each.number == pull.number or each.state is PullState.CLOSED or not each.head_sha:
            continue
        if not git.has(each.head_sha) or not pull.head_sha or not git.is_ancestor(each.head_sha, pull.head_sha):
            continue
        if best is None or git.is_ancestor(best.head_sha, each.head_sha):
            best = each
    return best


def children_of(pull: Pull) -> tuple[PullRef, ...]:
    """The pull requests that target this one's branch. A fork's branch of the same name has none here."""
    if pull.from_fork or is_trunk(pull.head_ref, pull.repository.default_branch):
        return ()
    return tuple(each for each in pull.children if each.base_ref == pull.head_ref and each.number != pull.number)


def trunk_of(parent: PullRef | None, others: tuple[PullRef, ...], default: str) -> str:
    """Where a child of this parent should end: its base, and on from there while that is merged too."""
    if parent is None:
        return default
    base, seen = parent.base_ref, {parent.head_ref}
    while not is_trunk(base, default) and base not in seen:
        seen.add(base)
        above = next((each for each in others if each.head_ref == base and each.state is not PullState.CLOSED), None)
        if above is None or above.state is PullState.OPEN:
            return base
        base = above.base_ref
    return base or default


def comes_after(pull: Pull) -> tuple[int, ...]:
    """Pull requests that the author says must come first."""
    found = [int(next(filter(None, each.groups()))) for _, text in pull.texts for each in _AFTER.finditer(text)]
    return tuple(dict.fromkeys(number for number in found if number != pull.number))
