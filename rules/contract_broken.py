"""A contract of the repository does not hold any more.

Contracts say in the configuration what must be true of the files, and why. Those whose files a change touches are
held against what would land. What base broke already is counted as inherited and blocks nobody.

## Before

```yaml configuration
contracts:
  - id: one-shots-stay-down
    because: A finished job that is restarted runs again and again.
    select: service.name.endsWith("-job")
    checks:
      - expression: service.restart == "no"
        message: service.name + " restarts with " + service.restart
```

```yaml
services:
  import-job:
    image: registry.example/import:1
    restart: "no"
  web:
    image: registry.example/web:1
    restart: always
```

## Flagged

```yaml
services:
  import-job:
    image: registry.example/import:1
    restart: always
  web:
    image: registry.example/web:1
    restart: always
```

## Accepted: what the contract does not speak of changes

```yaml
services:
  import-job:
    image: registry.example/import:2
    restart: "no"
  web:
    image: registry.example/web:2
    restart: unless-stopped
```
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.change import Change
from bot.model.contract import Contract, ContractResult, Side, Violation
from bot.model.finding import CheckStatus, Failed, Found, Level, Outcome, Passed, Related, Skipped
from bot.model.text import code, counted, quoted
from bot.rulebook import rule


@rule(Change, level=Level.ERROR)
def check(change: Change) -> Iterator[Outcome]:
    for result in change.contracts.results:
        yield _line(result)
        for violation in result.violations:
            if not violation.inherited:
                yield _found(result, violation)


def _line(result: ContractResult) -> Outcome:
    name = f"contract {code(result.contract.id)}"
    if result.read_from is Side.HEAD:
        name += " as this change words it"
    if result.status is CheckStatus.SKIPPED:
        return Skipped(name, result.why or "")
    detail = counted(len(result.files), "file")
    known = sum(each.inherited for each in result.violations)
    if known:
        detail += f", {counted(known, 'violation')} that base had already"
    return Failed(name, detail) if known < len(result.violations) else Passed(name, detail)


def _found(result: ContractResult, violation: Violation) -> Found:
    contract = result.contract
    says = quoted(violation.says)
    return Found(
        at=violation.at,
        about=violation.about,
        title=f"Contract {code(contract.id)} is not kept",
        says=f"{says if says.endswith(('.', '!', '?')) else says + '.'} The contract is there because: {quoted(contract.because)}",
        do=_do(contract, violation),
        service=violation.service,
        related=_where(contract),
        level=contract.level,
    )


def _do(contract: Contract, violation: Violation) -> str:
    if violation.stopped:
        return f"Make it possible to tell: contract {code(contract.id)} must give an answer here."
    return f"Keep the contract, or change {code(contract.id)} first, in a pull request of its own."


def _where(contract: Contract) -> tuple[Related, ...]:
    """Where the contract stands; packs are no file of this repository."""
    return () if contract.pack else (Related(contract.at, "the contract"),)
