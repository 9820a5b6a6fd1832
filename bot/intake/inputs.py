"""The inputs of the action, as the runner hands them over: checked all at once, none of them executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.model.fail_on import FailOn

if TYPE_CHECKING:  # the words of a whole configuration cost more than an ignored event does
    from bot.model.settings import Settings

T = TypeVar("T")

_LOGIN = re.compile(r"@?[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}(?:\[bot\])?)")
_TEAM = re.compile(r"@?[A-Za-z0-9][A-Za-z0-9-]*/([A-Za-z0-9][A-Za-z0-9._-]*)")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
# Substitutions, pipes, redirections, further commands; and dashes that only look like those of an option.
_BEYOND = re.compile(r"\$\(|[`;|<>]|(?<!&)&(?!&)|(?:^|\s)[\u2010-\u2015\u2212]")
_BOOLEANS = {"true": True, "false": False}  # what YAML's own `true` and `false` arrive as
MAX_INLINE_COMMENTS = 50
MAX_WAIT_SECONDS = 3_600
WAIT_SECONDS = 300.0


class InputError(Exception):
    """Inputs that cannot be used, one a line: exit code 64."""


class Inputs(Struct, frozen=True):
    """None, or empty: not given, so that the configuration or the default decides."""

    token: str = ""
    config: str = ""  # a path in the base tree
    fail_on: FailOn | None = None
    comment: bool | None = None
    annotations: bool | None = None
    inline_comments: int | None = None
    reactions: bool | None = None
    drafts: bool | None = None
    reviewers: tuple[str, ...] | None = None
    teams: tuple[str, ...] = ()
    deploy: str = ""
    pull_request: str = ""
    wait_seconds: float = WAIT_SECONDS  # how long one run may wait for GitHub in all


# What `action.yml` must declare; a test of the packaging compares the two.
NAMES = (
    *("token", "config", "fail-on", "comment", "annotations", "inline-comments", "reactions", "drafts"),
    *("reviewers", "deploy", "pull-request", "wait-seconds"),
)


def inputs_of(environment: Mapping[str, str]) -> Inputs:
    """Every input. InputError names all that are wrong; an input that is not given is an empty text."""
    read = _Reader(environment)
    reviewers, teams = _reviewers(read)
    inputs = Inputs(
        token=read.line("token") or environment.get("GITHUB_TOKEN", "").strip(),
        config=read.path("config"),
        fail_on=read.one_of("fail-on", {each.value: each for each in FailOn}),
        comment=read.one_of("comment", _BOOLEANS),
        annotations=read.one_of("annotations", _BOOLEANS),
        inline_comments=read.number("inline-comments", MAX_INLINE_COMMENTS),
        reactions=read.one_of("reactions", _BOOLEANS),
        drafts=read.one_of("drafts", _BOOLEANS),
        reviewers=reviewers,
        teams=teams,
        deploy=read.command("deploy"),
        pull_request=read.pull_request("pull-request"),
        wait_seconds=read.number("wait-seconds", MAX_WAIT_SECONDS) or WAIT_SECONDS,
    )
    if read.faults:
        raise InputError("\n".join(read.faults))
    return inputs


def applied(inputs: Inputs, settings: Settings) -> Settings:
    """The settings with what the workflow says on top."""
    review = settings.review
    asked = {
        "fail_on": inputs.fail_on,
        "comment": inputs.comment,
        "annotations": inputs.annotations,
        "inline_comments": inputs.inline_comments,
        "reactions": inputs.reactions,
        "drafts": inputs.drafts,
        "reviewers": inputs.reviewers,
        "teams": None if inputs.reviewers is None else inputs.teams,
    }
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    return replace(settings, deploy=inputs.deploy or settings.deploy, review=replace(review, **given))


class _Reader:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults: list[str] = []

    def text(self, name: str) -> str:
        """As the runner spells it: upper case, hyphens kept."""
        return self._environment.get(f"INPUT_{name.upper()}", "").strip()

    def line(self, name: str) -> str:
        found = self.text(name)
        if not found.isprintable():
            self.fault(name, "one line of printable text")
            return ""
        return found

    def path(self, name: str) -> str:
        found = self.line(name)
        if found and (found.startswith(("/", "-")) or "\\" in found or ".." in found.split("/")):
            self.fault(name, "a path from the root of the repository")
            return ""
        return found.removeprefix("./")

    def command(self, name: str) -> str:
        """Commands are read, never run; what only a shell could work out cannot be read."""
        found = self.line(name)
        if _BEYOND.search(found):
            self.fault(name, "plain commands, joined by && at most (a longer script belongs into the configuration)")
            return ""
        return found

    def pull_request(self, name: str) -> str:
        found = self.line(name)
        if found and not _NUMBER.fullmatch(found):
            self.fault(name, "the number of a pull request")
            return ""
        return found

    def one_of(self, name: str, words: Mapping[str, T]) -> T | None:
        found = self.text(name).lower()
        if found and found not in words:
            self.fault(name, f"one of {', '.join(words)}")
        return words.get(found)

    def number(self, name: str, most: int) -> int | None:
        found = self.text(name)
        if not found:
            return None
        if not re.fullmatch(r"\d{1,6}", found, re.ASCII) or int(found) > most:
            self.fault(name, f"a whole number from 0 to {most}")
            return None
        return int(found)

    def fault(self, name: str, wanted: str) -> None:
        shown = "" if name == "token" else f", not {_shown(self.text(name))}"  # a secret stays one
        self.faults.append(f"input `{name}` must be {wanted}{shown}")


def _reviewers(read: _Reader) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Logins and, written `organisation/team`, teams; by commas, blanks or lines."""
    words = [word for word in re.split(r"[,\s]+", read.text("reviewers")) if word]
    logins: list[str] = []
    teams: list[str] = []
    for word in words:
        team = _TEAM.fullmatch(word)
        if team:
            teams.append(team[1])
        elif _LOGIN.fullmatch(word):
            logins.append(word.removeprefix("@"))
        else:
            read.faults.append(f"input `reviewers` must hold logins or `organisation/team`, not {_shown(word)}")
    return (tuple(logins) if words else None), tuple(teams)


def _shown(text: str, convert: Callable[[str], str] = ascii) -> str:
    """What was given, short and with everything unusual escaped: it goes into a log."""
    return convert(text if len(text) <= 60 else f"{text[:60]}…")
