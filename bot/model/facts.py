"""What a service does, read from its command lines, environment, labels and inline configs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Protocol

from msgspec import Struct

from bot.model.node import Node, ScalarNode
from bot.model.place import Place


class Role(StrEnum):
    """What a service is for. Told from images, commands and names; the configuration may overrule it."""

    ENGINE = "engine"
    DOWNLOADER = "downloader"
    PROXY = "proxy"
    WEB_SERVER = "web server"
    REGISTRAR = "registrar"
    TELEMETRY = "telemetry"
    MAINTENANCE = "maintenance"
    DATABASE = "database"
    OTHER = "other"


class Guard(Enum):
    """What stands around a simple command and decides when it runs or what its failure does."""

    ERREXIT = "set -e"
    AFTER_SUCCESS = "&&"  # runs only after the command before it succeeded
    AFTER_FAILURE = "||"  # runs only after the command before it failed
    FORGIVEN = "|| …"  # its failure is caught by what follows
    CONDITION = "if"  # it is the test of an if, while or until
    BRANCH = "then"  # it stands in a branch, a case arm or a loop body: it may not run
    FUNCTION = "function"  # it stands in a function body
    PIPELINE = "|"  # not the last of a pipeline without pipefail: its failure is lost
    BACKGROUND = "&"
    NEGATED = "!"
    SUBSTITUTION = "$()"


class Word(Struct, frozen=True):
    """One argument of a command. `known` is false when the shell still expands something in it."""

    text: str
    known: bool
    at: Place


class Command(Struct, frozen=True):
    """One simple command that the container runs, in the order written.

    `fatal` says whether its failure fails the service (certain only when `understood`). `at` spans the
    command's lines. `script` is where it stands: the service's own command line, or an inline config.
    """

    argv: tuple[Word, ...]
    guards: frozenset[Guard]
    fatal: bool
    understood: bool
    at: Place
    script: str  # "command", "entrypoint", "healthcheck" or "config NAME"

    @property
    def name(self) -> str:
        """The program's name without its folder, empty when the shell expands it."""
        return self.argv[0].text.rsplit("/", 1)[-1] if self.argv and self.argv[0].known else ""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.argv)


class Download(Struct, frozen=True):
    """A fetch from a model hub.

    `at` is the command, `step` the command with the message that announces it on the lines before.
    """

    repository: str  # "org/name"
    revision: str | None  # None: whatever the hub's default branch holds that day
    files: tuple[str, ...]  # empty: the whole snapshot
    target: str | None  # --local-dir or --cache-dir, None for the default cache
    known: bool  # false when repository or revision still hold a variable
    fatal: bool  # its failure fails the service
    at: Place
    step: Place

    @property
    def refs(self) -> tuple[str, ...]:
        """`org/name@revision`, or `org/name/file@revision` for each file."""
        suffix = f"@{self.revision}" if self.revision else ""
        if not self.files:
            return (f"{self.repository}{suffix}",)
        return tuple(f"{self.repository}/{file}{suffix}" for file in self.files)

    @property
    def ref(self) -> str:
        return " ".join(self.refs)

    @property
    def named(self) -> str:
        """What is fetched, without the revision: `org/name`, or `org/name/file`."""
        return " ".join(f"{self.repository}/{file}" for file in self.files) or self.repository


class Step(Struct, frozen=True):
    """One thing that a one-shot service does and that those who wait for it depend on."""

    identity: str  # a download's ref, or the command without its blanks
    says: str  # for people
    download: Download | None
    at: Place
    fatal: bool


class Snapshot(Struct, frozen=True):
    """A path into a hub cache: `…/models--org--name/snapshots/<revision>/file`."""

    repository: str
    revision: str
    file: str  # empty for the snapshot's folder
    at: Place

    @property
    def ref(self) -> str:
        return f"{self.repository}{'/' + self.file if self.file else ''}@{self.revision}"


class Flag(Struct, frozen=True):
    """A command-line option; `value` is None for a switch, and `repeated` counts further uses."""

    name: str  # with its dashes
    value: str | None
    at: Place


