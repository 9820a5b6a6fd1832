"""What the commits of a branch say, where no file gives the facts of a pull request."""

from __future__ import annotations

from bot.local.repository import Repository
from bot.model.pull import Pull

# Two are enough to know that there is more than one.
_ENOUGH = "2"


def told_by_commits(repository: Repository, base: str, head: str, branch: str) -> Pull:
    """The title and text GitHub would propose: those of the only commit, else the branch's name alone.

    Messages of several commits are no text for their sum: what one says, a later one may have undone.
    """
    log = repository.store.run(
        "log", "-z", f"--max-count={_ENOUGH}", "--no-merges", "--format=%B", f"{base}..{head}"
    ).out
    messages = [message.decode("utf-8", "replace").strip() for message in log.split(b"\0") if message.strip()]
    if len(messages) != 1:
        return Pull(title=branch)
    title, _, body = messages[0].partition("\n")
    return Pull(title=title.strip(), body=body.strip())
