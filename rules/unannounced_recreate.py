"""An edit beside the process, such as a label, recreates a row of running services.

Labels, log options, restart policies, grace periods and health checks are part of what a container is made from: one
of them edited in an anchor that many share stops and recreates each of these services, engines with their models too.
The author sees a change of metadata. Quiet where the text says that services are recreated or restarted.

## Before

```yaml
x-labels: &labels {team: serving}
services:
  engine-a:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  engine-b:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  proxy:
    image: registry.example/proxy:1
    labels: *labels
```

## Flagged

```yaml
x-labels: &labels {team: inference}
services:
  engine-a:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  engine-b:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  proxy:
    image: registry.example/proxy:1
    labels: *labels
```

## Accepted: the author says so

```yaml
x-labels: &labels {team: inference}
services:
  engine-a:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  engine-b:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  proxy:
    image: registry.example/proxy:1
    labels: *labels
```

```text
Another team

All containers are recreated by this: deploy one host at a time.
```

## Accepted: a label of one service

```yaml
x-labels: &labels {team: serving}
services:
  engine-a:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  engine-b:
    image: registry.example/vllm:1
    command: vllm serve acme/tiny
    labels: *labels
  proxy:
    image: registry.example/proxy:1
    labels: {team: edge}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from bot.model.change import Change
from bot.model.duration import spoken
from bot.model.facts import Role
from bot.model.finding import Excluded, Found, Level, Outcome, Related
from bot.model.plan import Operation, Reason, Verb
from bot.model.service import Service
from bot.model.text import code, codes, counted
from bot.rulebook import rule

MANY = 3  # services, over all files
# Fields that change nothing about the process inside, or not until its next start.
_BESIDE = frozenset(
    {"labels", "annotations", "logging", "restart", "stop_grace_period", "healthcheck", "attach", "develop"}
)
_ANNOUNCED = re.compile(
    r"\b(?:recreat\w+|re-?starts?|restarted|restarting|redeploy\w*|roll(?:ing|ed)?[- ]?out|downtime)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:no|not|without|never|nothing)\b", re.IGNORECASE)


class _Hit(Struct, frozen=True):
    path: str
    operation: Operation
    service: Service


@rule(Change, level=Level.WARNING)
def check(change: Change) -> Iterator[Outcome]:
    hits = [
        _Hit(deploy.plan.path, each, deploy.head.services[each.service])
        for deploy in change.deploys
        for each in deploy.plan.doing(Verb.RECREATE)
        if each.reason is Reason.DEFINITION and set(each.fields) <= _BESIDE
    ]
    if len(hits) < MANY:
        return
    said = _announced(change)
    if said:
        yield Excluded(hits[0].path, "pull request text", said)
    else:
        yield _found(change, hits)


def _announced(change: Change) -> str:
    for _, text in change.pull.texts:
        for line in text.split("\n"):
            if _ANNOUNCED.search(line) and not _DENIED.search(line):
                return line.strip()
    return ""


def _found(change: Change, hits: list[_Hit]) -> Found:
    fields = sorted({field for hit in hits for field in hit.operation.fields})
    engines = [hit.service.name for hit in hits if hit.service.facts.role is Role.ENGINE]
    paths = list(dict.fromkeys(hit.path for hit in hits))
    longest = max(hit.operation.stop_seconds or 0 for hit in hits)
    all_engines = len(engines) == len(hits)
    among = f", among them {counted(len(engines), 'engine')} ({codes(engines)})" if engines and not all_engines else ""
    what = counted(len(hits), "engine" if all_engines else "service")
    where = f" in {counted(len(paths), 'file')}" if len(paths) > 1 else ""
    firsts = {hit.path: hit for hit in reversed(hits)}
    places = [change.narrowed(hit.operation.at or hit.service.at) for hit in firsts.values()]
    return Found(
        at=places[-1],
        about=tuple(fields),
        title="An edit beside the process recreates many services",
        says=(
            f"Only {codes(fields)} {'changes' if len(fields) == 1 else 'change'} for {what}{where}{among}, "
            f"yet each is stopped (up to {spoken(longest)}) and recreated: these fields are part of what a container is made from."
        ),
        do="Deploy this together with a change that recreates them anyway, or say in the text that it does.",
        related=tuple(Related(at, f"{code(at.file)}: the first of them") for at in reversed(places)),
        level=Level.WARNING if engines else Level.NOTE,
    )
