"""A branch of a clone as if it were a pull request, and the branches it stands on or carries."""

from __future__ import annotations

from bot.local.failure import WrongRequest
from bot.local.repository import Repository
from bot.model.pull import Pull, PullRef, PullState
from bot.model.pull import Repository as Home

MAX_BRANCHES = 300


def pull_of_branch(repository: Repository, name: str | None) -> Pull:
    """The branch that is checked out when none is named. Pull requests are not known: numbers are 0."""
    default = repository.default_branch
    trunk = default.name if default is not None else "main"
    head_ref = name or repository.branch_of("HEAD")
    if not head_ref:
        raise WrongRequest("no branch is checked out here: name one with --branch")
    head = repository.commit(name or "HEAD")
    others = {
        branch: sha
        for branch, sha in repository.branches()[:MAX_BRANCHES]
        if branch not in (head_ref, trunk) and sha != head
    }
    contained, containing = [], []
    for branch, sha in others.items():
        bases = repository.merge_bases(sha, head)
        ref = PullRef(0, "", PullState.OPEN, "", trunk, branch, sha)
        if sha in bases:
            contained.append(ref)
        elif head in bases:
            containing.append(PullRef(0, "", PullState.OPEN, "", head_ref, branch, sha))
    return Pull(
        head_ref=head_ref,
        head_sha=head,
        base_ref=trunk,
        repository=Home(default_branch=trunk),
        implicit=tuple(contained),
        children=tuple(containing),
    )