class Serving(Struct, frozen=True):
    """A model that this service answers for: an engine's command line, or a proxy's variable."""

    engine: str  # "vllm", "sglang", "tgi", "llama.cpp", "ollama", "triton"; "" when only a name is served
    model: str | None  # path or repository as written
    repository: str | None  # "org/name" when the model is one, or its path names one
    revision: str | None
    names: tuple[str, ...]  # what clients ask for
    tensor: int | None  # the tensor parallel size, where it is stated
    parallel: int | None  # GPUs one replica needs: tensor x pipeline (x data, where it multiplies)
    port: str | None
    flags: Mapping[str, tuple[Flag, ...]]
    at: Place

    @property
    def identities(self) -> frozenset[str]:
        """Every name that this model goes by."""
        return frozenset(name for name in (*self.names, self.repository, self.model) if name)


class Upstream(Struct, frozen=True):
    """An address that this service talks to."""

    host: str
    port: str | None
    scheme: str | None
    path: str
    literal: bool  # resolved once at start (an nginx proxy_pass without a variable), not at each request
    source: str  # "environment KEY", "command", "label KEY", "config NAME"
    at: Place


class ImageRef(Struct, frozen=True):
    """An image reference as Docker reads it; `known` is false while a variable stands in it."""

    text: str
    registry: str  # "docker.io" when none is written
    repository: str  # with "library/" for Docker's own
    tag: str | None
    digest: str | None
    known: bool
    at: Place

    @property
    def name(self) -> str:
        return f"{self.registry}/{self.repository}"


class Language(StrEnum):
    """What an inline config's body is written in, told from its target's name and from its text."""

    YAML = "YAML"
    JSON = "JSON"
    NGINX = "nginx"
    SHELL = "shell"
    TEXT = "text"


class Embedded(Struct, frozen=True):
    """An inline config that a service mounts, parsed."""

    config: str
    language: Language
    root: Node | None  # of YAML and JSON that can be parsed
    at: Place


class BodyFault(Struct, frozen=True):
    """Why an inline config that a service mounts is not what it looks like."""

    config: str
    language: Language
    says: str
    at: Place
    sure: bool = True  # not for shell, of which the grammar does not know every form


class Scrape(Struct, frozen=True):
    """A scrape target of a collector's or Prometheus' configuration, with the labels it is given."""

    job: str
    host: str
    port: str
    path: str
    labels: Mapping[str, ScalarNode]
    at: Place


class Cause(Enum):
    """What ends a command before its remaining words."""

    OPERATOR = "operator"  # of a shell, in a text that no shell reads: Compose's splitter stops there
    NEWLINE = "newline"  # the end of a line: what follows is a command of its own, or a word that begins with it
    FOLDED_COMMENT = "folded comment"  # a comment that, with its lines folded into one, goes on to the end
    NO_COMMENT = "no comment"  # a `#` where no shell reads: it and its words are arguments


class Cut(Struct, frozen=True):
    """Words that are written as part of a command and do not reach it, or reach it as something else."""

    cause: Cause
    command: str  # the command as it runs
    rest: str  # what is lost
    at: Place
    script: str  # "command" or "entrypoint"


class Facts(Protocol):
    """The facts of one service. Each is computed at its first use and then kept."""

    @property
    def role(self) -> Role: ...
    @property
    def image(self) -> ImageRef | None: ...
    @property
    def commands(self) -> tuple[Command, ...]: ...
    @property
    def cuts(self) -> tuple[Cut, ...]: ...
    @property
    def downloads(self) -> tuple[Download, ...]: ...
    @property
    def snapshots(self) -> tuple[Snapshot, ...]: ...
    @property
    def servings(self) -> tuple[Serving, ...]: ...
    @property
    def upstreams(self) -> tuple[Upstream, ...]: ...
    @property
    def embedded(self) -> tuple[Embedded, ...]: ...
    @property
    def body_faults(self) -> tuple[BodyFault, ...]: ...
    @property
    def scrapes(self) -> tuple[Scrape, ...]: ...
    @property
    def steps(self) -> tuple[Step, ...]: ...
    def uses(self, repository: str) -> Place | None:
        """Where the service reads a repository, None when nothing of it does."""
        ...
