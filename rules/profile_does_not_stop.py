"""A running service is put behind a profile, which does not stop it.

A service behind a profile that the deploy does not enable is neither started nor stopped, and it is no orphan:
`up --remove-orphans` leaves its container running, with its GPUs and ports. Measured with docker compose 2.40.3 and 5.6.1.

## Before

```yaml
services:
  proxy:
    image: registry.example/proxy:1
  shadow:
    image: registry.example/engine:1
```

## Flagged

```yaml
services:
  proxy:
    image: registry.example/proxy:1
  shadow:
    image: registry.example/engine:1
    profiles: [shadow]
```

## Accepted: it is new

```yaml
services:
  proxy:
    image: registry.example/proxy:1
  shadow:
    image: registry.example/engine:1
  other:
    image: registry.example/engine:1
    profiles: [shadow]
```

## Accepted: removed

```yaml
services:
  proxy:
    image: registry.example/proxy:1
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.claims import gpu_ids
from bot.model.finding import Found, Level, Outcome
from bot.model.plan import Reason
from bot.model.service import Service
from bot.model.text import code, codes, command, listed
from bot.rulebook import rule


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    for deploy in change.deploys:
        for each in deploy.plan.operations:
            if each.reason is Reason.PROFILE and each.at is not None:
                before, after = deploy.base.services[each.service], deploy.head.services[each.service]
                stop = command(f"docker compose {deploy.plan.flags} --profile {after.profiles[0]} rm -sf", each.service)
                yield Found(
                    at=each.at,
                    about=(each.service, *after.profiles),
                    title="A profile does not stop a running service",
                    says=(
                        f"{code(each.service)} is behind the profile {codes(after.profiles)} now, which the deploy does not enable. "
                        f"Its container is no orphan: it keeps running{_holding(before)}."
                    ),
                    do=f"Stop it by hand: {stop}." if stop else "Stop it by hand.",
                    service=each.service,
                )


def _holding(service: Service) -> str:
    held = [f"GPU {', '.join(sorted(gpu_ids(service)))}"] if gpu_ids(service) else []
    ports = sorted({port.published for port in service.ports if port.published})
    held.extend([f"the host port {codes(ports)}"] if ports else [])
    return f" and keeps {listed(held)}" if held else ""
