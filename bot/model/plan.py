"""What a deploy will do: operations, each with its cause."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from bot.model.place import Place
from bot.model.service import Condition


class PlanKind(StrEnum):
    WARM = "warm"  # the same project, from base to head
    COLD = "cold"  # from nothing to head
    SWITCH = "switch"  # a host moves from one file to another


class Verb(StrEnum):
    CREATE = "create"
    RECREATE = "recreate"
    REMOVE = "remove"  # still in the file, but fewer of it, or all of it taken down first
    REMOVE_ORPHAN = "remove-orphan"
    RESTART = "restart"  # the same container, stopped and started
    RERUN = "rerun"
    KEEP = "keep"
    KEEP_STALE = "keep-stale"
    KEEP_UNMANAGED = "keep-unmanaged"
    CONFLICT = "conflict"  # cannot be created or started: something that stays holds its name or its port


class Reason(StrEnum):
    """The kind of an operation's cause; `Operation.cause` is the sentence."""

    NEW = "new"  # not in the file before
    ENABLED = "enabled"  # behind a profile before
    DEFINITION = "definition"  # the container was made from other fields
    OWNER = "owner"  # the service whose namespace or volumes it shares is recreated
    ATTACHMENT = "attachment"  # its network or volume has another name now
    NETWORK = "network"  # the definition of a network it is attached to
    VOLUME = "volume"  # the definition of a volume it mounts
    DEPENDENCY = "dependency"  # `depends_on` with `restart: true`, or `links`
    CONFIG = "config"  # only the body of an inline config it mounts
    ONE_SHOT = "one-shot"  # has ended, and is started by every `up`
    SCALE = "scale"
    PROFILE = "profile"  # behind a profile that the deploy does not enable
    GONE = "gone"  # not in the file any more
    PROJECT = "project"  # runs under the project name of before
    COMMAND = "command"  # the deploy command asks for it
    NOT_ASKED = "not-asked"  # the deploy command names other services
    UNCHANGED = "unchanged"


class Operation(Struct, frozen=True):
    """What happens to one service. `cause` is a phrase for people, without a full stop."""

    service: str
    verb: Verb
    cause: str
    at: Place | None = None
    stop_seconds: float | None = None  # of the running container: how long it gets, when one stops
    changed: bool = False  # a rerun whose definition changed, as against one that merely runs again
    reason: Reason = Reason.UNCHANGED
    fields: tuple[str, ...] = ()  # what differs and makes it so: the service's fields, or keys of what it uses


class Gate(Struct, frozen=True):
    """A service that others wait for to finish or to be healthy."""

    service: str
    condition: Condition
    waiting: tuple[str, ...]  # who waits for it in this way
    down: tuple[str, ...]  # everything that stays down while it fails, through edges of any kind
    new: tuple[str, ...]  # of `waiting`: who did not wait so before
    at: Place


class Redefined(Struct, frozen=True):
    """A network or volume that started services use, under the same name as before but defined otherwise."""

    kind: str  # "network" or "volume"
    key: str
    name: str  # on the host
    fields: tuple[str, ...]  # what differs
    made_anew: bool  # networks always; volumes only with -y, and then empty
    at: Place


class Danger(Struct, frozen=True):
    """What goes wrong in this very deploy if one step of it fails."""

    says: str
    at: Place | None = None


class Plan(Struct, frozen=True):
    """What one deploy command does for one file, in the order it happens; what is kept comes last."""

    path: str
    kind: PlanKind
    command: str
    operations: tuple[Operation, ...]
    before: str = ""  # the file that was deployed, for a switch
    project: str = ""  # the project name Compose uses
    together: tuple[str, ...] = ()  # the files that one command loads, where they are several
    profile: str = ""  # taken for enabled: nothing of the file starts without one, and most services name this
    removes_orphans: bool = False
    redefined: tuple[Redefined, ...] = ()
    gates: tuple[Gate, ...] = ()
    dangers: tuple[Danger, ...] = ()
    graph: str = ""  # Mermaid text of the gates, where they changed
    unknown: str = ""  # why nothing can be foretold; `operations` is empty then

    @property
    def flags(self) -> str:
        """The `-f` flags that name the plan's files."""
        return " ".join(f"-f {file}" for file in self.together or (self.path,))

    def of(self, *verbs: Verb) -> tuple[str, ...]:
        """The services that one of these verbs happens to."""
        return tuple(operation.service for operation in self.operations if operation.verb in verbs)

    def doing(self, *verbs: Verb) -> tuple[Operation, ...]:
        return tuple(operation for operation in self.operations if operation.verb in verbs)

    def operation(self, service: str) -> Operation | None:
        """What happens to a service; what is done comes before what is kept."""
        return next((operation for operation in self.operations if operation.service == service), None)

    @property
    def acts(self) -> tuple[Operation, ...]:
        """The operations that this change brings about: not what is kept, nor what runs again every time."""
        return tuple(
            each for each in self.operations if each.verb in ACTS or (each.verb is Verb.RERUN and each.changed)
        )


ACTS = (Verb.CREATE, Verb.RECREATE, Verb.REMOVE, Verb.REMOVE_ORPHAN, Verb.RESTART, Verb.CONFLICT)


class PrerequisiteKind(StrEnum):
    VARIABLE = "variable"
    DISK = "disk"
    IMAGE = "image"
    VOLUME = "volume"
    NETWORK = "network"
    PORT = "port"


class Prerequisite(Struct, frozen=True):
    """Something the operator must see to before the deploy."""

    kind: PrerequisiteKind
    text: str
    at: Place
    blocks: bool = False  # without it every command on the file fails
