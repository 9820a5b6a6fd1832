"""The text of an inline config does not parse.

Compose hands the body on as it stands: the file is valid, and the program that reads it ends at start. Looked at are
bodies that are meant to be YAML, JSON, nginx or shell, by the name they are mounted under or by their text.

## Before

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {}
```

## Flagged

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {
```

## Flagged: a directive of nginx without its end

```yaml
services:
  door:
    image: registry.example/nginx:1
    configs: [{source: sites, target: /etc/nginx/conf.d/default.conf}]
configs:
  sites:
    content: |
      server {
        listen 80
        server_name example.org;
      }
```

## Flagged: a script that ends too early

```yaml
services:
  task:
    image: registry.example/tool:1
    configs: [{source: run, target: /run.sh}]
    entrypoint: [sh, /run.sh]
configs:
  run:
    content: |
      if test -f /done; then
        echo done
```

## Accepted: what a template fills in

```yaml
services:
  door:
    image: registry.example/nginx:1
    configs: [{source: sites, target: /etc/nginx/templates/default.conf.template}]
configs:
  sites:
    content: |
      server {
        listen $${PORT};
        $${MORE}
      }
```

## Accepted

```yaml
services:
  collector:
    image: registry.example/collector:1
    configs: [{source: settings, target: /etc/collector.yaml}]
configs:
  settings:
    content: |
      receivers:
        otlp: {}
        zipkin: {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Certainty, Found, Level, Outcome, Passed
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    seen: set[str] = set()
    looked = False
    for service in project.services.values():
        looked = looked or bool(service.bodies)
        for fault in service.facts.body_faults:
            if fault.config in seen:
                continue
            seen.add(fault.config)
            yield Found(
                at=fault.at,
                about=(fault.config, fault.language, fault.says),
                title=f"An inline config is not valid {fault.language}",
                says=f"{code(fault.config)}, which {code(service.name)} reads as {fault.language}, does not parse: {code(fault.says)}.",
                do="Repair the line; the container ends at start with it.",
                service=service.name,
                level=None if fault.sure else Level.WARNING,
                certainty=Certainty.SURE if fault.sure else Certainty.LIKELY,
            )
    if looked:
        yield Passed("inline configs parse", project.path)
