"""A change edits the contracts that it is held to.

Contracts are read at base, so a change cannot relax its own gate: it is held to them as they were, and to its own
wording too. That they change, and in which way, should be somebody's decision: what is removed or loosened protects
nobody any more once this is merged.

## Before

```yaml .github/compose-review.yaml
contracts:
  - id: one-shots-stay-down
    because: A finished job that is restarted runs again and again.
    select: service.name.endsWith("-job")
    checks:
      - expression: service.restart == "no"
```

```yaml
services:
  import-job:
    image: registry.example/import:1
    restart: "no"
```

## Flagged

```yaml .github/compose-review.yaml
contracts:
  - id: one-shots-stay-down
    because: A finished job that is restarted runs again and again.
    level: note
    select: service.name.endsWith("-job")
    checks:
      - expression: service.restart == "no"
```

## Flagged: a contract that no longer loads

```yaml .github/compose-review.yaml
contracts:
  - id: one-shots-stay-down
    because: A finished job that is restarted runs again and again.
    select: service.name.endsWith("-job"
    checks:
      - expression: service.restart == "no"
```

## Accepted: the reason is worded anew

```yaml .github/compose-review.yaml
contracts:
  - id: one-shots-stay-down
    because: A finished job must not be started over and over.
    select: service.name.endsWith("-job")
    checks:
      - expression: service.restart == "no"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.contract import ContractEdit, EditKind
from bot.model.finding import Found, Level, Outcome
from bot.model.project import Problem
from bot.model.text import code
from bot.rulebook import rule

_SAYS = {
    EditKind.ADDED: "is new",
    EditKind.REMOVED: "is removed",
    EditKind.LOOSENED: "is loosened",
    EditKind.TIGHTENED: "is tightened",
    EditKind.CHANGED: "is changed",
}
# What protects less than before is a decision to look at; the rest is only told.
_LOOK = (EditKind.REMOVED, EditKind.LOOSENED)


@rule(Change, level=Level.NOTE)
def check(change: Change) -> Iterator[Outcome]:
    for problem in change.contracts.problems:
        yield _unusable(problem)
    for edit in change.contracts.edits:
        yield _edited(edit)


def _unusable(problem: Problem) -> Found:
    return Found(
        at=problem.at,
        about=("unusable", *problem.subject),
        title="The contracts can no longer be read",
        says=f"The configuration would not load: {code(problem.says)}. Until it does, nothing is held to any contract.",
        do="Repair it here.",
        level=Level.ERROR,
    )


def _edited(edit: ContractEdit) -> Found:
    details = f": {'; '.join(edit.details)}" if edit.details else ""
    return Found(
        at=edit.at,
        about=(str(edit.kind), edit.contract),
        title=f"Contract {code(edit.contract)} {_SAYS[edit.kind]}",
        says=f"{code(edit.contract)} {_SAYS[edit.kind]}{details}. This change is held to the contracts of base and to its own.",
        do="Agree to it knowingly: from the merge on nothing checks what it gave up."
        if edit.kind in _LOOK
        else "Read it as code: it decides what may be merged from now on.",
        level=Level.WARNING if edit.kind in _LOOK else Level.NOTE,
    )
