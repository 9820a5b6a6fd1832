"""Which event comes with a token that cannot write, told without asking GitHub."""

from __future__ import annotations

from bot.intake.json_fields import Fields

_FORK = (
    "the pull request comes from a fork, and GitHub gives workflows of forks a read-only token. "
    "To have the review posted, add the second workflow of the two-step set-up (on: workflow_run): "
    "it runs with a token that may write and reads the fork's files as data only"
)
_DEPENDABOT = (
    "Dependabot's pull requests get a read-only token on `pull_request_target`. "
    "To have the review posted, run on `pull_request` and give the job its permissions there"
)


def read_only(event: str, pull: Fields) -> str:
    """Why nothing can be written for this event, empty when a write may be tried.

    A repository can be set to give forks a token that writes; it is rare, and a refused write tells
    no less than this sentence, so it is not looked up.
    """
    if event == "pull_request" and from_fork(pull):
        return _FORK
    if event == "pull_request_target" and pull.text("user.login") == "dependabot[bot]":
        return _DEPENDABOT
    return ""


def from_fork(pull: Fields) -> bool:
    """Whether head lives in another repository; one that was deleted is another one."""
    head, base = pull.text("head.repo.full_name"), pull.text("base.repo.full_name")
    if head and base:
        return head.lower() != base.lower()
    stated = pull.inner("head")
    return stated is not None and stated.has("repo") and stated.inner("repo") is None
