"""Everything that is written to GitHub, one method per kind of thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from bot.forge.client import Client
from bot.forge.errors import ForgeError, Missing
from bot.forge.pulls import Pulls
from bot.forge.queries import REMOVE_REACTION, RESOLVE
from bot.intake.json_fields import Fields
from bot.model.remote import CONTEXT, Account, Comment, Inline, Note, Now, State

ANNOTATIONS_AT_ONCE = 50


class Writer:
    """Writes to one repository. Implements `ports.Publisher`."""

    def __init__(self, client: Client, pulls: Pulls, repository: str) -> None:
        self._client, self._pulls = client, pulls
        self._root = f"/repos/{repository}"

    def conversation(self, number: int) -> tuple[Now, Account, tuple[Comment, ...]]:
        return self._pulls.conversation(number)

    def create_comment(self, number: int, body: str, made: Callable[[], Comment | None]) -> Comment:
        found = self._client.create(f"{self._root}/issues/{number}/comments", {"body": body}, made)
        return found if isinstance(found, Comment) else _comment(found)

    def edit_comment(self, comment: int, body: str) -> Comment:
        return _comment(self._client.patch(f"{self._root}/issues/comments/{comment}", {"body": body}))

    def delete_comment(self, comment: int) -> None:
        try:
            self._client.delete(f"{self._root}/issues/comments/{comment}")
        except Missing:
            return  # a first try, whose answer was lost, has deleted it

    def set_status(self, commit: str, state: State, description: str, url: str) -> None:
        """The same status twice says the same: repeated freely."""
        body = {"state": state.value, "context": CONTEXT, "description": description}
        self._client.again(f"{self._root}/statuses/{commit}", {**body, "target_url": url} if url else body)

    def react(self, content: str, *, number: int, comment: int | None) -> int | None:
        """A reaction on a comment, or on the pull request itself. Its id; None when it could not be set."""
        try:
            answer = self._client.again(f"{self._target(number, comment)}/reactions", {"content": content})
        except ForgeError:
            return None  # a reaction is a courtesy: it never decides how a run ends
        found = answer.get("id") if isinstance(answer, dict) else None
        return found if isinstance(found, int) else None

    def unreact(self, reaction: int, *, number: int, comment: int | None) -> None:
        try:
            self._client.delete(f"{self._target(number, comment)}/reactions/{reaction}")
        except ForgeError:
            return

    def take_back_thumb(self, node: str) -> None:
        """Our +1 of a round that had nothing to say."""
        try:
            self._client.graphql(REMOVE_REACTION, {"subject": node, "content": "THUMBS_UP"})
        except ForgeError:
            return

    def _target(self, number: int, comment: int | None) -> str:
        return f"{self._root}/issues/{number}" if comment is None else f"{self._root}/issues/comments/{comment}"

    def review_lines(self, number: int, commit: str, summary: str, comments: Sequence[Inline]) -> None:
        """Comments on lines of the diff, in one review that neither approves nor refuses."""
        lines = [_line_comment(each) for each in comments]
        body = {"commit_id": commit, "event": "COMMENT", "body": summary, "comments": lines}
        self._client.create(f"{self._root}/pulls/{number}/reviews", body)

    def resolve(self, thread: str) -> None:
        self._client.graphql(RESOLVE, {"thread": thread})

    def check_run(self, commit: str, title: str, summary: str, state: State, notes: Sequence[Note]) -> None:
        """Annotations, so many in one request; the conclusion comes with the last, since it completes the run."""
        batches = [notes[at : at + ANNOTATIONS_AT_ONCE] for at in range(0, len(notes), ANNOTATIONS_AT_ONCE)] or [[]]
        ends = {"status": "completed", "conclusion": "success" if state is State.SUCCESS else "failure"}
        path = f"{self._root}/check-runs"
        begins = {"name": "Compose review annotations", "head_sha": commit}
        identity: object = None
        for index, batch in enumerate(batches):
            body: dict[str, Any] = {"output": _output(title, summary, batch)}
            body |= ends if index == len(batches) - 1 else {"status": "in_progress"}
            if index == 0:
                answer = self._client.create(path, {**begins, **body})
                identity = answer.get("id") if isinstance(answer, dict) else None
            elif identity is not None:
                self._client.patch(f"{path}/{identity}", body)

    def may_write(self, login: str) -> bool:
        """Whether a person may push here, by GitHub's own word: association in a payload proves nothing."""
        try:
            answer = Fields(self._client.get(f"{self._root}/collaborators/{quote(login, safe='')}/permission"), [])
        except Missing:
            return False
        return answer.text("permission") in ("admin", "write")

    def pull_with_head(self, sha: str, branch: str, repository: str) -> int | None:
        """The open pull request whose head is this commit of this repository's branch."""
        owner = repository.partition("/")[0]
        answer = self._client.get(f"{self._root}/pulls", state="open", head=f"{owner}:{branch}", per_page=100)
        for each in answer if isinstance(answer, list) else ():
            pull = Fields(each, [])
            same = pull.text("head.repo.full_name").lower() == repository.lower()
            if same and pull.text("head.sha") == sha:
                return pull.number("number")
        return None


def _comment(answer: Any) -> Comment:
    fields = Fields(answer if isinstance(answer, dict) else {}, [])
    return Comment(
        id=fields.number("id") or 0,
        author=fields.text("user.login"),
        body=fields.text("body"),
        url=fields.text("html_url"),
    )


def _line_comment(inline: Inline) -> dict[str, Any]:
    found: dict[str, Any] = {"path": inline.path, "body": inline.body, "line": inline.end_line, "side": "RIGHT"}
    if inline.line < inline.end_line:
        found |= {"start_line": inline.line, "start_side": "RIGHT"}
    return found


def _output(title: str, summary: str, batch: Sequence[Note]) -> dict[str, Any]:
    return {
        "title": title[:255],
        "summary": summary,
        "annotations": [
            {
                "path": each.path,
                "start_line": each.line,
                "end_line": each.end_line,
                "annotation_level": each.level,
                "title": each.title[:255],
                "message": each.message,
            }
            for each in batch
        ],
    }
