"""A review: everything that a page shows, and nothing that a page must work out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from bot.model.change import FileStatus
from bot.model.facts import Role
from bot.model.finding import Check, Crash, Excluded, Finding, Findings, Gap, Level
from bot.model.place import Place
from bot.model.plan import Plan, Prerequisite
from bot.model.pull import Repository, Trigger


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    INCOMPLETE = "incomplete"  # something was not seen: never a pass, whatever was found


class Activity(Struct, frozen=True):
    """What one round came to: a row of the activity table."""

    round: int
    verdict: Verdict
    blocking: int
    follow_ups: int
    at: str  # ISO 8601 in UTC
    commit: str
    base: str  # the branch, as a person names it
    base_sha: str
    trigger: Trigger


class Known(Struct, frozen=True):
    """A finding as an earlier round left it."""

    fingerprint: str
    rule: str
    level: Level
    since: int  # the round that first saw it
    file: str = ""  # empty when memory had no room for it
    title: str = ""


class Ending(StrEnum):
    GONE = "gone"  # the rule ran over everything and does not find it any more
    EXCLUDED = "excluded"  # words now leave it out


class Resolved(Struct, frozen=True):
    known: Known
    ending: Ending


class NotRechecked(Struct, frozen=True):
    """Not found again, but nothing could be concluded from that."""

    known: Known
    why: str


class Ignore(Struct, frozen=True):
    """A maintainer's wish to hear no more of one finding. It ends when the finding changes."""

    fingerprint: str
    rule: str
    by: str
    because: str
    at: str = ""


class IgnoreRequest(Struct, frozen=True):
    """The command `ignore RULE [path] because …`, before it is known which findings it covers."""

    rule: str
    path: str  # empty: in every file
    by: str
    because: str
    at: str = ""


class Ignored(Struct, frozen=True):
    finding: Finding
    ignore: Ignore


class Round(Struct, frozen=True):
    """This run's findings in the light of the rounds before it."""

    number: int
    findings: tuple[Finding, ...]  # with status and `since`
    resolved: tuple[Resolved, ...] = ()
    not_rechecked: tuple[NotRechecked, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    activity: tuple[Activity, ...] = ()
    note: str = ""  # what is not known of earlier rounds, and why


class FileLine(Struct, frozen=True):
    path: str
    status: FileStatus
    comments_only: bool
    old_path: str = ""  # where it was, when renamed
    name: str = ""  # a short one that tells it from the others; empty where the path is short enough


class ChangeKind(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"


class ServiceLine(Struct, frozen=True):
    """A service that resolves differently. `detail` are facts such as `+ download org/name@revision`."""

    file: str
    service: str
    role: Role
    change: ChangeKind
    fields: tuple[str, ...]
    detail: tuple[str, ...]


class ResourceLine(Struct, frozen=True):
    """A top-level network, volume, config or secret that differs."""

    file: str
    kind: str  # the section's key: "networks", "volumes", "configs", "secrets"
    name: str
    change: ChangeKind


class StatementLine(Struct, frozen=True):
    """What the author says, and whether the model bears it out."""

    said_in: str
    quote: str
    holds: bool
    at: Place | None = None
    told: bool = False  # the summary's text says it already


class Summary(Struct, frozen=True):
    """`text` is our prose: foreign words in it stand between backticks."""

    text: str = ""
    files: tuple[FileLine, ...] = ()
    services: tuple[ServiceLine, ...] = ()
    resources: tuple[ResourceLine, ...] = ()
    statements: tuple[StatementLine, ...] = ()
    all_told: bool = True  # whether `text` speaks of every service and resource above


class Targeted(Struct, frozen=True):
    """The command that brings up the only service that the deploy touches."""

    service: str
    command: str


class Needs(StrEnum):
    """What a stacked pull request needs next."""

    NOTHING_YET = "nothing-yet"
    RETARGET = "retarget"
    RETARGET_AND_MERGE = "retarget-and-merge"
    REBASE = "rebase"
    REBASE_AND_RETARGET = "rebase-and-retarget"
    REOPEN = "reopen"
    CLOSE = "close"
    RELAND = "reland"
    DISARM_AUTO_MERGE = "disarm-auto-merge"


class StackEntry(Struct, frozen=True):
    """One neighbour in the stack. `say` is our prose; `commands` are lines to paste, empty for none."""

    number: int
    needs: Needs
    say: str
    commands: tuple[str, ...] = ()


class Stack(Struct, frozen=True):
    parent: StackEntry | None = None
    children: tuple[StackEntry, ...] = ()
    say: str = ""  # what holds for the stack as a whole
    blocks: bool = False  # merging now loses or doubles work
    picture: str = ""  # Mermaid, for a stack of three or more
    refers: tuple[int, ...] = ()  # more pull requests that the sentences name

    @property
    def numbers(self) -> frozenset[int]:
        """The pull requests that may be referred to."""
        entries = (*((self.parent,) if self.parent else ()), *self.children)
        return frozenset((*(entry.number for entry in entries), *self.refers)) - {0}


class Answer(Struct, frozen=True):
    """What a command asked, answered in the comment until the next round. `text` is Markdown of ours."""

    asked: str
    by: str
    text: str


class Review(Struct, frozen=True):
    verdict: Verdict
    round: int
    repository: Repository
    number: int | None
    base_name: str
    head_name: str
    base_sha: str
    head_sha: str
    draft: bool = False
    summary: Summary = field(default_factory=Summary)
    findings: tuple[Finding, ...] = ()
    resolved: tuple[Resolved, ...] = ()
    not_rechecked: tuple[NotRechecked, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    excluded: tuple[tuple[str, Excluded], ...] = ()
    plans: tuple[Plan, ...] = ()
    targeted: Targeted | None = None
    prerequisites: tuple[Prerequisite, ...] = ()
    stack: Stack = field(default_factory=Stack)
    checks: tuple[Check, ...] = ()
    gaps: tuple[Gap, ...] = ()
    crashes: tuple[Crash, ...] = ()
    conflicts: tuple[str, ...] = ()  # files that do not merge with the live base
    inherited: int = 0  # findings that base has too, which are not shown
    activity: tuple[Activity, ...] = ()
    note: str = ""
    diff_lines: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)  # of head, first to last
    compose: bool = True  # whether a Compose project is touched at all
    answer: Answer | None = None
    run: int = 0  # orders the runs that may write the same comment; 0 outside of a workflow

    @property
    def blocking(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if blocks(finding))

    @property
    def follow_ups(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.level is Level.WARNING and not each.inherited)

    @property
    def notes(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.level is Level.NOTE and not each.inherited)

    @property
    def owed_elsewhere(self) -> tuple[Finding, ...]:
        """Findings that this pull request has from the one it builds on."""
        return tuple(finding for finding in self.findings if finding.inherited)


def blocks(finding: Finding) -> bool:
    return finding.level is Level.ERROR and not finding.inherited


def verdict_of(found: Findings, conflicts: tuple[str, ...] = (), stack: Stack | None = None) -> Verdict:
    """What this run alone says: memory and ignores have no part in it.

    A file that does not merge with the live base was not seen as it would land: that is a gap too.
    """
    if found.gaps or found.crashes or conflicts:
        return Verdict.INCOMPLETE
    if any(blocks(finding) for finding in found.findings) or (stack is not None and stack.blocks):
        return Verdict.FAIL
    return Verdict.PASS
