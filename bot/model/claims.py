"""What two containers cannot hold at once: host ports, container names, and in practice a GPU's memory."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bot.model.facts import Role
from bot.model.service import Port, Service

# These reserve GPUs to watch them or to attest them, and leave their memory alone.
_ONLOOKERS = frozenset({Role.TELEMETRY, Role.PROXY, Role.WEB_SERVER, Role.REGISTRAR, Role.MAINTENANCE})
_EVERYWHERE = (None, "", "0.0.0.0", "::")
ALL = "all"


class Contested(Struct, frozen=True):
    """What one service holds and another needs."""

    gpus: tuple[str, ...] = ()  # device ids, or "all"
    ports: tuple[str, ...] = ()  # of the host
    container_name: str | None = None

    def __bool__(self) -> bool:
        return bool(self.gpus or self.ports or self.container_name)

    @property
    def exclusive(self) -> bool:
        """Whether Docker itself refuses the second one; two containers may share a GPU until its memory is full."""
        return bool(self.ports or self.container_name)


def contested(holder: Service, needer: Service) -> Contested:
    name = holder.container_name
    return Contested(
        gpus=_gpus(holder, needer),
        ports=tuple(_ports(holder, needer)),
        container_name=name if name is not None and name == needer.container_name else None,
    )


def _gpus(holder: Service, needer: Service) -> tuple[str, ...]:
    if {holder.facts.role, needer.facts.role} & _ONLOOKERS:
        return ()
    held, needed = gpu_ids(holder), gpu_ids(needer)
    if ALL in held or ALL in needed:
        return (ALL,) if held and needed else ()
    return tuple(sorted(held & needed, key=lambda each: (len(each), each)))


def gpu_ids(service: Service) -> set[str]:
    """The GPUs a service reserves by id, or "all". A mere count leaves the choice to the engine: nothing is known."""
    found: set[str] = set()
    for each in service.reservations:
        if each.driver == "nvidia" or "gpu" in each.capabilities:
            found |= {ALL} if each.count == -1 else set(each.device_ids)
    return found


def _ports(holder: Service, needer: Service) -> Iterator[str]:
    taken = {
        rival.published for port in needer.ports for rival in holder.ports if port.published and _meet(port, rival)
    }
    yield from sorted(each for each in taken if each)


def _meet(one: Port, other: Port) -> bool:
    if (one.published, one.protocol) != (other.published, other.protocol):
        return False
    return one.host_ip == other.host_ip or one.host_ip in _EVERYWHERE or other.host_ip in _EVERYWHERE
