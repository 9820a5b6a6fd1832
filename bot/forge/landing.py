"""Base and what would land, through the API: GitHub's own test merge where it has one of these two commits."""

from __future__ import annotations

from bot.forge.client import Client
from bot.forge.prefetch import likely
from bot.forge.trees import Blobs, ForgeTree
from bot.model.finding import Gap
from bot.model.pull import Pull
from bot.model.remote import Landing
from bot.ports import Reading


def read_landing(client: Client, pull: Pull, landing: Landing) -> Reading:
    """The trees of a pull request. What could not be told of the merge is a gap."""
    if landing.commit:
        return _reading(client, pull, pull.base_sha, landing.commit)
    base = _merge_base(client, pull.repository.full_name, pull.base_sha, pull.head_sha)
    gaps = (_untold(pull, landing),) if base != pull.base_sha else ()
    return _reading(client, pull, base, pull.head_sha, gaps)


def read_span(client: Client, pull: Pull) -> Reading:
    """Two commits as they are: a merge group's head has its base in it already."""
    return _reading(client, pull, pull.base_sha, pull.head_sha)


def _reading(client: Client, pull: Pull, base: str, head: str, gaps: tuple[Gap, ...] = ()) -> Reading:
    repository = pull.repository.full_name
    known = Blobs(client, repository)
    sides = ForgeTree(client, repository, base, known), ForgeTree(client, repository, head, known)
    # Listed and fetched now, so that an error ends the reading and not the review.
    known.many(likely([*sides[0].entries.values(), *sides[1].entries.values()]))
    return Reading(
        pull=pull,
        base=sides[0],
        head=sides[1],
        base_name=pull.base_ref,
        head_name=pull.head_ref,
        gaps=(*gaps, *sides[0].gaps, *sides[1].gaps),
    )


def _merge_base(client: Client, repository: str, base: str, head: str) -> str:
    answer = client.get(f"/repos/{repository}/compare/{base}...{head}", per_page=1)
    return str(answer["merge_base_commit"]["sha"])


def _untold(pull: Pull, landing: Landing) -> Gap:
    why = "GitHub reports a conflict" if landing.conflicting else "GitHub has not merged it for a test yet"
    return Gap("what would land", f"{why} with {pull.base_ref}; head is reviewed against where it left that branch")
