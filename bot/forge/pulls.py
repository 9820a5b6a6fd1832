"""One pull request as GitHub has it now: facts, neighbours, our comments, threads, other checks."""

from __future__ import annotations

from urllib.parse import quote

from msgspec.structs import replace

from bot.forge.client import Client
from bot.forge.errors import ForgeError, Missing
from bot.forge.neighbours import STATES, approvals, former_bases, listed, old_heads, orphaned, ref_of
from bot.forge.queries import COMMENTS, NEIGHBOURS, PULL, SWEEP
from bot.intake.json_fields import Fields
from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.model.remote import Account, Comment, Landing, Now, OtherCheck, Remote, Swept, Thread
from bot.model.request import Request

MAX_PAGES = 30  # of a hundred comments each: more than any conversation that people still read


class Pulls:
    """Pull requests of one repository. `server` is what links begin with."""

    def __init__(self, client: Client, repository: str, server: str) -> None:
        self._client, self._repository, self._server = client, repository, server
        owner, _, name = repository.partition("/")
        self._names = {"owner": owner, "name": name}

    def read(self, request: Request, number: int) -> Remote:
        """Everything a review needs to know, in one call, or two when the event did not name the branches."""
        told = {"base": request.base_ref, "head": request.head_ref}
        data = Fields(self._client.graphql(PULL, {**self._names, "number": number, **told}), [])
        repository = data.inner("repository") or Fields({}, [])
        found = repository.inner("pullRequest")
        if found is None:
            raise Missing(f"pull request {number} of {self._repository}")
        live = {"base": found.text("baseRefName"), "head": found.text("headRefName")}
        around = repository
        if live != told:
            answer = Fields(self._client.graphql(NEIGHBOURS, {**self._names, **live}), [])
            around = answer.inner("repository") or Fields({}, [])
        pull = _pull(found, self._facts(repository))
        pull = replace(pull, trigger=request.trigger, native_stack=bool(request.native_stack))
        pull = replace(pull, parents=listed(around, "parents", pull), children=listed(around, "children", pull))
        return Remote(
            pull=pull,
            account=Account(data.text("viewer.login")),
            comments=tuple(self._comments(found, number)),
            threads=_threads(found),
            checks=_checks(found),
            landing=_landing(found, pull),
            node=found.text("id"),
            tips=_tips(found, repository, pull),
            former_bases=former_bases(found),
            thumb=any(
                each.text("content") == "THUMBS_UP" and each.flag("viewerHasReacted")
                for each in found.inner_list("reactionGroups")
            ),
        )

    def conversation(self, number: int) -> tuple[Now, Account, tuple[Comment, ...]]:
        """The pull request's head and base, and its comments on all pages, as they are at this moment."""
        data = Fields(self._client.graphql(COMMENTS, {**self._names, "number": number, "after": None}), [])
        found = data.inner("repository.pullRequest")
        if found is None:
            raise Missing(f"pull request {number} of {self._repository}")
        now = Now(found.text("headRefOid"), found.text("baseRefName"), found.text("state") == "OPEN")
        return now, Account(data.text("viewer.login")), tuple(self._comments(found, number))

    def sweep(self) -> Swept:
        """Open pull requests, and the comments that we left on those merged lately."""
        data = Fields(self._client.graphql(SWEEP, self._names), [])
        found = data.inner("repository") or Fields({}, [])
        return Swept(
            account=Account(data.text("viewer.login")),
            default_branch=found.text("defaultBranchRef.name") or "main",
            open=tuple(
                (each.number("number") or 0, each.text("baseRefName")) for each in found.inner_list("open.nodes")
            ),
            merged=tuple(
                (each.number("number") or 0, tuple(_comment(node) for node in each.inner_list("comments.nodes")))
                for each in found.inner_list("merged.nodes")
            ),
        )

    def native(self, number: int) -> bool:
        """Whether GitHub itself keeps the stack that a pull request is in: only REST tells."""
        answer = Fields(self._client.get(f"/repos/{self._repository}/pulls/{number}"), [])
        return answer.inner("stack") is not None

    def protected(self, branch: str) -> bool:
        """Whether a branch is protected, as branches are that live on."""
        try:
            answer = self._client.get(f"/repos/{self._repository}/branches/{quote(branch, safe='')}")
        except ForgeError:
            return False
        return bool(Fields(answer if isinstance(answer, dict) else {}, []).flag("protected"))

    def _comments(self, found: Fields, number: int) -> list[Comment]:
        comments: list[Comment] = []
        for _ in range(MAX_PAGES):
            page = found.inner("comments") or Fields({}, [])
            comments.extend(_comment(each) for each in page.inner_list("nodes"))
            if not page.flag("pageInfo.hasNextPage"):
                break
            after = {**self._names, "number": number, "after": page.text("pageInfo.endCursor")}
            found = Fields(self._client.graphql(COMMENTS, after), []).inner("repository.pullRequest") or Fields({}, [])
        return comments

    def _facts(self, repository: Fields) -> Repository:
        return Repository(
            full_name=repository.text("nameWithOwner") or self._repository,
            default_branch=repository.text("defaultBranchRef.name") or "main",
            server=self._server,
            delete_branch_on_merge=repository.flag("deleteBranchOnMerge"),
            allow_merge_commit=repository.flag("mergeCommitAllowed"),
            allow_squash_merge=repository.flag("squashMergeAllowed"),
            allow_rebase_merge=repository.flag("rebaseMergeAllowed"),
        )


