"""What stays and is in the way of what must be created: container names and host ports."""

from __future__ import annotations

from msgspec.structs import replace

from bot.deploy import words
from bot.deploy.state import State
from bot.model.claims import contested
from bot.model.plan import Operation, Verb
from bot.model.text import code


def in_the_way(operation: Operation, base: State, head: State, staying: list[Operation]) -> Operation:
    """The operation, or the conflict it ends in with a service that goes on running."""
    service = head.services[operation.service]
    for each in staying:
        holder = base.services[each.service]
        names = sorted(base.containers(holder.name) & head.containers(service.name))
        things = [f"the container name {code(name)}" for name in names]
        things.extend(f"the host port {code(port)}" for port in contested(holder, service).ports)
        if things:
            return replace(operation, verb=Verb.CONFLICT, cause=words.conflict(things, holder.name))
    return operation
