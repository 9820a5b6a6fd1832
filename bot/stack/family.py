"""Who belongs together: the parent of a pull request, its children, and the branch all of it should end on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.stack.ancestry import Ancestry
from bot.stack.cut import find_cut
from bot.stack.names import is_tool_made, is_trunk

# Open before merged before closed: branch names are used again.
_ORDER = (PullState.OPEN, PullState.MERGED, PullState.CLOSED)
_AFTER = re.compile(
    r"\b(?:merge[sd]?|land(?:s|ed)?|deploy(?:s|ed)?|review)\s+(?:only\s+|this\s+|it\s+)*after\s+#(\d+)"
    r"|\b(?:depends\s+on|blocked\s+by|stacked\s+on|builds\s+on|based\s+on)\s+#(\d+)"
    r"|\b(?:needs|requires)\s+#(\d+)\s+(?:first|to\s+be\s+merged)",
    re.IGNORECASE,
)
MAX_IMPLICIT = 4  # each costs questions to GitHub
MAX_LINE = 8
MAX_LATER = 3  # whose trees are worth reading


def parent_of(pull: Pull, git: Ancestry) -> PullRef | None:
    """The pull request this one is built on: by its base branch, else by the commits it contains."""
    if is_tool_made(pull.base_ref):
        tip = git.tip(pull.base_ref)
        others = [each for each in pull.parents if each.state is PullState.OPEN]
        return next((each for each in others if each.head_sha and each.head_sha in (tip, pull.base_sha)), None)
    if is_trunk(pull.base_ref, pull.repository):
        return _implicit(pull, git)
    named = [each for each in pull.parents if each.head_ref == pull.base_ref and not each.head_repository]
    found = min(named, key=lambda each: (_ORDER.index(each.state), -each.number), default=None)
    if found is not None and found.state is not PullState.OPEN and _used_again(found, pull, git):
        return None
    return found


def _used_again(parent: PullRef, pull: Pull, git: Ancestry) -> bool:
    """Whether the branch lives a second life since that pull request ended, with commits of its own."""
    tip, trunk = git.tip(pull.base_ref), git.tip(parent.base_ref)
    if not tip or not trunk or tip == parent.head_sha or not git.has(parent.head_sha):
        return False
    went_on = git.is_ancestor(parent.head_sha, tip) is not False
    if went_on and not (parent.merge_sha and git.is_ancestor(parent.merge_sha, tip)):
        return False
    new = git.commits(tip, (trunk, parent.head_sha))
    return any(not each.merge for each in new or ())


def _implicit(pull: Pull, git: Ancestry) -> PullRef | None:
    """Of those whose commits this one carries, the one whose carried commits reach furthest: its nearest neighbour."""
    best: tuple[PullRef, str] | None = None
    for each in [each for each in pull.implicit if each.number != pull.number or not each.number][:MAX_IMPLICIT]:
        reached = _carried(each, pull, git)
        if reached and (best is None or (best[1] != reached and git.is_ancestor(best[1], reached))):
            best = each, reached
    return best[0] if best is not None else None


def _carried(other: PullRef, pull: Pull, git: Ancestry) -> str:
    """The last commit of the other that this one carries and the trunk has not; empty when this is no child of it."""
    if other.state is PullState.CLOSED or not other.head_sha or not git.has(other.head_sha) or not pull.head_sha:
        return ""
    if other.state is PullState.OPEN and not _first(other, pull, git):
        return ""
    trunk = git.tip(pull.base_ref)
    cut = find_cut(git, other, pull.head_sha, trunk) if trunk else None
    return cut.commit if cut is not None and cut.parents else ""


def _first(other: PullRef, pull: Pull, git: Ancestry) -> bool:
    """Which of two open ones is the parent: whoever is within the other; the older one, where they share a beginning."""
    older = 0 < other.number < (pull.number or 0)
    if other.head_sha == pull.head_sha:
        return older
    if git.is_ancestor(other.head_sha, pull.head_sha):
        return True
    return older and git.is_ancestor(pull.head_sha, other.head_sha) is False


def children_of(pull: Pull) -> tuple[PullRef, ...]:
    """The pull requests that target this one's branch. A fork's branch of the same name has none here."""
    if pull.from_fork or is_trunk(pull.head_ref, pull.repository):
        return ()
    return tuple(each for each in pull.children if each.base_ref == pull.head_ref and each.number != pull.number)


def later_parts(pull: Pull, git: Ancestry) -> tuple[PullRef, ...]:
    """Open pull requests that hold all of this one and build on it, the nearest first."""
    open_ = [each for each in (*children_of(pull), *pull.line) if each.state is PullState.OPEN]
    return tuple(
        each
        for each in open_[:MAX_LATER]
        if each.head_sha and git.has(each.head_sha) and git.is_ancestor(pull.head_sha, each.head_sha)
    )


def line_of(first: PullRef, known: Sequence[PullRef], git: Ancestry) -> tuple[PullRef, ...]:
    """What builds on this one in a straight line, each on the tip of the one before; empty when it branches."""
    found: list[PullRef] = []
    above = first
    while len(found) < MAX_LINE:
        on_it = [
            each
            for each in known
            if each.base_ref == above.head_ref and each.state is PullState.OPEN and each.head_ref != above.head_ref
        ]
        if not on_it:
            return tuple(found)
        (below, *others) = on_it
        if others or below in found or below.head_repository or not below.head_sha:
            return ()
        if not git.is_ancestor(above.head_sha, below.head_sha):
            return ()
        found.append(below)
        above = below
    return ()


def trunk_of(parent: PullRef | None, others: tuple[PullRef, ...], home: Repository) -> str:
    """Where a child of this parent should end: its base, and on from there while that is merged too."""
    if parent is None:
        return home.default_branch
    base, seen = parent.base_ref, {parent.head_ref}
    while not is_trunk(base, home) and base not in seen:
        seen.add(base)
        on_it = [each for each in others if each.head_ref == base and each.state is not PullState.CLOSED]
        above = min(on_it, key=lambda each: (_ORDER.index(each.state), -each.number), default=None)
        if above is None or above.state is PullState.OPEN:
            return base
        base = above.base_ref
    return base or home.default_branch


def comes_after(pull: Pull) -> tuple[int, ...]:
    """Pull requests that the author says must come first."""
    found = [int(next(filter(None, each.groups()))) for _, text in pull.texts for each in _AFTER.finditer(text)]
    return tuple(dict.fromkeys(number for number in found if number != pull.number))
