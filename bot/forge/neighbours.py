"""Pull requests around one: as GraphQL tells them, and as the stack room knows them."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from bot.forge.client import Client
from bot.forge.queries import AROUND, HOLDING
from bot.intake.json_fields import Fields
from bot.model.pull import Pull, PullRef, PullState

STATES = {"OPEN": PullState.OPEN, "CLOSED": PullState.CLOSED, "MERGED": PullState.MERGED}
MAX_STEPS = 3  # up or down a stack, one call each
_NOTHING = Fields({}, [])
_SAME_MOMENT = 60  # seconds between the deletion of a base and the closing that it caused


def ref_of(each: Fields, repository: str) -> PullRef:
    home = each.text("headRepository.nameWithOwner")
    return PullRef(
        number=each.number("number") or 0,
        title=each.text("title"),
        state=STATES.get(each.text("state"), PullState.OPEN),
        author=each.text("author.login"),
        base_ref=each.text("baseRefName"),
        head_ref=each.text("headRefName"),
        head_sha=each.text("headRefOid"),
        head_repository=home if home and home.lower() != repository.lower() else "",
        merge_sha=each.text("mergeCommit.oid"),
        auto_merge=each.inner("autoMergeRequest") is not None,
        queued=bool(each.flag("isInMergeQueue")),
        old_heads=old_heads(each),
        approvals=approvals(each),
        orphaned=orphaned(each),
    )


def old_heads(each: Fields) -> tuple[str, ...]:
    found = [event.text("beforeCommit.oid") for event in each.inner_list("timelineItems.nodes")]
    return tuple(dict.fromkeys(sha for sha in found if sha))


def former_bases(each: Fields) -> tuple[str, ...]:
    found = [event.text("previousRefName", "oldBase") for event in each.inner_list("timelineItems.nodes")]
    return tuple(dict.fromkeys(name for name in reversed(found) if name))


def approvals(each: Fields) -> int:
    return [node.text("state") for node in each.inner_list("latestOpinionatedReviews.nodes")].count("APPROVED")


def orphaned(each: Fields) -> bool:
    """Whether it was closed in the moment in which its base was deleted."""
    closed = _time(each.text("closedAt"))
    events = [event for event in each.inner_list("timelineItems.nodes") if event.has("createdAt")]
    moments = [_time(event.text("createdAt")) for event in events]
    return closed is not None and any(at is not None and abs(at - closed) <= _SAME_MOMENT for at in moments)


def listed(around: Fields, name: str, pull: Pull) -> tuple[PullRef, ...]:
    """Those that are stacked with this one: of this repository, unless a fork's branch only has the same name."""
    found = [ref_of(each, pull.repository.full_name) for each in around.inner_list(f"{name}.nodes")]
    found = [each for each in found if each.number != pull.number and not (name == "parents" and each.head_repository)]
    # What targets the default branch from it, or a fork's `main`, is no stack: only a branch of its own can be built on.
    trunk = pull.base_ref if name == "parents" else pull.head_ref
    return () if trunk == pull.repository.default_branch or (name == "children" and pull.from_fork) else tuple(found)


class Further:
    """What stands further up and down than the neighbours: asked for only where there is a stack."""

    def __init__(self, client: Client, repository: str) -> None:
        self._client, self._repository = client, repository
        owner, _, name = repository.partition("/")
        self._names = {"owner": owner, "name": name}

    def up(self, pull: Pull) -> Pull:
        """With the parents of parents that have ended: a child of those must go further than to its parent's base."""
        known = {each.number: each for each in pull.parents}
        base = next((each.base_ref for each in pull.parents if each.state is not PullState.OPEN), "")
        for _ in range(MAX_STEPS):
            if not base or base == pull.repository.default_branch:
                break
            found = [each for each in self._starting(base) if not each.head_repository]
            known |= {each.number: each for each in found}
            base = next((each.base_ref for each in found if each.state is not PullState.OPEN), "")
        return replace(pull, parents=tuple(known.values()))

    def down(self, pull: Pull) -> Pull:
        """With the line that builds on the only child."""
        open_ = [each for each in pull.children if each.state is PullState.OPEN]
        line: list[PullRef] = []
        while len(open_) == 1 and len(line) < MAX_STEPS:
            answer = self._ask(open_[0].head_ref)
            open_ = [ref_of(each, self._repository) for each in answer.inner_list("children.nodes")]
            line += open_
        return replace(pull, line=tuple(line))

    def beneath(self, pull: Pull, tip: str) -> Pull:
        """With those whose head is where a base of a tool's making stands: such a base is nobody's head by name."""
        answer = Fields(self._client.graphql(HOLDING, {**self._names, "commit": tip}), [])
        nodes = answer.inner_list("repository.object.associatedPullRequests.nodes")
        found = [ref_of(each, self._repository) for each in nodes]
        return replace(pull, parents=(*pull.parents, *(each for each in found if each.number != pull.number)))

    def before(self, pull: Pull, former: tuple[str, ...]) -> Pull:
        """With those that start from a base it had before: it may still carry their commits."""
        found: dict[int, PullRef] = {each.number: each for each in pull.implicit}
        for branch in [each for each in former if each not in (pull.repository.default_branch, pull.base_ref)][:2]:
            found |= {each.number: each for each in self._starting(branch) if not each.head_repository}
        return replace(pull, implicit=tuple(found.values()))

    def _starting(self, branch: str) -> list[PullRef]:
        return [ref_of(each, self._repository) for each in self._ask(branch).inner_list("parents.nodes")]

    def _ask(self, branch: str) -> Fields:
        answer = Fields(self._client.graphql(AROUND, {**self._names, "branch": branch}), [])
        return answer.inner("repository") or _NOTHING


def _time(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).timestamp() if text else None
    except ValueError:
        return None
