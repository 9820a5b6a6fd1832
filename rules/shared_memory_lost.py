"""An engine on several GPUs loses its shared memory.

The workers of one engine talk through `/dev/shm`, of which Docker gives 64 MB. Without `ipc: host` or a larger
`shm_size` an engine on several devices hangs or ends at start, or under load.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: serve --model acme/large --tensor-parallel-size 2
    ipc: host
```

## Flagged

```yaml
services:
  engine:
    image: registry.example/engine:2
    command: serve --model acme/large --tensor-parallel-size 2
```

## Accepted: enough of its own

```yaml
services:
  engine:
    image: registry.example/engine:2
    command: serve --model acme/large --tensor-parallel-size 2
    shm_size: 16gb
```

## Accepted: one GPU

```yaml
services:
  engine:
    image: registry.example/engine:2
    command: serve --model acme/large --tensor-parallel-size 1
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Move
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.service import Service
from bot.model.text import code
from bot.rulebook import rule


@rule(Move, level=Level.WARNING)
def check(move: Move) -> Iterator[Outcome]:
    for before, after in move.changed:
        if before is None or after is None or not _shares(before) or _shares(after):
            continue
        if max((serving.parallel or 1 for serving in after.facts.servings), default=1) < 2:
            continue
        lost = before.value.get("ipc") or before.value.get("shm_size")
        yield Found(
            at=after.at,
            about=(after.name,),
            says=f"{code(after.name)} runs on several GPUs and no longer has `ipc: host` or `shm_size`: 64 MB of shared memory are left.",
            do="Keep the setting, or give `shm_size` a size that fits.",
            service=after.name,
            related=(Related(lost.whole, "what it had before"),)
            if lost is not None and lost.whole.file == after.at.file
            else (),
        )


def _shares(service: Service) -> bool:
    ipc = service.value.text("ipc")
    mounted = any(mount.target == "/dev/shm" for mount in service.mounts)
    return bool(ipc and ipc != "private") or service.value.get("shm_size") is not None or mounted
