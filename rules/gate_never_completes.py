"""A service waits for another one to complete that never ends.

`service_completed_successfully` is met when the container has exited with 0. One that is restarted whenever it ends is
never seen as exited: `up` waits for ever, without an error, and everything behind the gate stays down.

## Before

```yaml
services:
  migrate:
    image: registry.example/migrate:1
  web:
    image: registry.example/web:1
```

## Flagged

```yaml
services:
  migrate:
    image: registry.example/migrate:1
    restart: unless-stopped
  web:
    image: registry.example/web:1
    depends_on:
      migrate: {condition: service_completed_successfully}
```

## Accepted

```yaml
services:
  migrate:
    image: registry.example/migrate:1
    restart: on-failure:3
  web:
    image: registry.example/web:1
    depends_on:
      migrate: {condition: service_completed_successfully}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Condition, Service
from bot.model.text import code, codes, counted
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for name, edges in project.waiting.items():
        gate = project.services.get(name)
        waiting = [(service, wait) for service, wait in edges if wait.condition is Condition.COMPLETED]
        policy = _endless(gate) if gate is not None else None
        if gate is None or policy is None or not waiting:
            continue
        down = project.kept_down_by(name)
        names = [service.name for service, _ in waiting]
        yield Found(
            at=waiting[0][1].at,
            about=(name,),
            title="A gate never completes",
            says=(
                f"{codes(names)} {'waits' if len(names) == 1 else 'wait'} for {code(name)} to complete, but {code(policy)} starts it again "
                f"whenever it ends: `up` waits for ever, and {counted(len(down) or len(names), 'service')} "
                f"{'stays' if (len(down) or len(names)) == 1 else 'stay'} down."
            ),
            do=f'Write `restart: "no"` or `restart: on-failure` for {code(name)}, or wait for its start or its health.',
            service=name,
            related=(
                Related((gate.value.get("restart") or gate.value).whole, "restarted whenever it ends"),
                *(Related(wait.at, f"{code(service.name)} waits") for service, wait in waiting),
            ),
        )


def _endless(service: Service) -> str | None:
    """The policy that restarts a container also after success."""
    if service.restart in ("always", "unless-stopped"):
        return f"restart: {service.restart}"
    stated = service.value.text("deploy", "restart_policy", "condition")
    return "restart_policy: any" if stated == "any" and service.value.text("restart") is None else None
