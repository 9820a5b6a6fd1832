"""Decides what `up` does to each service of a project that runs already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from bot.deploy import words
from bot.deploy.command import Recreate
from bot.deploy.conflict import in_the_way
from bot.deploy.identity import differing
from bot.deploy.state import State
from bot.model.plan import Operation, Reason, Redefined, Verb
from bot.model.service import Service

_OWNING = ("network_mode", "ipc", "pid", "volumes_from")


@dataclass
class _Pass:
    """One walk over head's services in start order. `recreated` grows as it goes: cascades read it."""

    base: State
    head: State
    redefined: tuple[Redefined, ...]
    recreated: set[str] = field(default_factory=set)

    def otherwise(self, kind: str, keys: Iterable[str]) -> tuple[str, ...]:
        """Which of these networks or volumes are defined otherwise than before."""
        changed = {each.key for each in self.redefined if each.kind == kind}
        return tuple(key for key in keys if key in changed)


def decide(base: State, head: State, changed: tuple[Redefined, ...]) -> tuple[Operation, ...]:
    """From what runs to what the command makes of it: removals, what is done in start order, what is kept."""
    walk = _Pass(base, head, changed)
    left = list(_left(base, head))
    staying = [each for each in left if each.verb is Verb.KEEP_UNMANAGED]
    arriving: list[Operation] = []
    for name, service in head.services.items():
        if name in base.services and base.name == head.name:
            arriving.extend(_staying(walk, base.services[name], service))
        elif name in head.asked:
            arriving.append(in_the_way(_created(base, head, service), base, head, staying))
    removed = [each for each in left if each.verb is Verb.REMOVE_ORPHAN]
    kept = [each for each in arriving if each.verb in (Verb.KEEP, Verb.KEEP_STALE)]
    done = [each for each in arriving if each not in kept]
    kept.sort(key=lambda each: each.verb is Verb.KEEP)
    return (*removed, *done, *staying, *kept)


def _left(base: State, head: State) -> Iterator[Operation]:
    """What becomes of running services that head does not start."""
    for name, before in base.services.items():
        if base.name != head.name:
            yield Operation(name, Verb.KEEP_UNMANAGED, words.project(base.said_name), before.at, reason=Reason.PROJECT)
        elif name in head.project.services:
            after = head.project.services[name]
            if name not in head.services:
                at = (after.value.get("profiles") or after.value).whole
                yield Operation(name, Verb.KEEP_UNMANAGED, words.profile(after.profiles), at, reason=Reason.PROFILE)
        elif head.command.orphans_go:
            yield Operation(
                name, Verb.REMOVE_ORPHAN, words.ORPHAN, before.at, _stop(base, head, name), reason=Reason.GONE
            )
        else:
            yield Operation(name, Verb.KEEP_UNMANAGED, words.gone(file=False), before.at, reason=Reason.GONE)


def _created(base: State, head: State, service: Service) -> Operation:
    if base.name != head.name and service.name in base.services:
        return Operation(
            service.name, Verb.CREATE, words.fresh_project(head.said_name), service.at, reason=Reason.PROJECT
        )
    if service.name in base.project.services:
        return Operation(service.name, Verb.CREATE, words.ENABLED, service.at, reason=Reason.ENABLED)
    return Operation(service.name, Verb.CREATE, words.NEW, service.at, reason=Reason.NEW)


def _staying(walk: _Pass, before: Service, after: Service) -> Iterator[Operation]:
    """What happens to a service that runs and goes on being started."""
    name = after.name
    old, new = walk.base.replicas(name), walk.head.replicas(name)
    if old and new:
        found = _decided(walk, before, after)
        if found.verb is Verb.RECREATE:
            walk.recreated.add(name)
        if found.verb in (Verb.RECREATE, Verb.RESTART):
            found = replace(found, stop_seconds=_stop(walk.base, walk.head, name))
        yield found
    if old != new and name in walk.head.asked:
        verb = Verb.CREATE if new > old else Verb.REMOVE
        stop = _stop(walk.base, walk.head, name) if verb is Verb.REMOVE else None
        yield Operation(name, verb, words.scale(old, new), after.at, stop, reason=Reason.SCALE)


def _decided(walk: _Pass, before: Service, after: Service) -> Operation:
    command, name = walk.head.command, after.name
    if name not in walk.head.asked:
        return Operation(name, Verb.KEEP, words.NOT_ASKED, after.at, reason=Reason.NOT_ASKED)
    policy = command.recreate if not command.services or name in command.services else command.dependencies
    if command.down_first:
        return Operation(name, Verb.RECREATE, words.DOWN, after.at, reason=Reason.COMMAND)
    found = None
    if policy is not Recreate.NEVER:
        found = _recreated(walk, before, after)
        if found is None and policy is Recreate.ALWAYS:
            found = Operation(name, Verb.RECREATE, words.FORCED, after.at, reason=Reason.COMMAND)
    return found or _restarted(walk, after) or _kept(walk, before, after, never=policy is Recreate.NEVER)


