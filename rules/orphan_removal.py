"""A service leaves the file while its container runs, and something new needs what that container holds.

For Docker Compose a renamed service is a removed one and a new one. With `--remove-orphans` the old container is
stopped (with the grace period it was created with) and removed before anything is created; the new one starts only
then, so nothing serves in between. Without the flag the old container goes on running and keeps its container name,
its host ports and its GPU memory: the new one fails on them.

## Before

```yaml
services:
  engine-fp8:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  nginx:
    image: registry.example/nginx:1
    ports: ["8000:80"]
```

## Flagged: renamed on the same GPUs

```yaml
services:
  engine-fp4:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  nginx:
    image: registry.example/nginx:1
    ports: ["8000:80"]
```

## Flagged: the port is taken over

```yaml
services:
  engine-fp8:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  caddy:
    image: registry.example/caddy:1
    ports: ["8000:80"]
```

## Accepted: a new service beside the old ones

```yaml
services:
  engine-fp8:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    stop_grace_period: 5m
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  engine-fp4:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["2", "3"], capabilities: [gpu]}]}}}
  nginx:
    image: registry.example/nginx:1
    ports: ["8000:80"]
```

## Accepted: the service stays, its definition changes

```yaml
services:
  engine-fp8:
    image: registry.example/vllm:2
    command: vllm serve acme/tiny
    stop_grace_period: 5m
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
  nginx:
    image: registry.example/nginx:1
    ports: ["8000:80"]
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.change import Change, Deploy
from bot.model.claims import Contested, contested
from bot.model.duration import spoken
from bot.model.facts import Role
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Operation, Reason, Verb
from bot.model.service import Service
from bot.model.text import code, codes, listed
from bot.rulebook import rule

_MISSED = frozenset({Role.ENGINE, Role.DATABASE, Role.WEB_SERVER, Role.PROXY})


@dataclass(frozen=True)
class _Succession:
    operation: Operation
    holder: Service
    needer: Service
    about: Contested


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        gone = [each for each in deploy.plan.operations if each.reason is Reason.GONE]
        successions = list(_successions(deploy, gone))
        removed = [each for each in successions if each.operation.verb is Verb.REMOVE_ORPHAN]
        if removed:
            yield _giving_way(removed)
        yield from (_blocked(each) for each in successions if each.operation.verb is not Verb.REMOVE_ORPHAN)
        followed = {each.holder.name for each in removed}
        rest = [each for each in gone if each.service not in followed and each.stop_seconds is not None]
        if rest:
            yield _merely_removed(change, deploy, rest)


def _successions(deploy: Deploy, gone: list[Operation]) -> Iterator[_Succession]:
    new = [deploy.head.services[name] for name in deploy.plan.of(Verb.CREATE, Verb.CONFLICT)]
    for each in gone:
        holder = deploy.base.services[each.service]
        for needer in new:
            about = contested(holder, needer)
            if about:
                yield _Succession(each, holder, needer, about)


def _giving_way(removed: list[_Succession]) -> Found:
    steps = [
        f"{code(each.holder.name)} (up to {spoken(each.operation.stop_seconds or 0)}) gives way to {code(each.needer.name)} "
        f"on {_things(each.about)}"
        for each in removed
    ]
    missed = any(each.holder.facts.role in _MISSED or each.about.ports for each in removed)
    first = removed[0]
    return Found(
        at=first.needer.at,
        about=tuple(sorted({f"{each.holder.name} > {each.needer.name}" for each in removed})),
        title="A running service is removed before its successor can start",
        says=f"Left out of the file, an orphan is stopped and removed before anything is created: {listed(steps)}. Nothing serves in between.",
        do="Plan for that gap, or keep the service's name.",
        service=first.needer.name if len(removed) == 1 else None,
        related=tuple(Related(each.needer.at, f"takes over from {code(each.holder.name)}") for each in removed),
        level=Level.WARNING if missed else Level.NOTE,
    )


def _blocked(each: _Succession) -> Found:
    fails = (
        "so it cannot start and `up` ends with an error"
        if each.about.exclusive
        else "so there may be no memory left for it"
    )
    return Found(
        at=each.needer.at,
        about=("kept", each.holder.name, each.needer.name),
        title="A service that left the file still holds what its successor needs",
        says=(
            f"{code(each.holder.name)} is no longer in the file, but the deploy command does not remove orphans: it keeps running "
            f"and holds {_things(each.about)}, which {code(each.needer.name)} needs, {fails}."
        ),
        do=f"Deploy with `--remove-orphans`, or stop {code(each.holder.name)} first.",
        service=each.needer.name,
        level=Level.ERROR if each.about.exclusive else Level.WARNING,
    )


def _merely_removed(change: Change, deploy: Deploy, rest: list[Operation]) -> Found:
    names = sorted(each.service for each in rest)
    longest = max(each.stop_seconds or 0 for each in rest)
    one = len(rest) == 1
    return Found(
        at=change.where_gone(deploy.base.services[names[0]].at, deploy.head.path),
        about=("removed", *names),
        title="A running service is removed" if one else "Running services are removed",
        says=(
            f"{codes(names)} {'leaves' if one else 'leave'} the file: the running {'container is' if one else 'containers are'} "
            f"stopped (up to {spoken(longest)}) and removed as {'an orphan' if one else 'orphans'}."
        ),
        do="Check that nothing needs them any more." if not one else "Check that nothing needs it any more.",
        service=names[0] if one else None,
        level=Level.NOTE,
    )


def _things(about: Contested) -> str:
    things = []
    if about.gpus:
        things.append(f"GPU {', '.join(about.gpus)}")
    if about.ports:
        things.append(f"the host port {codes(about.ports)}")
    if about.container_name:
        things.append(f"the container name {code(about.container_name)}")
    return listed(things)
