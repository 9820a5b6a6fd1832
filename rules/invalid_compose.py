"""Docker Compose refuses this file.

Nothing in a file that Compose refuses is deployed: `up` ends with an error and every later change in it waits
too. The message is Compose's own fault told in our words, with the line.

## Before

```yaml
services:
  web:
    image: registry.example/web:1
```

## Flagged

```yaml
services:
  web:
    image: registry.example/web:1
    depends_on: [cache]
```

## Accepted

```yaml
services:
  web:
    image: registry.example/web:1
    depends_on: [cache]
  cache:
    image: registry.example/cache:1
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.finding import Found, Level, Outcome, Passed
from bot.model.project import Problem, ProblemKind, Project
from bot.rulebook import rule


@rule(Project, level=Level.ERROR, apart=True)
def check(project: Project) -> Iterator[Outcome]:
    for problem in project.problems:
        yield Found(
            at=problem.at,
            about=(problem.kind, *problem.subject),
            title="Docker Compose refuses this file",
            says=problem.says[:1].upper() + problem.says[1:] + ".",
            do=_repair(problem),
        )
    if not project.problems:
        yield Passed("changed files are valid Compose", project.path)
        yield Passed("references resolve", project.path)


def _repair(problem: Problem) -> str:
    if problem.kind is ProblemKind.DUPLICATE_KEY and "<<" in problem.subject:
        return "Merge both in one line, `<<: [*one, *other]`: where both set a key, the first one in the list wins."
    return "Repair the line; until then no `docker compose` command works on this file."
