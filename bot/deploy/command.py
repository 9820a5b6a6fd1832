"""Reads the deploy command: which flags of `docker compose up` decide what happens."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from bot.model.duration import seconds


class Recreate(Enum):
    DIVERGED = "diverged"
    ALWAYS = "always"
    NEVER = "never"


class DeployCommand(Struct, frozen=True):
    """What the deploy command says. `unknown` is why it could not be understood, empty when it was."""

    text: str
    orphans_go: bool = False
    recreate: Recreate = Recreate.DIVERGED
    dependencies: Recreate = Recreate.DIVERGED  # for what named services depend on
    alone: bool = False  # --no-deps
    volumes_go: bool = False  # -y: a volume whose definition changed is deleted and made anew
    profiles: frozenset[str] = frozenset()
    project: str | None = None
    services: tuple[str, ...] = ()  # empty: all
    timeout: float | None = None  # in seconds; None: what each container says
    down_first: bool = False
    restarted: tuple[str, ...] | None = None  # by a `restart` afterwards; empty: all
    scale: Mapping[str, int] = field(default_factory=dict)
    unknown: str = ""

    def narrowed(self, services: tuple[str, ...]) -> DeployCommand:
        """The same command with these services named."""
        return replace(self, text=" ".join((self.text, *services)), services=(*self.services, *services))

    def enabling(self, profile: str) -> DeployCommand:
        """The same command with a profile switched on beside it."""
        return replace(self, profiles=self.profiles | {profile})


# Options that take the next word as their value, of `docker compose` itself and of its subcommands.
_GLOBAL = frozenset(
    {"-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory", "--ansi", "--progress"}
    | {"--parallel", "-c", "--context", "-H", "--host", "--config", "-l", "--log-level"}
)
_LOCAL = frozenset(
    {"-t", "--timeout", "--scale", "--pull", "--attach", "--no-attach", "--exit-code-from", "--wait-timeout"}
    | {"--rmi", "--policy"}
)
_OPERATORS = frozenset({"&&", "||", ";", ";;", "|", "&"})


class _Call(Struct, frozen=True):
    """One `docker compose …`: its variables, its options by name, the subcommand and the words after it."""

    variables: Mapping[str, str]
    options: tuple[tuple[str, str], ...]
    name: str
    words: tuple[str, ...]

    def has(self, *names: str) -> bool:
        return _true(([value for name, value in self.options if name in names] or [""])[-1])

    def values(self, *names: str) -> list[str]:
        return [value for name, value in self.options if name in names and value]


def read_command(text: str) -> DeployCommand:
    """The command, as far as it decides what `up` does. What stands around it (`pull`, `build`) is passed over."""
    try:
        calls = list(_compose_calls(text))
    except ValueError as error:  # a quote that stays open
        return DeployCommand(text, unknown=f"the deploy command cannot be read: {str(error).lower()}")
    found: DeployCommand | None = None
    down = False
    for call in calls:
        if call.name == "up":
            found = _up(text, call, down)
        elif call.name == "down" and found is None and not call.words:
            down = True
        elif call.name == "restart" and found is not None:
            found = replace(found, restarted=call.words)
    return found or DeployCommand(text, unknown="the deploy command holds no `docker compose up` that could be read")


def _compose_calls(text: str) -> Iterator[_Call]:
    lexer = shlex.shlex(text.replace("\n", " ; "), posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _OPERATORS:
            words.append(word)
            continue
        call = _call(words)
        words = []
        if call is not None:
            yield call


def _call(words: list[str]) -> _Call | None:
    variables: dict[str, str] = {}
    rest = list(words)
    while rest and (rest[0] in ("sudo", "env", "exec") or _assigns(rest[0])):
        name, _, value = rest.pop(0).partition("=")
        variables[name] = value
    program = rest.pop(0).rsplit("/", 1)[-1] if rest else ""
    if program == "docker":
        _, rest = _options(rest, _GLOBAL, stop=True)
        program = f"docker-{rest.pop(0)}" if rest else ""
    if program != "docker-compose":
        return None
    options, rest = _options(rest, _GLOBAL, stop=True)
    if not rest:
        return None
    local, plain = _options(rest[1:], _LOCAL, stop=False)
    return _Call(variables, (*options, *local), rest[0], tuple(plain))


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _options(words: list[str], valued: frozenset[str], *, stop: bool) -> tuple[list[tuple[str, str]], list[str]]:
    """Options by name with their value (`true` for a switch), and the words that are none."""
    found: list[tuple[str, str]] = []
    rest = list(words)
    plain: list[str] = []
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            if stop:
                return found, [word, *rest]
            plain.append(word)
        elif "=" in word:
            name, _, value = word.partition("=")
            found.append((name, value))
        elif word in valued:
            found.append((word, rest.pop(0) if rest else ""))
        elif not word.startswith("--") and len(word) > 2:
            found.extend((f"-{letter}", "true") for letter in word[1:])
        else:
            found.append((word, "true"))
    return found, plain


def _up(text: str, call: _Call, down: bool) -> DeployCommand:
    never = call.has("--no-recreate")
    asked = Recreate.ALWAYS if call.has("--force-recreate") else Recreate.DIVERGED
    others = Recreate.ALWAYS if call.has("--always-recreate-deps") else Recreate.DIVERGED
    profiles = [*call.values("--profile"), *call.variables.get("COMPOSE_PROFILES", "").split(",")]
    projects = [*call.values("-p", "--project-name"), call.variables.get("COMPOSE_PROJECT_NAME", "")]
    timeouts = call.values("-t", "--timeout")
    scale = dict(part.split("=", 1) for part in call.values("--scale") if "=" in part)
    return DeployCommand(
        text=text,
        orphans_go=call.has("--remove-orphans") or _true(call.variables.get("COMPOSE_REMOVE_ORPHANS", "")),
        recreate=Recreate.NEVER if never else asked,
        dependencies=Recreate.NEVER if never else others,
        alone=call.has("--no-deps"),
        volumes_go=call.has("-y", "--yes"),
        profiles=frozenset(filter(None, profiles)),
        project=next(filter(None, projects), None),
        services=call.words,
        timeout=float(timeouts[-1]) if timeouts and re.fullmatch(r"[0-9]{1,6}", timeouts[-1]) else _duration(timeouts),
        down_first=down,
        scale={name: int(count) for name, count in scale.items() if re.fullmatch(r"[0-9]{1,5}", count)},
    )


def _duration(texts: list[str]) -> float | None:
    return seconds(texts[-1], -1.0) if texts and seconds(texts[-1], -1.0) >= 0 else None


def _true(text: str) -> bool:
    return text.strip().lower() in ("true", "1", "yes", "on")