def _pull(found: Fields, repository: Repository) -> Pull:
    return Pull(
        number=found.number("number"),
        title=found.text("title"),
        body=found.text("body"),
        author=found.text("author.login"),
        draft=bool(found.flag("isDraft")),
        labels=tuple(each.text("name") for each in found.inner_list("labels.nodes")),
        base_ref=found.text("baseRefName"),
        head_ref=found.text("headRefName"),
        # Of a branch that is gone, GitHub still knows where it stood when the pull request was last brought up to date.
        base_sha=found.text("baseRef.target.oid", "baseRefOid"),
        head_sha=found.text("headRefOid"),
        from_fork=bool(found.flag("isCrossRepository")),
        state=STATES.get(found.text("state"), PullState.OPEN),
        repository=repository,
        implicit=_implicit(found, repository),
        merge_sha=found.text("mergeCommit.oid"),
        auto_merge=found.inner("autoMergeRequest") is not None,
        approvals=approvals(found),
        orphaned=orphaned(found),
        old_heads=old_heads(found),
        oldest=_oldest(found).text("oid"),
    )


def _oldest(found: Fields) -> Fields:
    nodes = found.inner_list("oldest.nodes")
    return (nodes[0].inner("commit") if nodes else None) or Fields({}, [])


def _implicit(found: Fields, repository: Repository) -> tuple[PullRef, ...]:
    """Who else holds the first commit that GitHub lists for it."""
    nodes = _oldest(found).inner_list("associatedPullRequests.nodes")
    others = [ref_of(each, repository.full_name) for each in nodes]
    return tuple(each for each in others if each.number != found.number("number"))


def _tips(found: Fields, repository: Fields, pull: Pull) -> dict[str, str]:
    """Where branches stand now, empty for one that is gone."""
    base = found.text("baseRef.target.oid")
    tips = {pull.repository.default_branch: repository.text("defaultBranchRef.target.oid")}
    return {name: sha for name, sha in tips.items() if sha} | {pull.base_ref: base}


def _comment(node: Fields) -> Comment:
    return Comment(
        id=node.number("databaseId") or 0,
        author=node.text("author.login"),
        body=node.text("body"),
        editor=node.text("editor.login"),
        url=node.text("url"),
    )


def _threads(found: Fields) -> tuple[Thread, ...]:
    threads = []
    for node in found.inner_list("reviewThreads.nodes"):
        first = next(iter(node.inner_list("comments.nodes")), Fields({}, []))
        threads.append(
            Thread(
                id=node.text("id"),
                path=node.text("path"),
                body=first.text("body"),
                author=first.text("author.login"),
                resolved=bool(node.flag("isResolved")),
                outdated=bool(node.flag("isOutdated")),
                replies=max((node.number("comments.totalCount") or 1) - 1, 0),
            )
        )
    return tuple(threads)


def _checks(found: Fields) -> tuple[OtherCheck, ...]:
    commit = next(iter(found.inner_list("commits.nodes")), Fields({}, []))
    checks = []
    for node in commit.inner_list("commit.statusCheckRollup.contexts.nodes"):
        name = node.text("context", "name")
        state = (node.text("state", "conclusion") or node.text("status")).lower()
        checks.append(OtherCheck(name, state, node.text("description")))
    return tuple(checks)


def _landing(found: Fields, pull: Pull) -> Landing:
    """GitHub's test merge, if it is one of the base and the head we judge."""
    parents = [each.text("oid") for each in found.inner_list("potentialMergeCommit.parents.nodes")]
    fits = parents == [pull.base_sha, pull.head_sha]
    return Landing(
        commit=found.text("potentialMergeCommit.oid") if fits else "",
        conflicting=found.text("mergeable") == "CONFLICTING",
    )
