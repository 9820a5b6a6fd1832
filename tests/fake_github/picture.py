"""A pull request as a person would see it, in text: for stories that tests keep."""

from __future__ import annotations

import re

from tests.fake_github.state import GitHub

_STATE = re.compile(r"\n*<!-- compose-review:state v1 [A-Za-z0-9+/=]* -->")


def picture(hub: GitHub, number: int, body: bool = True) -> str:
    pull = hub.pulls[number]
    sha = hub.head_of(pull)
    lines = [f"#{number} {pull.title} ({'merged' if pull.merged else pull.state}{', draft' if pull.draft else ''})"]
    lines += [f"reaction {each.content} by {each.user}" for each in pull.reactions]
    for commit, statuses in hub.statuses.items():
        mark = "head" if commit == sha else "an older commit"
        lines += [f"status on {mark}: {each.context} {each.state}: {each.description}" for each in statuses]
    lines += [f"check run {run.name}: {run.conclusion}, {len(run.annotations)} annotations" for run in hub.check_runs]
    for thread in pull.threads:
        state = "resolved" if thread.resolved else "open"
        lines.append(f"thread {thread.path}:{thread.line} {state}, {len(thread.comments)} comments")
    for comment in pull.comments:
        edited = f", edited by {comment.editor}" if comment.editor else ""
        lines.append(f"comment by {comment.user}{edited}")
        lines += [f"  reaction {each.content} by {each.user}" for each in comment.reactions]
        if body:
            lines += [f"  | {line}".rstrip() for line in _STATE.sub("", comment.body).split("\n")]
    return _named(hub, "\n".join(lines) + "\n")


def _named(hub: GitHub, text: str) -> str:
    """Commits by the order in which they are named: their real names change with the day they are made."""
    known: dict[str, str] = {}
    for sha in re.findall(r"\b[0-9a-f]{40}\b", text):
        if sha not in known and hub.git.has(sha):
            known[sha] = f"commit-{len(known) + 1}"
    for sha, name in known.items():
        text = text.replace(sha, name).replace(sha[:7], name)
    tip = hub.git.tip("main")
    return text.replace(tip[:7], "the-tip-of-main")
