"""A variable picks GPUs that the container's device reservation overrules.

With a device reservation the runtime sets its own NVIDIA_VISIBLE_DEVICES after the container's environment, so the
value in the file changes nothing. CUDA_VISIBLE_DEVICES does work, but counts within the devices the container
sees: in a container with devices 4 and 5, these are 0 and 1.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {NVIDIA_VISIBLE_DEVICES: "0"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {NVIDIA_VISIBLE_DEVICES: "1"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["0"], capabilities: [gpu]}]}}}
```

## Flagged: counted from the host's first device

```yaml
services:
  engine:
    image: registry.example/engine:1
    environment: {CUDA_VISIBLE_DEVICES: "4,5"}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: ["4", "5"], capabilities: [gpu]}]}}}
```

## Accepted: no reservation, so the variable decides

```yaml
services:
  engine:
    image: registry.example/engine:1
    runtime: nvidia
    environment: {NVIDIA_VISIBLE_DEVICES: "1"}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome
from bot.model.project import Project
from bot.model.service import Reservation, Service
from bot.model.text import code
from bot.model.value import Value
from bot.rulebook import rule

# Values that pick no device by its number.
_GENERAL = {"all", "void", "none", ""}


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        reserved = next((each for each in service.reservations if each.device_ids), None)
        if reserved is None:
            continue
        asked = service.environment.get("NVIDIA_VISIBLE_DEVICES")
        if asked is not None and _numbers(asked) and set(_numbers(asked)) != set(reserved.device_ids):
            yield _overruled(service, asked, reserved)
        within = service.environment.get("CUDA_VISIBLE_DEVICES")
        if within is not None and any(int(number) >= len(reserved.device_ids) for number in _numbers(within)):
            yield _counted_from_the_host(service, within, reserved)


def _numbers(value: Value) -> list[str]:
    if value.unknown or value.as_text.strip().lower() in _GENERAL:
        return []
    parts = [part.strip() for part in value.as_text.split(",")]
    return parts if all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts) else []


def _overruled(service: Service, asked: Value, reserved: Reservation) -> Found:
    ids = ", ".join(reserved.device_ids)
    return Found(
        at=asked.whole,
        about=("nvidia", service.name, asked.as_text, ids),
        title="A GPU variable has no effect beside a device reservation",
        says=f"{code(service.name)} reserves device {code(ids)}, so `NVIDIA_VISIBLE_DEVICES` = {code(asked.as_text)} is overruled.",
        do="Change `device_ids` instead, and drop the variable.",
        service=service.name,
    )


def _counted_from_the_host(service: Service, within: Value, reserved: Reservation) -> Found:
    ids = ", ".join(reserved.device_ids)
    seen = ",".join(str(number) for number in range(len(reserved.device_ids)))
    return Found(
        at=within.whole,
        about=("cuda", service.name, within.as_text, ids),
        title="CUDA_VISIBLE_DEVICES counts within the reserved devices",
        says=f"{code(service.name)} sees devices {code(ids)} as {code(seen)}; `CUDA_VISIBLE_DEVICES` = {code(within.as_text)} names others.",
        do=f"Write {code(seen)}, or drop the variable.",
        service=service.name,
    )
