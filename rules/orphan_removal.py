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

from msgspec import Struct

from bot.model.change import Change, Deploy
from bot.model.claims import Contested, contested
from bot.model.duration import spoken
from bot.model.facts import Role
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Operation, Reason, Verb
from bot.model.service import Service
from bot.model.text import code, codes, counted, listed
from bot.rulebook import rule

_MISSED = frozenset({Role.ENGINE, Role.DATABASE, Role.WEB_SERVER, Role.PROXY})


class _Succession(Struct, frozen=True):
    """A service that leaves, and what takes over what it holds."""

    operation: Operation
    holder: Service
    needers: tuple[Service, ...]
    about: Contested

    @property
    def missed(self) -> bool:
        return self.holder.facts.role in _MISSED or bool(self.about.ports)

    @property
    def stop(self) -> str:
        return spoken(self.operation.stop_seconds or 0)


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    giving_way: list[_Succession] = []
    rest: list[tuple[Deploy, Operation]] = []
    for deploy in change.deploys:
        for each in deploy.plan.operations:
            if each.reason is not Reason.GONE:
                continue
            found = _succession(deploy, each)
            if found is None and each.stop_seconds is not None:
                rest.append((deploy, each))
            elif found is not None and each.verb is Verb.REMOVE_ORPHAN:
                giving_way.append(found)
            elif found is not None:
                yield _blocked(found)
    if giving_way:
        yield _giving_way(sorted(giving_way, key=lambda each: each.holder.facts.role is not Role.ENGINE))
    if rest:
        yield _merely_removed(change, rest)


def _succession(deploy: Deploy, gone: Operation) -> _Succession | None:
    holder = deploy.base.services[gone.service]
    new = [deploy.head.services[name] for name in deploy.plan.of(Verb.CREATE, Verb.CONFLICT)]
    pairs = [(needer, about) for needer in new if (about := contested(holder, needer))]
    if not pairs:
        return None
    about = Contested(
        gpus=tuple(dict.fromkeys(gpu for _, each in pairs for gpu in each.gpus)),
        ports=tuple(dict.fromkeys(port for _, each in pairs for port in each.ports)),
        container_name=next((each.container_name for _, each in pairs if each.container_name), None),
    )
    return _Succession(gone, holder, tuple(needer for needer, _ in pairs), about)


def _giving_way(removed: list[_Succession]) -> Found:
    first = removed[0]
    if len(removed) == 1:
        says = (
            f"{code(first.holder.name)} leaves the file: it is stopped (up to {first.stop}) and removed as an orphan before "
            f"{_names(first)} can start on {_things(first.about)}."
        )
    else:
        steps = [
            f"{code(each.holder.name)} (up to {each.stop}) for {_names(each)} on {_things(each.about)}"
            for each in removed
        ]
        says = (
            f"{counted(len(removed), 'service')} leave their files and are stopped and removed as orphans before their "
            f"successors can start: {listed(steps)}."
        )
    return Found(
        at=first.needers[0].at,
        about=tuple(sorted({each.holder.name for each in removed})),
        title="A running service is removed before its successor can start",
        says=f"{says} Neither serves in between.",
        do="Plan for that gap, or keep the service's name.",
        service=first.needers[0].name if len(removed) == 1 else None,
        related=tuple(Related(each.needers[0].at, f"takes over from {code(each.holder.name)}") for each in removed),
        level=Level.WARNING if any(each.missed for each in removed) else Level.NOTE,
    )


def _names(each: _Succession) -> str:
    return codes([needer.name for needer in each.needers])


def _blocked(each: _Succession) -> Found:
    fails = (
        "so it cannot start and `up` ends with an error" if each.about.exclusive else "so there may be no memory left"
    )
    return Found(
        at=each.needers[0].at,
        about=("kept", each.holder.name),
        title="A service that left the file still holds what its successor needs",
        says=(
            f"{code(each.holder.name)} is no longer in the file, but the deploy command does not remove orphans: it keeps running "
            f"and holds {_things(each.about)}, which {_names(each)} {'needs' if len(each.needers) == 1 else 'need'}, {fails}."
        ),
        do=f"Deploy with `--remove-orphans`, or stop {code(each.holder.name)} first.",
        service=each.needers[0].name if len(each.needers) == 1 else None,
        level=Level.ERROR if each.about.exclusive else Level.WARNING,
    )


def _merely_removed(change: Change, rest: list[tuple[Deploy, Operation]]) -> Found:
    names = sorted({each.service for _, each in rest})
    longest = max(each.stop_seconds or 0 for _, each in rest)
    one = len(rest) == 1
    files = {deploy.head.path for deploy, _ in rest}
    where = "the file" if len(files) == 1 else counted(len(files), "file")
    places = [change.where_gone(deploy.base.services[each.service].at, deploy.head.path) for deploy, each in rest]
    return Found(
        at=places[0],
        about=("removed", *names),
        title="A running service is removed" if one else "Running services are removed",
        says=(
            f"{codes(names)} {'leaves' if len(names) == 1 else 'leave'} {where}: the running {'container is' if one else 'containers are'} "
            f"stopped (up to {spoken(longest)}) and removed as {'an orphan' if one else 'orphans'}."
        ),
        do="Check that nothing needs it any more." if one else "Check that nothing needs them any more.",
        service=names[0] if one else None,
        related=tuple(
            Related(at, f"where {code(each.service)} stood") for at, (_, each) in zip(places, rest, strict=True)
        ),
        level=Level.NOTE,
    )


def _things(about: Contested) -> str:
    things = []
    if about.gpus:
        things.append(f"GPU {', '.join(about.gpus)}")
    if about.ports:
        things.append(f"the host port{'s' if len(about.ports) > 1 else ''} {codes(about.ports)}")
    if about.container_name:
        things.append(f"the container name {code(about.container_name)}")
    return listed(things)
