"""One service of a resolved project, with typed views of its canonical form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from bot.model.duration import seconds
from bot.model.facts import Facts
from bot.model.place import Place
from bot.model.value import Value

DEFAULT_STOP_SECONDS = 10.0  # Docker's own, when a container states no stop_grace_period


class Condition(StrEnum):
    STARTED = "service_started"
    HEALTHY = "service_healthy"
    COMPLETED = "service_completed_successfully"


class Wait(Struct, frozen=True):
    """One edge of the start order: this service waits for another.

    `at` runs from the `depends_on` key to the end of this entry; `via` names the field the edge comes
    from: `depends_on`, or `network_mode`, `ipc`, `pid`, `links`, `volumes_from`, which imply one.
    """

    service: str
    condition: Condition
    required: bool
    restart: bool
    via: str
    at: Place


class Port(Struct, frozen=True):
    target: str
    published: str | None  # None: a port of the engine's choice
    host_ip: str | None
    protocol: str
    at: Place


class Mount(Struct, frozen=True):
    kind: str  # "volume", "bind", "tmpfs", "npipe", "cluster", "image"
    source: str | None  # a volume's key or a path; None for an anonymous volume
    target: str
    read_only: bool
    at: Place


class Grant(Struct, frozen=True):
    """A config or secret that a service mounts as a file."""

    source: str  # key of the top-level config or secret
    target: str
    mode: str | None
    at: Place


class Healthcheck(Struct, frozen=True):
    """Times in seconds; Docker's defaults are filled in."""

    test: tuple[str, ...]
    interval: float
    timeout: float
    retries: int
    start_period: float
    disabled: bool
    at: Place

    @property
    def seconds_until_unhealthy(self) -> float:
        """How long a container that never answers is waited for."""
        return self.start_period + self.retries * self.interval


class Reservation(Struct, frozen=True):
    """Devices that a service reserves. `count` is -1 for all, None when ids are given."""

    driver: str | None
    device_ids: tuple[str, ...]
    count: int | None
    capabilities: tuple[str, ...]
    at: Place


