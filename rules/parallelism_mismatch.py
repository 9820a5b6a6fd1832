"""An engine splits its model over more GPUs than it may use.

With a tensor parallel size beyond the reserved devices the engine ends at start; the container restarts for ever.
Devices beyond the size stay idle.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini --tensor-parallel-size 2
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini --tensor-parallel-size 4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1"], capabilities: [gpu]}]}}}
```

## Accepted

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model acme/mini --tensor-parallel-size 4
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0", "1", "2", "3"], capabilities: [gpu]}]}}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, counted
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        devices = _reserved(service)
        for serving in service.facts.servings:
            needed = serving.parallel
            if devices is None or needed is None or needed == devices:
                continue
            if needed < devices and needed == 1:
                continue  # no size stated, or one that other parallelism multiplies: too little is known
            short = needed > devices
            yield Found(
                at=serving.at,
                about=(service.name, str(needed), str(devices)),
                title="An engine needs more GPUs than it reserves" if short else "An engine leaves reserved GPUs idle",
                says=f"{code(service.name)} splits its model over {counted(needed, 'GPU')} and reserves {devices}.",
                do="Make the parallel size and the reserved devices agree.",
                service=service.name,
                related=(Related(service.reservations[0].at, "the reservation"),),
                level=None if short else Level.NOTE,
            )


def _reserved(service: Service) -> int | None:
    """How many devices the container gets, None when it is not a number."""
    found = 0
    for reservation in service.reservations:
        if reservation.device_ids:
            found += len(reservation.device_ids)
        elif reservation.count is not None and reservation.count > 0:
            found += reservation.count
        else:
            return None
    return found or None
