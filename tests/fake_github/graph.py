"""The GraphQL half, executed by graphql-core on a part of GitHub's schema."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from graphql import DocumentNode, GraphQLError, GraphQLSchema, build_schema, execute_sync, parse, validate

from tests.fake_github.state import Comment, GitHub, Pull, Thread

SDL = Path(__file__).with_name("schema.graphql")


@cache
def schema() -> GraphQLSchema:
    return build_schema(SDL.read_text())


@cache
def _document(query: str) -> tuple[DocumentNode, list[GraphQLError]]:
    """A document and what is wrong with it: the same few come again and again."""
    document = parse(query)
    return document, list(validate(schema(), document))


def execute(hub: GitHub, query: str, variables: dict[str, Any]) -> dict[str, Any]:
    """The answer as GitHub's endpoint gives it: always 200, faults among `errors`."""
    document, faults = _document(query)
    if faults:
        return {"errors": [{"message": each.message} for each in faults]}
    result = execute_sync(schema(), document, _Root(hub), variable_values=variables, type_resolver=_type)
    found: dict[str, Any] = {"data": result.data}
    if result.errors:
        found["errors"] = [
            {"type": str((each.extensions or {}).get("type", "")), "message": each.message} for each in result.errors
        ]
    return found


def _type(value: Any, *_: Any) -> str | None:
    if isinstance(value, _Commit):
        return "Commit"
    return value.get("__typename") if isinstance(value, dict) else None


def _actor(login: str) -> dict[str, Any]:
    """GraphQL names a program's account without the suffix that REST gives it."""
    return {"__typename": "User", "login": login.removesuffix("[bot]")}


class _Root:
    def __init__(self, hub: GitHub) -> None:
        self.hub = hub

    def viewer(self, info: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"login": self.hub.login}

    def repository(self, info: Any, owner: str, name: str) -> _Repository | None:  # noqa: ARG002
        return _Repository(self.hub) if f"{owner}/{name}" == self.hub.full_name else None

    def removeReaction(self, info: Any, input: dict[str, str]) -> dict[str, Any]:  # noqa: ARG002
        for pull in self.hub.pulls.values():
            if f"PR{pull.number}" == input["subjectId"]:
                gone = [each for each in pull.reactions if each.content == "+1" and each.user == self.hub.login]
                pull.reactions = [each for each in pull.reactions if each not in gone]
                return {"reaction": {"content": input["content"]}}
        raise KeyError("subject")

    def resolveReviewThread(self, info: Any, input: dict[str, str]) -> dict[str, Any]:  # noqa: ARG002
        for pull in self.hub.pulls.values():
            for thread in pull.threads:
                if thread.id == input["threadId"]:
                    thread.resolved = True
                    return {"thread": {"id": thread.id, "isResolved": True}}
        raise KeyError("thread")


class _Repository:
    mergeCommitAllowed = squashMergeAllowed = rebaseMergeAllowed = True

    def __init__(self, hub: GitHub) -> None:
        self._hub = hub
        self.nameWithOwner = hub.full_name
        self.deleteBranchOnMerge = hub.delete_branch_on_merge
        self.defaultBranchRef = {"name": "main", "target": {"__typename": "Commit", "oid": hub.git.tip("main")}}

    def pullRequest(self, info: Any, number: int) -> _Pull | None:  # noqa: ARG002
        pull = self._hub.pulls.get(number)
        return _Pull(self._hub, pull) if pull else None

    def pullRequests(
        self,
        info: Any,  # noqa: ARG002
        headRefName: str = "",
        baseRefName: str = "",
        states: tuple[str, ...] = (),
        first: int = 100,
        **_: Any,
    ) -> dict[str, Any]:
        found = [
            _Pull(self._hub, each)
            for each in self._hub.pulls.values()
            if (not headRefName or each.head == headRefName) and (not baseRefName or each.base == baseRefName)
        ]
        return {"nodes": [each for each in found if not states or each.state in states][:first]}

    def object(self, info: Any, oid: str) -> dict[str, Any] | _Commit | None:  # noqa: ARG002
        if self._hub.git.has(oid):
            return _Commit(self._hub, oid)
        data = self._hub.git.blob(oid)
        if data is None:
            return None
        binary = b"\0" in data[:8000]
        try:
            text = None if binary or len(data) > 512_000 else data.decode()
        except UnicodeDecodeError:
            text = data.decode("utf-8", "replace")
        return {
            "__typename": "Blob",
            "oid": oid,
            "byteSize": len(data),
            "isBinary": binary,
            "isTruncated": len(data) > 512_000,
            "text": text,
        }