class Service(Struct, frozen=True, eq=False, dict=True):
    """A service as Compose resolves it.

    `value` is its canonical form (every short form expanded, as `docker compose config` prints it) with
    the origin of each part; `configs` are the project's top-level configs, so that the bodies it mounts
    can be read. Two services are the same object or not the same: compare `value.plain()`.
    """

    name: str
    at: Place  # of its key
    value: Value
    configs: Mapping[str, Value]
    read_facts: Callable[[Service], Facts]

    @cached_property
    def facts(self) -> Facts:
        return self.read_facts(self)

    @cached_property
    def environment(self) -> Mapping[str, Value]:
        return self.value.mapping("environment")

    @cached_property
    def labels(self) -> Mapping[str, Value]:
        return self.value.mapping("labels")

    @cached_property
    def profiles(self) -> tuple[str, ...]:
        return tuple(profile.as_text for profile in self.value.sequence("profiles"))

    @property
    def container_name(self) -> str | None:
        return self.value.text("container_name")

    @property
    def restart(self) -> str:
        """The restart policy, `no` when none is written."""
        return self.value.text("restart") or "no"

    @cached_property
    def stop_seconds(self) -> float:
        stated = self.value.text("stop_grace_period")
        return DEFAULT_STOP_SECONDS if stated is None else seconds(stated, DEFAULT_STOP_SECONDS)

    @cached_property
    def waits(self) -> tuple[Wait, ...]:
        """What this service waits for, stated and implied; a stated edge hides an implied one."""
        stated = [
            _stated(name, edge, self.value.get("depends_on")) for name, edge in self.value.mapping("depends_on").items()
        ]
        names = {wait.service for wait in stated}
        return (*stated, *(wait for wait in _implied(self.value) if wait.service not in names))

    def wait_for(self, name: str) -> Wait | None:
        return next((wait for wait in self.waits if wait.service == name), None)

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        return tuple(
            Port(
                target=port.text("target") or "",
                published=port.text("published"),
                host_ip=port.text("host_ip"),
                protocol=port.text("protocol") or "tcp",
                at=port.at,
            )
            for port in self.value.sequence("ports")
        )

    @cached_property
    def mounts(self) -> tuple[Mount, ...]:
        return tuple(
            Mount(
                kind=mount.text("type") or "volume",
                source=mount.text("source"),
                target=mount.text("target") or "",
                read_only=mount.text("read_only") == "true",
                at=mount.at,
            )
            for mount in self.value.sequence("volumes")
        )

    @cached_property
    def config_files(self) -> tuple[Grant, ...]:
        return _grants(self.value, "configs")

    @cached_property
    def bodies(self) -> Mapping[str, str]:
        """The text of each inline config that this service mounts, by the config's key."""
        found = {grant.source: self.configs.get(grant.source) for grant in self.config_files}
        return {
            name: content
            for name, config in found.items()
            if config and (content := config.text("content")) is not None
        }

    @cached_property
    def secret_files(self) -> tuple[Grant, ...]:
        return _grants(self.value, "secrets")

    @cached_property
    def networks(self) -> tuple[str, ...]:
        return tuple(self.value.mapping("networks"))

    @cached_property
    def healthcheck(self) -> Healthcheck | None:
        found = self.value.get("healthcheck")
        if found is None:
            return None
        test = tuple(part.as_text for part in found.sequence("test"))
        return Healthcheck(
            test=test,
            interval=seconds(found.text("interval"), 30.0),
            timeout=seconds(found.text("timeout"), 30.0),
            retries=_integer(found.text("retries"), 3),
            start_period=seconds(found.text("start_period"), 0.0),
            disabled=found.text("disable") == "true" or test[:1] == ("NONE",),
            at=found.whole,
        )

    @cached_property
    def reservations(self) -> tuple[Reservation, ...]:
        devices = (
            *self.value.sequence("deploy", "resources", "reservations", "devices"),
            *self.value.sequence("gpus"),
        )
        return tuple(
            Reservation(
                driver=device.text("driver"),
                device_ids=tuple(part.as_text for part in device.sequence("device_ids")),
                count=None if device.sequence("device_ids") else _integer(device.text("count"), -1),
                capabilities=tuple(part.as_text for part in device.sequence("capabilities")),
                at=(device.get("device_ids") or device).whole,
            )
            for device in devices
        )

    def argv(self, field_name: str) -> tuple[Value, ...]:
        """The words of `command` or `entrypoint`, each with its place; empty when it is not set."""
        return self.value.sequence(field_name)


_CONDITIONS = {each.value: each for each in Condition}


def _stated(name: str, edge: Value, block: Value | None) -> Wait:
    entry = edge.whole
    opens = block.key_at if block is not None else None
    return Wait(
        service=name,
        condition=_CONDITIONS.get(
            edge.text("condition") or "", Condition.STARTED
        ),  # an unknown one is a problem of its file
        required=edge.text("required") != "false",
        restart=edge.text("restart") == "true",
        via="depends_on",
        at=opens.through(entry)
        if opens is not None and opens.file == entry.file and opens.line <= entry.line
        else entry,
    )


def _implied(value: Value) -> list[Wait]:
    found: list[tuple[str, str, bool, Place]] = []
    for name in ("network_mode", "ipc", "pid"):
        mode = value.get(name)
        if mode is not None and mode.as_text.startswith("service:"):
            found.append((mode.as_text.removeprefix("service:"), name, True, mode.whole))
    for name, restart in (("links", True), ("volumes_from", False)):
        for part in value.sequence(name):
            target = part.as_text.removeprefix("service:")
            if not part.as_text.startswith("container:"):
                found.append((target.split(":", 1)[0], name, restart, part.at))
    return [Wait(target, Condition.STARTED, True, restart, via, at) for target, via, restart, at in found]


def _grants(value: Value, name: str) -> tuple[Grant, ...]:
    return tuple(
        Grant(
            source=part.text("source") or "",
            target=part.text("target") or f"/{part.text('source') or ''}",
            mode=part.text("mode"),
            at=part.at,
        )
        for part in value.sequence(name)
    )


def _integer(text: str | None, default: int) -> int:
    if text == "all":
        return -1
    try:
        return default if text is None else int(text)
    except ValueError:  # a variable that nothing sets
        return default
