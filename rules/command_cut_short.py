"""A command ends before the words that are written as its own.

`command` and `entrypoint` are read twice, and each reader ends a command in its own way. Compose splits a text into words
and drops everything from the first `&&`, `;`, `|`, `<` or `>` on, since no shell is there to read them; for it a `#` is a word like
any other. A shell ends a command at the end of a line: where a `\\` is missing, has a blank behind it, or is followed by a
comment, the options on the next lines become commands of their own that nobody finds. And where YAML joins lines into
one (`>`), a comment goes on to the end of the script. The container starts without those options, or does not start.

## Before

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        set -e
        exec serve /models/acme \\
          --port 8000 \\
          --context 4096
```

## Flagged: a comment between continued lines

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        set -e
        exec serve /models/acme \\
          --port 8000 \\
          # --eager \\
          --context 4096
```

## Flagged: a backslash is missing

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        set -e
        exec serve /models/acme
          --port 8000
```

## Flagged: deeper lines of a folded text are not joined

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: >
      sh -c "serve /models/acme
        --port 8000"
```

## Flagged: a comment in a folded script

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - >
        serve /models/acme
        # the port of the proxy
        --port 8000
```

## Flagged: an operator and no shell

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: migrate --all && serve /models/acme
```

## Flagged: a comment and no shell

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: >
      serve /models/acme
      # the port of the proxy
      --port 8000
```

## Flagged: a backslash in a literal text and no shell

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: |
      serve /models/acme \\
      --port 8000
```

## Accepted: a shell has the operator

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: sh -c "migrate --all && serve /models/acme"
```

## Accepted: continued to the end

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - |
        # how the engine is started
        serve /models/acme \\
          --port 8000  # of the proxy
        # the end
```

## Accepted: a folded text without a shell

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: >
      serve /models/acme
        --port 8000
        --title "a # b"
```

## Accepted: a folded script ends with its comment

```yaml
services:
  engine:
    image: registry.example/engine:1
    entrypoint: ["sh", "-c"]
    command:
      - >
        serve /models/acme
        --port 8000
        # the port of the proxy
        # and nothing else
```

## Accepted: a list is taken as it is

```yaml
services:
  engine:
    image: registry.example/engine:1
    command: ["serve", "/models/acme", "&&", "#", "--port", "8000"]
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.facts import Cause, Cut
from bot.model.finding import Found, Level, Outcome
from bot.model.project import Project
from bot.model.text import code
from bot.rulebook import rule

_LONGEST = 60
_DO = {
    Cause.OPERATOR: 'Hand the text to a shell: `["sh", "-c", "…"]`.',
    Cause.NEWLINE: "Join the lines: a `\\` at the very end of each line but the last where a shell reads them, a text without `\\` elsewhere.",
    Cause.FOLDED_COMMENT: "Write the script as a literal text (`|`), or take the comment out of it.",
    Cause.NO_COMMENT: "Move the comment above the key: YAML reads it there.",
}


@rule(Project, level=Level.ERROR)
def check(project: Project) -> Iterator[Outcome]:
    for service in project.services.values():
        for cut in service.facts.cuts:
            yield Found(
                at=cut.at,
                about=(service.name, cut.script, cut.cause.value, " ".join(cut.rest.split())),
                says=f"In {code(service.name)}, {_fact(cut)}.",
                do=_DO[cut.cause],
                service=service.name,
            )


def _fact(cut: Cut) -> str:
    command, rest = code(_short(cut.command, last=True)), code(_short(cut.rest))
    if cut.cause is Cause.OPERATOR:
        return f"Compose ends the {cut.script} after {command}: no shell reads it, and {rest} is dropped"
    if cut.cause is Cause.NO_COMMENT:
        return f"no shell reads the {cut.script}, so that {rest} is no comment: its words are arguments of {command}"
    if cut.cause is Cause.FOLDED_COMMENT:
        return f"the lines of the {cut.script} are folded into one, so that the comment after {command} goes on over {rest}"
    return f"the {cut.script} ends a line too early: {rest} does not reach {command}"


def _short(text: str, last: bool = False) -> str:
    """One line of it: its beginning, or its last words."""
    words = " ".join(text.split())
    if len(words) <= _LONGEST:
        return words
    return f"…{words[-_LONGEST:]}" if last else f"{words[:_LONGEST]}…"
