"""A gate gains something that other services must now wait for.

A service that others await with `service_completed_successfully` runs again on every `up`. Each step added to it
is a new way for all of them to stay down at the next cold start, also for those that never use its result; and
each new edge to a gate puts a service, and everything behind it, behind that gate's network, disk and time.
Services that run are not touched: it bites on the day they all start anew.

## Before

```yaml
services:
  metrics: {image: registry.example/metrics:1}
  downloader:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/tiny
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Flagged

```yaml
services:
  metrics: {image: registry.example/metrics:1}
  downloader:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
        hf download acme/large --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/tiny
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Accepted: the step may fail alone

```yaml
services:
  metrics: {image: registry.example/metrics:1}
  downloader:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
        hf download acme/large --revision 2222222222222222222222222222222222222222 || true
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/tiny
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Accepted: the services that wait use it

```yaml
services:
  metrics: {image: registry.example/metrics:1}
  downloader:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
        hf download acme/large --revision 2222222222222222222222222222222222222222
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/large
    depends_on:
      downloader:
        condition: service_completed_successfully
```

## Flagged: a service that ran on its own now waits

```yaml
services:
  downloader:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/tiny
    depends_on:
      downloader:
        condition: service_completed_successfully
  metrics:
    image: registry.example/metrics:1
    depends_on:
      downloader:
        condition: service_completed_successfully
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Move
from bot.model.facts import Step
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Condition, Service, Wait
from bot.model.text import code, codes, counted
from bot.rulebook import rule


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    if move.base is None or move.head is None:
        return
    for gate in move.head.gates:
        before = move.base.services.get(gate.name)
        if before is not None:
            yield from _new_steps(move.base, move.head, before, gate)
        yield from _new_edges(move.base, move.head, gate)


def _new_steps(base: Project, head: Project, before: Service, gate: Service) -> Iterator[Found]:
    # A download that was allowed to fail, and is no more, is as new to those who wait as one that was not there.
    known = {step.identity for step in before.facts.steps if step.fatal or step.download is None}
    known_repositories = {step.download.repository for step in before.facts.steps if step.fatal and step.download}
    for step in gate.facts.steps:
        if not step.fatal or step.identity in known:
            continue
        if step.download is not None and step.download.repository in known_repositories:
            continue  # the same thing at another revision: no new dependency
        waiting = [
            (service, wait)
            for service, wait in head.waiting[gate.name]
            if _held(wait) and _waited(base, service, gate) and not _uses(service, step)
        ]
        if waiting:
            yield _step_found(gate, step, waiting)


def _waited(base: Project, service: Service, gate: Service) -> bool:
    """Whether the service waited for this gate before the change: a new service chose its gate knowingly."""
    before = base.services.get(service.name)
    wait = before.wait_for(gate.name) if before is not None else None
    return wait is not None and _held(wait)


def _held(wait: Wait) -> bool:
    return wait.required and wait.condition is Condition.COMPLETED


def _uses(service: Service, step: Step) -> bool:
    return step.download is not None and service.facts.uses(step.download.repository) is not None


def _step_found(gate: Service, step: Step, waiting: list[tuple[Service, Wait]]) -> Found:
    names = codes(service.name for service, _ in waiting)
    one = len(waiting) == 1
    what = f"the download of {code(step.download.ref)}" if step.download else f"{code(step.says)}"
    unused = ", although " + ("it does" if one else "they do") + " not use it" if step.download else ""
    return Found(
        at=step.at,
        about=(gate.name, step.identity),
        title="A cold start now also depends on "
        + ("a download that the waiting services do not use" if step.download else "a new step"),
        says=(
            f"{names} {'waits' if one else 'wait'} for {code(gate.name)} to complete successfully, and {what} can now make it fail: "
            f"at the next cold start {'it stays' if one else 'they stay'} down then{unused}. Running containers are not affected."
        ),
        do="Accept it knowingly, or let the new step fail alone (`… || echo skipped`).",
        service=gate.name,
        related=tuple(Related(wait.at, f"{code(service.name)} waits for it") for service, wait in waiting),
    )


def _new_edges(base: Project, head: Project, gate: Service) -> Iterator[Found]:
    new = [
        (service, wait)
        for service, wait in head.waiting[gate.name]
        if wait.required and wait.condition is not Condition.STARTED and _ran_alone(base, service, gate)
    ]
    if not new:
        return
    down = head.kept_down_by(gate.name)
    names = codes(service.name for service, _ in new)
    condition = new[0][1].condition
    behind = [service.name for service in down if service.name not in {each.name for each, _ in new}]
    until = "has completed successfully" if condition is Condition.COMPLETED else "is healthy"
    again = f" {code(gate.name)} runs again on every `up`." if condition is Condition.COMPLETED else ""
    yield Found(
        at=new[0][1].at,
        about=(gate.name, str(condition), *sorted(service.name for service, _ in new)),
        title="A cold start now also depends on another service",
        says=(
            f"{names} now {'waits' if len(new) == 1 else 'wait'} until {code(gate.name)} {until}."
            + again
            + (
                f" While it does not, {codes(behind)} behind {'it' if len(new) == 1 else 'them'} "
                f"{'stays' if len(behind) == 1 else 'stay'} down too: {counted(len(down), 'service')} in all."
                if behind
                else ""
            )
        ),
        do=f"Make sure that {code(gate.name)} can be relied on at every start, or wait for it with `required: false`.",
        service=new[0][0].name if len(new) == 1 else None,
        related=(
            Related(gate.at, "the gate"),
            *(Related(wait.at, f"{code(service.name)} now waits") for service, wait in new),
        ),
    )


def _ran_alone(base: Project, service: Service, gate: Service) -> bool:
    """Whether a service that was there before did not wait for this gate, in this way, before."""
    before = base.services.get(service.name)
    if before is None:
        return False
    wait = before.wait_for(gate.name)
    return wait is None or wait.condition is Condition.STARTED or not wait.required