def _recreated(walk: _Pass, before: Service, after: Service) -> Operation | None:
    name = after.name
    fields = differing(before, after)
    if fields:
        again = name in walk.head.one_shots
        cause = words.definition(fields, again=again)
        at = (after.value.get(fields[0]) or after.value).whole if fields[0] in after.value.plain() else after.at
        return Operation(name, Verb.RECREATE, cause, at, changed=again, reason=Reason.DEFINITION, fields=fields)
    for wait in after.waits:
        if wait.service in walk.recreated and (via := _owning(after, wait.service)):
            return Operation(name, Verb.RECREATE, words.owner(via, wait.service), wait.at, reason=Reason.OWNER)
    for kind, old, new in (
        ("network", walk.base.networks(name), walk.head.networks(name)),
        ("volume", walk.base.volumes(name), walk.head.volumes(name)),
    ):
        moved = [
            (walk.base.shown(old[key]), walk.head.shown(new[key])) for key in new if key in old and old[key] != new[key]
        ]
        if moved:
            return Operation(name, Verb.RECREATE, words.attachment(kind, moved), after.at, reason=Reason.ATTACHMENT)
    mounted = walk.otherwise("volume", walk.head.volumes(name))
    if mounted and walk.head.command.volumes_go:
        return Operation(name, Verb.RECREATE, words.volume(mounted, goes=True), after.at, reason=Reason.VOLUME)
    return None


def _owning(service: Service, owner: str) -> str | None:
    """The field through which a service lives in another one's namespace or volumes."""
    for name in _OWNING[:3]:
        if service.value.text(name) == f"service:{owner}":
            return name
    shared = {part.as_text.split(":", 1)[0] for part in service.value.sequence("volumes_from")}
    return "volumes_from" if owner in shared else None


def _restarted(walk: _Pass, after: Service) -> Operation | None:
    name, command = after.name, walk.head.command
    if name in walk.head.one_shots:
        return None  # it has ended: there is nothing to stop
    attached = walk.otherwise("network", walk.head.networks(name))
    if attached:
        return Operation(name, Verb.RESTART, words.network(attached), after.at, reason=Reason.NETWORK, fields=attached)
    for wait in after.waits:
        if wait.restart and wait.service in walk.recreated:
            return Operation(name, Verb.RESTART, words.dependency(wait.service), wait.at, reason=Reason.DEPENDENCY)
    if command.restarted is not None and name in (command.restarted or walk.head.services):
        return Operation(name, Verb.RESTART, words.RESTARTED, after.at, reason=Reason.COMMAND)
    return None


def _kept(walk: _Pass, before: Service, after: Service, *, never: bool) -> Operation:
    name = after.name
    bodies = sorted(key for key, text in after.bodies.items() if before.bodies.get(key, text) != text)
    if name in walk.head.one_shots:
        waiting = [
            each.name for each, wait in walk.head.project.waiting.get(name, ()) if each.name in walk.head.services
        ]
        cause = words.config(bodies, applied=True) if bodies else words.one_shot(waiting)
        reason = Reason.CONFIG if bodies else Reason.ONE_SHOT
        return Operation(name, Verb.RERUN, cause, after.at, changed=bool(bodies), reason=reason)
    if bodies:
        config = after.configs[bodies[0]]
        at = (config.get("content") or config).whole
        return Operation(
            name, Verb.KEEP_STALE, words.config(bodies, applied=False), at, reason=Reason.CONFIG, fields=tuple(bodies)
        )
    if never and differing(before, after):
        return Operation(name, Verb.KEEP, words.NEVER, after.at, reason=Reason.COMMAND)
    mounted = walk.otherwise("volume", walk.head.volumes(name))
    if mounted:
        return Operation(name, Verb.KEEP, words.volume(mounted, goes=False), after.at, reason=Reason.VOLUME)
    old, new = before.value.plain(), after.value.plain()
    fields = sorted(field for field in {*old, *new} if old.get(field) != new.get(field))
    cause = words.not_hashed(fields) if fields else words.UNCHANGED
    return Operation(name, Verb.KEEP, cause, after.at)


def _stop(base: State, head: State, name: str) -> float | None:
    """How long a running container gets to stop: what it was created with, unless the command says otherwise."""
    if name in base.one_shots:
        return None
    if head.command.timeout is not None:
        return head.command.timeout
    return base.services[name].stop_seconds
