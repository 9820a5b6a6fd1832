"""The REST routes that a reviewer needs. Handlers take the state and return status, answer and what was stored."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tests.fake_github.state import CheckRun, Comment, GitHub, Pull, Reaction, Status, Thread, ThreadComment

Answer = tuple[int, Any]
Handler = Callable[..., Answer]
REPO = "/repos/{owner}/{repo}"
REFUSED = "Resource not accessible by integration"


@dataclass(frozen=True)
class Ask:
    """One request: the state it meets, its parameters and its body."""

    hub: GitHub
    query: Mapping[str, str]
    body: Any


def user(login: str) -> dict[str, Any]:
    kind = "Bot" if login.endswith("[bot]") else "User"
    return {"login": login, "id": sum(map(ord, login)), "type": kind}


def comment_json(hub: GitHub, pull: Pull, comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.id,
        "body": comment.body,
        "user": user(comment.user),
        "html_url": f"https://github.com/{hub.full_name}/pull/{pull.number}#issuecomment-{comment.id}",
    }


def pull_json(hub: GitHub, pull: Pull) -> dict[str, Any]:
    return {
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "state": pull.state,
        "draft": pull.draft,
        "user": user(pull.user),
        "head": {"ref": pull.head, "sha": hub.head_of(pull), "repo": {"full_name": pull.head_repository}},
        "base": {"ref": pull.base, "sha": _base(hub, pull), "repo": {"full_name": hub.full_name}},
        "merged": pull.merged,
        "stack": {"id": 1, "number": 1, "size": 2, "position": 1, "base": {"ref": "main", "sha": hub.git.tip("main")}}
        if pull.native
        else None,
        "requested_teams": [],
    }


def _base(hub: GitHub, pull: Pull) -> str:
    return hub.git.tip(pull.base) if hub.git.has(f"refs/heads/{pull.base}") else pull.base_sha


def get_pull(ask: Ask, number: str) -> Answer:
    pull = ask.hub.pulls.get(int(number))
    return (200, pull_json(ask.hub, pull)) if pull else missing()


def list_pulls(ask: Ask) -> Answer:
    found = [pull for pull in ask.hub.pulls.values() if ask.query.get("state", "open") in ("all", pull.state)]
    if "head" in ask.query:
        owner, _, branch = ask.query["head"].partition(":")
        found = [each for each in found if each.head == branch and each.head_repository.split("/")[0] == owner]
    return 200, [pull_json(ask.hub, pull) for pull in found]


def post_comment(ask: Ask, number: str) -> Answer:
    pull = ask.hub.pulls.get(int(number))
    if pull is None:
        return missing()
    if len(ask.body["body"]) > ask.hub.max_body:
        return 422, {"message": "Validation Failed", "errors": [{"message": "Body is too long"}]}
    comment = Comment(next(ask.hub.ids), ask.hub.login, ask.body["body"])
    pull.comments.append(comment)
    return 201, comment_json(ask.hub, pull, comment)


def find_comment(hub: GitHub, identity: str) -> tuple[Pull, Comment] | None:
    for pull in hub.pulls.values():
        for comment in pull.comments:
            if comment.id == int(identity):
                return pull, comment
    return None


def patch_comment(ask: Ask, identity: str) -> Answer:
    found = find_comment(ask.hub, identity)
    if found is None:
        return missing()
    if len(ask.body["body"]) > ask.hub.max_body:
        return 422, {"message": "Validation Failed", "errors": [{"message": "Body is too long"}]}
    found[1].body, found[1].editor = ask.body["body"], ask.hub.login
    return 200, comment_json(ask.hub, *found)


def delete_comment(ask: Ask, identity: str) -> Answer:
    found = find_comment(ask.hub, identity)
    if found is None:
        return missing()
    found[0].comments.remove(found[1])
    return 204, None


def post_status(ask: Ask, sha: str) -> Answer:
    if len(ask.body.get("description") or "") > 140:
        return 422, {"message": "Validation Failed", "errors": [{"message": "description is too long"}]}
    status = Status(
        ask.body["context"],
        ask.body["state"],
        ask.body.get("description", ""),
        ask.body.get("target_url", ""),
        ask.hub.login,
    )
    ask.hub.statuses.setdefault(sha, []).append(status)
    return 201, {"state": status.state, "context": status.context}


def react(reactions: list[Reaction], hub: GitHub, content: str) -> Answer:
    there = next((each for each in reactions if each.content == content and each.user == hub.login), None)
    if there is None:
        there = Reaction(next(hub.ids), content, hub.login)
        reactions.append(there)
        return 201, {"id": there.id, "content": content}
    return 200, {"id": there.id, "content": content}


def react_pull(ask: Ask, number: str) -> Answer:
    return react(ask.hub.pulls[int(number)].reactions, ask.hub, ask.body["content"])


def react_comment(ask: Ask, identity: str) -> Answer:
    found = find_comment(ask.hub, identity)
    return react(found[1].reactions, ask.hub, ask.body["content"]) if found else missing()


def unreact(reactions: list[Reaction], identity: str) -> Answer:
    found = next((each for each in reactions if each.id == int(identity)), None)
    if found is None:
        return missing()
    reactions.remove(found)
    return 204, None


def unreact_pull(ask: Ask, number: str, reaction: str) -> Answer:
    return unreact(ask.hub.pulls[int(number)].reactions, reaction)


def unreact_comment(ask: Ask, identity: str, reaction: str) -> Answer:
    found = find_comment(ask.hub, identity)
    return unreact(found[1].reactions, reaction) if found else missing()


def post_review(ask: Ask, number: str) -> Answer:
    pull = ask.hub.pulls[int(number)]
    base, head = ask.hub.git.tip(pull.base), ask.hub.head_of(pull)
    for each in ask.body.get("comments", ()):
        lines = ask.hub.git.shown(base, head, each["path"])
        if not {each.get("start_line", each["line"]), each["line"]} <= lines:  # one line outside: none is taken
            return 422, {"message": "Unprocessable Entity", "errors": ["Line could not be resolved"]}
    for each in ask.body.get("comments", ()):
        comment = ThreadComment(next(ask.hub.ids), ask.hub.login, each["body"])
        pull.threads.append(Thread(f"T{comment.id}", each["path"], each["line"], [comment]))
    return 200, {"id": next(ask.hub.ids)}


def get_tree(ask: Ask, sha: str) -> Answer:
    if not ask.hub.git.has(sha):
        return missing()
    return 200, {"sha": sha, "url": "", "tree": ask.hub.git.tree(sha), "truncated": False}


def get_blob(ask: Ask, sha: str) -> Answer:
    data = ask.hub.git.blob(sha)
    if data is None:
        return missing()
    return 200, {"sha": sha, "size": len(data), "encoding": "base64", "content": base64.b64encode(data).decode()}


def compare(ask: Ask, basehead: str) -> Answer:
    base, _, head = unquote(basehead).partition("...")
    try:
        return 200, ask.hub.git.compare(base, head)
    except KeyError:
        return missing()


def get_ref(ask: Ask, ref: str) -> Answer:
    branch = unquote(ref).removeprefix("heads/")
    if not ask.hub.git.has(f"refs/heads/{branch}"):
        return missing()
    return 200, {"ref": f"refs/heads/{branch}", "object": {"type": "commit", "sha": ask.hub.git.tip(branch)}}


def get_commit(ask: Ask, sha: str) -> Answer:
    return (200, ask.hub.git.commit(sha, files=True)) if ask.hub.git.has(sha) else missing()


def get_branch(ask: Ask, name: str) -> Answer:
    branch = unquote(name)
    if not ask.hub.git.has(f"refs/heads/{branch}"):
        return missing()
    return 200, {"name": branch, "protected": branch in ask.hub.protected}


def permission(ask: Ask, login: str) -> Answer:
    found = ask.hub.permissions.get(unquote(login))
    return (
        (200, {"permission": found, "user": {**user(login), "role_name": found}, "role_name": found})
        if found
        else missing()
    )


def post_check_run(ask: Ask) -> Answer:
    run = CheckRun(
        next(ask.hub.ids), ask.body["name"], ask.body["head_sha"], ask.body["status"], ask.body.get("conclusion")
    )
    ask.hub.check_runs.append(run)
    return _annotated(run, ask.body, 201)


def patch_check_run(ask: Ask, identity: str) -> Answer:
    run = next((each for each in ask.hub.check_runs if each.id == int(identity)), None)
    if run is None:
        return missing()
    run.status, run.conclusion = ask.body["status"], ask.body.get("conclusion")
    return _annotated(run, ask.body, 200)


def _annotated(run: CheckRun, body: Any, status: int) -> Answer:
    notes = body.get("output", {}).get("annotations", [])
    if len(notes) > 50:
        return 422, {"message": "Validation Failed", "errors": [{"message": "more than 50 annotations"}]}
    run.annotations += notes
    return status, {"id": run.id, "status": run.status}


def missing() -> Answer:
    return 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}


# method, the route as GitHub's description writes it, handler. The names of groups are ours.
ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", REPO + "/pulls", list_pulls),
    ("GET", REPO + "/pulls/{pull_number}", get_pull),
    ("POST", REPO + "/pulls/{pull_number}/reviews", post_review),
    ("POST", REPO + "/issues/{issue_number}/comments", post_comment),
    ("PATCH", REPO + "/issues/comments/{comment_id}", patch_comment),
    ("DELETE", REPO + "/issues/comments/{comment_id}", delete_comment),
    ("POST", REPO + "/issues/{issue_number}/reactions", react_pull),
    ("POST", REPO + "/issues/comments/{comment_id}/reactions", react_comment),
    ("DELETE", REPO + "/issues/{issue_number}/reactions/{reaction_id}", unreact_pull),
    ("DELETE", REPO + "/issues/comments/{comment_id}/reactions/{reaction_id}", unreact_comment),
    ("POST", REPO + "/statuses/{sha}", post_status),
    ("GET", REPO + "/git/trees/{tree_sha}", get_tree),
    ("GET", REPO + "/git/blobs/{file_sha}", get_blob),
    ("GET", REPO + "/compare/{basehead}", compare),
    ("GET", REPO + "/git/ref/{ref}", get_ref),
    ("GET", REPO + "/commits/{ref}", get_commit),
    ("GET", REPO + "/branches/{branch}", get_branch),
    ("GET", REPO + "/collaborators/{username}/permission", permission),
    ("POST", REPO + "/check-runs", post_check_run),
    ("PATCH", REPO + "/check-runs/{check_run_id}", patch_check_run),
)


def _pattern(route: str) -> re.Pattern[str]:
    return re.compile(
        re.sub(r"\\\{\w+\\\}", r"([^/]+)", re.escape(route.replace("/git/ref/{ref}", "/git/ref/@"))).replace(
            "@", "(.+)"
        )
    )


_COMPILED = [(method, route, _pattern(route), handler) for method, route, handler in ROUTES]


def match(method: str, path: str) -> tuple[str, Handler, tuple[str, ...]] | None:
    """The route, its handler and the values after owner and repository."""
    for wanted, route, pattern, handler in _COMPILED:
        found = pattern.fullmatch(path)
        if wanted == method and found:
            return route, handler, found.groups()[2:]
    return None
