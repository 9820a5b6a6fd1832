"""One pull request as GitHub has it now: facts, neighbours, our comments, threads, other checks."""

from __future__ import annotations

from dataclasses import replace

from bot.forge.client import Client
from bot.forge.errors import Missing
from bot.forge.queries import COMMENTS, NEIGHBOURS, PULL
from bot.intake.json_fields import Fields
from bot.model.pull import Pull, PullRef, PullState, Repository
from bot.model.remote import Account, Comment, Landing, Now, OtherCheck, Remote, Thread
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
        pull = replace(
            pull, parents=_neighbours(around, "parents", pull), children=_neighbours(around, "children", pull)
        )
        return Remote(
            pull=pull,
            account=Account(data.text("viewer.login")),
            comments=tuple(self._comments(found, number)),
            threads=_threads(found),
            checks=_checks(found),
            landing=_landing(found, pull),
            node=found.text("id"),
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
        base_sha=found.text("baseRef.target.oid"),
        head_sha=found.text("headRefOid"),
        from_fork=bool(found.flag("isCrossRepository")),
        state=_STATES.get(found.text("state"), PullState.OPEN),
        repository=repository,
    )


_STATES = {"OPEN": PullState.OPEN, "CLOSED": PullState.CLOSED, "MERGED": PullState.MERGED}


def _neighbours(around: Fields, name: str, pull: Pull) -> tuple[PullRef, ...]:
    """Those that are stacked with this one: of this repository, unless a fork's branch only has the same name."""
    found = []
    for each in around.inner_list(f"{name}.nodes"):
        home = each.text("headRepository.nameWithOwner")
        foreign = bool(home) and home.lower() != pull.repository.full_name.lower()
        if each.number("number") == pull.number or (name == "parents" and foreign):
            continue
        found.append(
            PullRef(
                number=each.number("number") or 0,
                title=each.text("title"),
                state=_STATES.get(each.text("state"), PullState.OPEN),
                author=each.text("author.login"),
                base_ref=each.text("baseRefName"),
                head_ref=each.text("headRefName"),
                head_sha=each.text("headRefOid"),
                head_repository=home if foreign else "",
            )
        )
    # What targets the default branch from it, or a fork's `main`, is no stack: only a branch of its own can be built on.
    trunk = pull.base_ref if name == "parents" else pull.head_ref
    return () if trunk == pull.repository.default_branch or (name == "children" and pull.from_fork) else tuple(found)


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
        checks.append(OtherCheck(name, (node.text("state", "conclusion") or node.text("status")).lower()))
    return tuple(checks)


def _landing(found: Fields, pull: Pull) -> Landing:
    """GitHub's test merge, if it is one of the base and the head we judge."""
    parents = [each.text("oid") for each in found.inner_list("potentialMergeCommit.parents.nodes")]
    fits = parents == [pull.base_sha, pull.head_sha]
    return Landing(
        commit=found.text("potentialMergeCommit.oid") if fits else "",
        conflicting=found.text("mergeable") == "CONFLICTING",
    )
