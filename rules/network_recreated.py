"""A network's definition changes, which stops and starts everything attached to it.

A label is enough. Docker Compose stops every attached container, removes the network, creates it again and starts
the same containers: for an engine that is a full reload of its model. No service block changes in the diff, so nobody
expects it.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    stop_grace_period: 5m
  proxy:
    image: registry.example/proxy:1
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
    stop_grace_period: 5m
  proxy:
    image: registry.example/proxy:1
networks:
  default:
    labels: {team: serving}
```

## Accepted: somebody else's network

```yaml
services:
  engine:
    image: registry.example/engine:1
    stop_grace_period: 5m
  proxy:
    image: registry.example/proxy:1
networks:
  shared:
    external: true
    labels: {team: serving}
```

## Accepted: a network that nothing attached to before

```yaml
services:
  engine:
    image: registry.example/engine:1
    stop_grace_period: 5m
  proxy:
    image: registry.example/proxy:1
  metrics:
    image: registry.example/metrics:1
    networks: [back]
networks:
  back:
    labels: {team: serving}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.duration import spoken
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.plan import Operation, Reason, Redefined
from bot.model.text import code, codes, counted, listed
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        for network in deploy.plan.redefined:
            stopped = [
                each for each in deploy.plan.operations if each.reason is Reason.NETWORK and network.key in each.fields
            ]
            if stopped:
                yield _found(change, network, stopped)


def _found(change: Change, network: Redefined, stopped: list[Operation]) -> Found:
    names = [f"{code(each.service)} (up to {spoken(each.stop_seconds or 0)})" for each in stopped]
    return Found(
        at=change.narrowed(network.at),
        about=(network.key, *sorted(each.service for each in stopped)),
        title="A network is recreated: everything attached to it stops",
        says=(
            f"{codes(network.fields)} of the network {code(network.key)} changes, so {code(network.name)} is removed and "
            f"created anew: {counted(len(stopped), 'container')} that nothing else changes for {'is' if len(stopped) == 1 else 'are'} "
            f"stopped and started again, {listed(names)}."
        ),
        do="Leave the network as it is, or deploy this when everything may stop.",
        related=tuple(Related(each.at, f"{code(each.service)} is attached") for each in stopped if each.at),
    )