class _Pull:
    def __init__(self, hub: GitHub, pull: Pull) -> None:
        self._hub, self._pull = hub, pull
        self.id = f"PR{pull.number}"
        self.number, self.title, self.body, self.isDraft = pull.number, pull.title, pull.body, pull.draft
        self.state = "MERGED" if pull.merged else pull.state.upper()
        self.isCrossRepository = pull.head_repository != hub.full_name
        self.author = _actor(pull.user)
        self.baseRefName, self.headRefName, self.headRefOid = pull.base, pull.head, hub.head_of(pull)
        self.headRepository = {"nameWithOwner": pull.head_repository} if pull.head_repository else None
        there = hub.git.has(f"refs/heads/{pull.base}")
        self.baseRefOid = hub.git.tip(pull.base) if there else pull.base_sha
        self.baseRef = {"target": {"__typename": "Commit", "oid": self.baseRefOid}} if there else None
        self.closedAt, self.isInMergeQueue = pull.closed_at, pull.queued
        self.mergeCommit = {"oid": pull.merge_sha} if pull.merge_sha else None
        self.autoMergeRequest = {"enabledAt": "2026-03-01T00:00:00Z"} if pull.auto_merge else None
        self.latestOpinionatedReviews = {"nodes": [{"state": "APPROVED"}] * pull.approvals}
        mine = {each.content for each in pull.reactions if each.user == hub.login}
        self.reactionGroups = [{"content": "THUMBS_UP", "viewerHasReacted": "+1" in mine}]
        self.labels = {"nodes": [{"name": label} for label in pull.labels]}

    def potentialMergeCommit(self, info: Any) -> dict[str, Any] | None:  # noqa: ARG002
        if self.baseRef is None or self.state != "OPEN":
            return None
        base, head = self._hub.git.tip(self._pull.base), self.headRefOid
        merge = self._hub.git.test_merge(base, head)
        if merge is None:
            return None
        return {"oid": merge, "parents": {"nodes": [{"oid": base}, {"oid": head}]}}

    def mergeable(self, info: Any) -> str:
        return "MERGEABLE" if self.potentialMergeCommit(info) else "CONFLICTING"

    def comments(self, info: Any, first: int = 100, after: str | None = None) -> dict[str, Any]:  # noqa: ARG002
        start = int(after) if after else 0
        page = self._pull.comments[start : start + first]
        more = start + first < len(self._pull.comments)
        nodes = [self._comment(each) for each in page]
        return {"pageInfo": {"hasNextPage": more, "endCursor": str(start + first)}, "nodes": nodes}

    def _comment(self, comment: Comment) -> dict[str, Any]:
        root = f"https://github.com/{self._hub.full_name}/pull/{self._pull.number}"
        return {
            "databaseId": comment.id,
            "url": f"{root}#issuecomment-{comment.id}",
            "body": comment.body,
            "author": _actor(comment.user),
            "editor": _actor(comment.editor) if comment.editor else None,
        }

    def reviewThreads(self, info: Any, first: int) -> dict[str, Any]:  # noqa: ARG002
        return {"nodes": [_thread(each) for each in self._pull.threads[:first]]}

    def timelineItems(self, info: Any, last: int, itemTypes: list[str]) -> dict[str, Any]:  # noqa: ARG002
        return {"nodes": self._pull.events[-last:]}

    def commits(self, info: Any, last: int = 0, first: int = 0) -> dict[str, Any]:  # noqa: ARG002
        if first:
            return {
                "nodes": [{"commit": _Commit(self._hub, each)} for each in self._hub.commits_of(self._pull)[-first:]]
            }
        statuses = {each.context: each for each in self._hub.statuses.get(self.headRefOid, ())}
        nodes = [
            {"__typename": "StatusContext", "context": each.context, "state": each.state.upper()}
            | {"description": each.description}
            for each in statuses.values()
        ]
        return {"nodes": [{"commit": {"statusCheckRollup": {"contexts": {"nodes": nodes}} if nodes else None}}]}


class _Commit:
    def __init__(self, hub: GitHub, oid: str) -> None:
        self._hub, self.oid = hub, oid

    def associatedPullRequests(self, info: Any, first: int) -> dict[str, Any]:  # noqa: ARG002
        holding = [each for each in self._hub.pulls.values() if self.oid in self._hub.commits_of(each)]
        return {"nodes": [_Pull(self._hub, each) for each in holding[:first]]}


def _thread(thread: Thread) -> dict[str, Any]:
    nodes = [{"body": each.body, "author": _actor(each.user)} for each in thread.comments]
    return {
        "id": thread.id,
        "isResolved": thread.resolved,
        "isOutdated": thread.outdated,
        "path": thread.path,
        "comments": {"totalCount": len(nodes), "nodes": nodes[:2]},
    }
