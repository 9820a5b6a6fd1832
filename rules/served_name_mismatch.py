"""A proxy asks its engine for a model by a name the engine does not serve.

The engine answers such requests with "model not found". Names are compared where a proxy's environment states the model,
and its address names an engine of the same project that states what it serves.

## Before

```yaml
services:
  proxy:
    image: registry.example/inference-proxy:1
    environment: {MODEL_NAME: acme/mini, BACKEND_URL: "http://engine:8000"}
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/mini-fp8 --served-model-name acme/mini
```

## Flagged

```yaml
services:
  proxy:
    image: registry.example/inference-proxy:1
    environment: {MODEL_NAME: acme/mini, BACKEND_URL: "http://engine:8000"}
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/mini-fp8 --served-model-name acme/mini-2
```

## Accepted

```yaml
services:
  proxy:
    image: registry.example/inference-proxy:1
    environment: {MODEL_NAME: acme/mini-2, BACKEND_URL: "http://engine:8000"}
  engine:
    image: registry.example/engine:1
    command: serve --model-path acme/mini-fp8 --served-model-name acme/mini-2
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.facts import Role, Serving
from bot.model.finding import Found, Level, Outcome, Related
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.rulebook import rule


@rule(Project, level=Level.WARNING)
def check(project: Project) -> Iterator[Outcome]:
    by_host = {
        name: service
        for service in project.services.values()
        for name in (service.name, service.container_name)
        if name
    }
    for service in project.services.values():
        asked = [
            serving for serving in service.facts.servings if not serving.engine and not serving.model and serving.names
        ]
        if not asked or service.facts.role is Role.ENGINE:
            continue
        engines = {by_host[up.host].name: by_host[up.host] for up in service.facts.upstreams if up.host in by_host}
        for engine in engines.values():
            served = [serving for serving in engine.facts.servings if serving.engine or serving.model]
            names = _names(served)
            if names and engine is not service and not any(set(each.names) & names for each in asked):
                yield _found(service, asked[0], engine, served[0], names)


def _names(servings: list[Serving]) -> set[str]:
    """What an engine answers to: its served names, or its model's own where it states none."""
    found: set[str] = set()
    for serving in servings:
        found.update(serving.names or tuple(name for name in (serving.model, serving.repository) if name))
    return set() if any("$" in name for name in found) else found


def _found(service: Service, asked: Serving, engine: Service, served: Serving, names: set[str]) -> Found:
    return Found(
        at=asked.at,
        about=(service.name, engine.name, *asked.names),
        says=f"{code(service.name)} stands for {codes(asked.names)} and talks to {code(engine.name)}, which serves {codes(sorted(names))}.",
        do="Make the two names the same.",
        service=service.name,
        related=(Related(served.at, f"what {code(engine.name)} serves"),),
    )
