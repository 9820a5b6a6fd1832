"""Small changes and findings, written as a test needs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from bot.model.change import Change, FileChange, FileKind, FileStatus, Move
from bot.model.facts import Command, Download, Flag, ImageRef, Role, Serving, Snapshot, Step, Upstream
from bot.model.finding import Certainty, Finding, Findings, Level, Related
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.pull import Pull, Repository, Trigger
from bot.model.review import Review, Stack, verdict_of
from bot.model.service import Service
from bot.model.settings import Settings
from bot.model.value import Value
from bot.review.build import build
from bot.rounds.advance import advance

HEAD = "1f0c9d2e8b7a6f5e4d3c2b1a09f8e7d6c5b4a392"
BASE = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"

OPENED = Trigger("pull_request", "opened", "dana", "", "2026-03-02T09:15:00Z")
PULL = Pull(
    number=12,
    title="Fetch the INT4 weights ahead of the switch",
    author="dana",
    base_ref="main",
    head_ref="prefetch-int4",
    base_sha=BASE,
    head_sha=HEAD,
    repository=Repository("example/deployments"),
    trigger=OPENED,
)


def at(where: str) -> Place:
    """`file:3` or `file:3-5`."""
    file, _, lines = where.rpartition(":")
    first, _, last = lines.partition("-")
    return Place.of_line(file, int(first), int(last or first))


def value(data: Any, file: str = "compose.yaml") -> Value:
    here = Place.of_line(file, 1)
    if isinstance(data, Mapping):
        return Value({key: value(each, file) for key, each in data.items()}, here)
    if isinstance(data, list):
        return Value(tuple(value(each, file) for each in data), here)
    return Value(data, here)


class FakeFacts(Struct, frozen=True):
    """Facts as a test states them."""

    role: Role = Role.OTHER
    image: ImageRef | None = None
    commands: tuple[Command, ...] = ()
    downloads: tuple[Download, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    servings: tuple[Serving, ...] = ()
    upstreams: tuple[Upstream, ...] = ()
    steps: tuple[Step, ...] = ()

    def uses(self, repository: str) -> Place | None:  # noqa: ARG002 - no fake service reads a cache
        return None


class Made(Struct, frozen=True):
    """A service before it belongs to a file."""

    data: Mapping[str, Any]
    facts: FakeFacts = field(default_factory=FakeFacts)

    def but(self, **fields: Any) -> Made:
        return replace(self, data={**self.data, **fields})


def download(ref: str) -> Download:
    """`org/name@revision`."""
    name, _, revision = ref.partition("@")
    here = Place.of_line("compose.yaml", 1)
    return Download(name, revision or None, (), None, True, True, here, here)


def downloader(*refs: str) -> Made:
    command = " && ".join(f"hf download {ref}" for ref in refs)
    facts = FakeFacts(Role.DOWNLOADER, downloads=tuple(download(ref) for ref in refs))
    return Made({"image": "registry.example/uv:1", "command": ["sh", "-c", command]}, facts)


def engine(**flags: str) -> Made:
    here = Place.of_line("compose.yaml", 1)
    named = {f"--{name.replace('_', '-')}": text for name, text in flags.items()}
    given = {name: (Flag(name, text, here),) for name, text in named.items()}
    serving = Serving("sglang", "acme/meadow", "acme/meadow", None, ("meadow",), 4, 4, "8000", given, here)
    words = [word for name, text in named.items() for word in (name, text)]
    return Made(
        {"image": "registry.example/sglang:1", "command": ["serve", *words]},
        FakeFacts(Role.ENGINE, servings=(serving,)),
    )


def plain(role: Role, **data: Any) -> Made:
    return Made({"image": f"registry.example/{role.value.replace(' ', '-')}:1", **data}, FakeFacts(role))


def image(text: str, made: Made) -> Made:
    """The same service with another image, read as Docker reads it."""
    name, _, tag = text.rpartition(":")
    registry, _, repository = name.partition("/")
    ref = ImageRef(text, registry, repository, tag, None, True, Place.of_line("compose.yaml", 1))
    return Made({**made.data, "image": text}, replace(made.facts, image=ref))


def project(path: str, services: Mapping[str, Made], **sections: Mapping[str, Any]) -> Project:
    tops = {name: {key: value(each, path) for key, each in entries.items()} for name, entries in sections.items()}
    configs = tops.get("configs", {})
    return Project(
        path=path,
        files=(path,),
        name="meadow",
        name_at=None,
        services={
            name: Service(
                name, Place.of_line(path, 1), value(dict(made.data), path), configs, lambda _, m=made: m.facts
            )
            for name, made in services.items()
        },
        networks=tops.get("networks", {}),
        volumes=tops.get("volumes", {}),
        configs=configs,
        secrets=tops.get("secrets", {}),
        problems=(),
        variables=(),
    )


def move(before: Project | None, after: Project | None) -> Move:
    return Move(before, after)


def changed(
    path: str, status: FileStatus = FileStatus.MODIFIED, *, comments_only: bool = False, old: str = ""
) -> FileChange:
    return FileChange(path, old or path, status, FileKind.TEXT, comments_only=comments_only)


def change(*moves: Move, files: tuple[FileChange, ...] = (), pull: Pull = PULL, **more: Any) -> Change:
    """A change of these projects; their files are modified unless `files` says otherwise."""
    told = {file.path for file in files}
    rest = tuple(changed(each.path) for each in moves if each.path not in told)
    return Change(pull, Settings(), (*rest, *files), Estate({}, {}), Estate({}, {}), moves, **more)


def finding(
    rule: str = "cold-start-coupling",
    level: Level = Level.WARNING,
    where: str = "prod/meadow.yaml:12",
    *,
    title: str = "A cold start now also depends on a new step",
    says: str = "`engine` waits for `downloader` to complete successfully.",
    do: str = "Accept it knowingly.",
    about: tuple[str, ...] = (),
    related: tuple[tuple[str, str], ...] = (),
    twins: tuple[str, ...] = (),
    certainty: Certainty = Certainty.SURE,
    inherited: bool = False,
) -> Finding:
    return Finding(
        rule=rule,
        level=level,
        certainty=certainty,
        at=at(where),
        service=None,
        title=title,
        says=says,
        do=do,
        related=tuple(Related(at(place), text) for place, text in related),
        about=about or (rule, where),
        twins=tuple(at(place) for place in twins),
        inherited=inherited,
    )


def review(
    subject: Change | None = None, found: Findings | None = None, *, stack: Stack | None = None, **asked: Any
) -> Review:
    """A review as the program makes it: rounds from the pull request's previous comment, then the build."""
    subject = subject or change()
    found = found or Findings()
    verdict = verdict_of(found, subject.conflicts, stack)
    round_ = advance(subject.pull, found, verdict, conflicts=subject.conflicts, **asked)
    return build(subject, found, round_, stack=stack)
