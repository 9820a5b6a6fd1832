"""A dollar sign that a script or a server was to read is taken by Docker Compose.

Compose fills in `$name` and `${name}` everywhere, in commands, health checks and inline configs too, before the
container sees them. A name that nothing sets becomes empty, with a mere warning on the console: a loop runs over
nothing, nginx sends an empty `Host`. `$$` gives the container one dollar. `$(…)`, `$1` and `$?` are safe.

## Before

```yaml
services:
  probe:
    image: registry.example/shell:1
    entrypoint: [sh, -c]
    command: ["echo ready"]
```

## Flagged: a variable of the script

```yaml
services:
  probe:
    image: registry.example/shell:1
    entrypoint: [sh, -c]
    command:
      - |
        for port in 8000 8001; do
          wget -q localhost:$port
        done
```

## Flagged: a variable of nginx

```yaml
services:
  probe:
    image: registry.example/nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
configs:
  site:
    content: |
      server { listen 80; location / { proxy_pass http://engine:8000; proxy_set_header Host $host; } }
```

## Accepted: doubled

```yaml
services:
  probe:
    image: registry.example/shell:1
    entrypoint: [sh, -c]
    command:
      - |
        for port in 8000 8001; do
          wget -q localhost:$$port
        done
```

## Accepted: meant for Compose

```yaml
services:
  probe:
    image: registry.example/shell:1
    entrypoint: [sh, -c]
    command: ["wget -q ${HOST_IP}:8000"]
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.model.finding import Certainty, Found, Level, Outcome
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service
from bot.model.text import code, codes
from bot.model.value import Value
from bot.rulebook import rule

_ASSIGNMENT = re.compile(
    r"(?:^|[\s;&|(`])(?:export |local |readonly |declare )?(\w+)\+?="
    r"|\bfor (\w+) in\b"
    r"|\bread ((?:-\w+ )*(?:\w+ )*\w+)\b"
    r"|\bset \$?(\w+)\s"
    r"|\bmap \S+ \$?(\w+)\s*\{",
    re.MULTILINE,
)
_GIVING = ("read ", "set ", "map ")
_NGINX = re.compile(r"\b(?:server|location|upstream|events|map|log_format)\b[^;]*\{|\bproxy_pass\b")
# Variables that nginx itself provides, by their beginnings.
_BUILT_IN = re.compile(
    r"(?:arg|cookie|http|sent_http|upstream|ssl|proxy_protocol|limit|request|server|remote|realip|connection|body|"
    r"content|document|query|time|tcpinfo|proxy)_\w+"
    r"|args|host|hostname|https|is_args|msec|nginx_version|pid|pipe|scheme|status|uri|document_uri|bytes_sent|request|connection"
)


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for key, config in project.configs.items():
        content = config.get("content")
        if content is not None:
            yield from _judged(f"config {key}", content, None)
    for service in project.services.values():
        for field in ("entrypoint", "command"):
            for part in service.argv(field):
                yield from _judged(f"{service.name} {field}", part, service)
        for part in service.value.sequence("healthcheck", "test"):
            yield from _judged(f"{service.name} healthcheck", part, service)


def _judged(where: str, text: Value, service: Service | None) -> Iterator[Found]:
    names = [name for name in dict.fromkeys(text.unknown) if _place(text, name) is not None]
    sure = [name for name in names if _own(name, text.as_text)]
    likely = [name for name in names if name not in sure and _meant(name, service)]
    if sure:
        yield _found(where, text, sure, service, sure=True)
    if likely:
        yield _found(where, text, likely, service, sure=False)


def _own(name: str, text: str) -> bool:
    """Whether the text itself gives the name its value, or is for nginx, which does."""
    if _BUILT_IN.fullmatch(name) and _NGINX.search(text):
        return True
    signs = (f"{name}=", f"{name}+=", f"for {name} ", *_GIVING)  # without one, there is no need to read the text
    return any(sign in text for sign in signs) and name in _assigned(text)


@lru_cache(maxsize=256)
def _assigned(text: str) -> frozenset[str]:
    """The names that a script gives a value to."""
    return frozenset(
        name for found in _ASSIGNMENT.finditer(text) for part in found.groups() if part for name in part.split()
    )


def _meant(name: str, service: Service | None) -> bool:
    """Whether the container sets the name, or it looks like a script's own rather than a deployment's."""
    given = service.environment.get(name) if service is not None else None
    if given is not None and given.data is not None:
        return name not in given.unknown
    return name.islower()


def _place(text: Value, name: str) -> Place | None:
    """The line of the first reference that Compose takes; None where every one has a default or an error."""
    raw = text.source.text if text.source is not None else text.as_text
    found = re.search(rf"(?<!\$)(?:\$\$)*\$(?:{re.escape(name)}\b|\{{{re.escape(name)}\}})", raw)
    if found is None:
        return None
    if text.at.end_line == text.at.line:
        return text.at
    shift = raw.count("\n", 0, found.end())
    if raw.count("\n") >= text.at.end_line - text.at.line - 1:  # a literal block: its lines are the file's lines
        return Place.of_line(text.at.file, min(text.at.line + 1 + shift, text.at.end_line))
    return text.place_of(text.as_text.find(name))


def _found(where: str, text: Value, names: list[str], service: Service | None, *, sure: bool) -> Found:
    at = _place(text, names[0]) or text.at
    one = len(names) == 1
    return Found(
        at=at,
        about=(where, *sorted(names)),
        title="A dollar sign is taken by Compose",
        says=(
            f"{codes('$' + name for name in names)} in {code(where)} {'is' if one else 'are'} filled in by Compose before the container sees "
            f"{'it' if one else 'them'}; nothing here sets {'it' if one else 'them'}, so {'it becomes' if one else 'they become'} empty."
        ),
        do=f"Double the dollar: {codes('$$' + name for name in names)}.",
        service=service.name if service is not None else None,
        level=Level.ERROR if sure else Level.WARNING,
        certainty=Certainty.SURE if sure else Certainty.LIKELY,
        swap=(f"${names[0]}", f"$${names[0]}") if one else None,
    )
