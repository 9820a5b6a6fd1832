"""What `contracts check` and `contracts test` print: JSON for programs, lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bot.contracts.examples import Shown, broken_by
from bot.contracts.trial import Outcome, Trial
from bot.model.contract import Contract, ContractResult, Violation
from bot.model.finding import CheckStatus
from bot.model.text import counted

_MARKS = {CheckStatus.PASSED: "✓", CheckStatus.FAILED: "✗", CheckStatus.SKIPPED: "-"}
MAX_LINES = 12  # of survivors of one kind of contract, for people


def check_data(results: Iterable[ContractResult]) -> dict[str, Any]:
    return {"contracts": [_result_data(result) for result in results]}


def _result_data(result: ContractResult) -> dict[str, Any]:
    return {
        "id": result.contract.id,
        "status": result.status.value,
        "level": result.contract.level.word,
        "files": len(result.files),
        "why": result.why,
        "violations": [_violation_data(violation) for violation in result.violations],
    }


def _violation_data(violation: Violation) -> dict[str, Any]:
    return {
        "file": violation.at.file,
        "line": violation.at.line,
        "end_line": violation.at.end_line,
        "service": violation.service,
        "check": violation.clause,
        "message": violation.says,
    }


def check_lines(results: Sequence[ContractResult]) -> Iterator[str]:
    for result in results:
        detail = result.why or counted(len(result.files), "file")
        yield f"{_MARKS[result.status]} {result.contract.id}  {detail}"
        for violation in result.violations:
            whose = f" {violation.service}:" if violation.service else ""
            yield f"    {violation.at}:{whose} {violation.says}"
        if result.violations:
            yield f"    because: {result.contract.because}"
    broken = sum(result.status is CheckStatus.FAILED for result in results)
    yield ""
    yield f"{counted(len(results), 'contract')}, {broken} not kept"


def test_data(trial: Trial, contracts: Sequence[Contract], examples: Sequence[Shown]) -> dict[str, Any]:
    proven = broken_by(examples)
    vacuous = {name for name, check in trial.vacuous(proven) if not check}
    return {
        "contracts": [_tally_data(contract, trial, vacuous, proven) for contract in contracts],
        "mutants": len(trial.outcomes),
        "killed": len(trial.outcomes) - len(trial.survivors),
        "survivors": [_survivor_data(outcome) for outcome in trial.survivors],
        "examples": [
            {
                "contract": each.contract,
                "verdict": each.example.verdict.value,
                "file": each.example.at.file,
                "line": each.example.at.line,
                "holds": each.holds,
            }
            for each in examples
        ],
    }


def _tally_data(contract: Contract, trial: Trial, vacuous: set[str], proven: set[tuple[str, str]]) -> dict[str, Any]:
    tally = trial.tallies.get(contract.id)
    if tally is None:
        return {"id": contract.id, "status": "skipped", "why": "no file matches its `files`"}
    return {
        "id": contract.id,
        "status": "vacuous" if contract.id in vacuous else "tested",
        "file": contract.at.file,
        "line": contract.at.line,
        "mutants": tally.mutants,
        "killed": tally.killed,
        "checks": [
            {"id": check, "killed": killed, "shown_by_example": (contract.id, check) in proven}
            for check, killed in tally.checks.items()
        ],
    }


def _survivor_data(outcome: Outcome) -> dict[str, Any]:
    mutant = outcome.mutant
    return {
        "file": mutant.at.file,
        "line": mutant.at.line,
        "service": mutant.service,
        "mutant": f"{mutant.operator} {mutant.says}",
        "contracts": list(outcome.concerned),
        "stopped": outcome.stopped or None,
    }


def test_lines(trial: Trial, contracts: Sequence[Contract], examples: Sequence[Shown]) -> Iterator[str]:
    yield from _kill_table(trial, contracts, broken_by(examples))
    yield ""
    yield from _survivor_lines(trial)
    wrong = [each for each in examples if not each.holds]
    for each in wrong:
        does = "keeps" if each.example.verdict.value == "keeps" else "breaks"
        yield f"✗ {each.example.at}: the example {does} {each.contract}, it says, and does not"
    for name, check in trial.vacuous(broken_by(examples)):
        what = f"check {check} of {name}" if check else f"contract {name}"
        yield f"✗ {what} is vacuous: it noticed none of the mutants it looks at"
    killed = len(trial.outcomes) - len(trial.survivors)
    yield f"{counted(len(trial.outcomes), 'mutant')}, {killed} noticed, {len(trial.survivors)} survive"


def _kill_table(trial: Trial, contracts: Sequence[Contract], proven: set[tuple[str, str]]) -> Iterator[str]:
    width = max((len(contract.id) for contract in contracts), default=0) + 2
    yield f"{'contract':<{width}} mutants  noticed  by check"
    for contract in contracts:
        tally = trial.tallies.get(contract.id)
        if tally is None:
            yield f"{contract.id:<{width}}       -        -  skipped: no file matches its `files`"
            continue
        checks = ", ".join(
            f"{check} {killed}" if killed or (contract.id, check) not in proven else f"{check} 0 (its example does)"
            for check, killed in tally.checks.items()
        )
        yield f"{contract.id:<{width}} {tally.mutants:>7}  {tally.killed:>7}  {checks}"


def _survivor_lines(trial: Trial) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in trial.survivors:
        groups.setdefault(outcome.concerned, []).append(outcome)
    for concerned, outcomes in groups.items():
        yield f"{', '.join(concerned)} and {counted(len(outcomes), 'surviving mutant')}:"
        for outcome in outcomes[:MAX_LINES]:
            why = f" ({outcome.stopped})" if outcome.stopped else ""
            yield f"    {outcome.mutant.at}: {outcome.mutant.operator} {outcome.mutant.says}{why}"
        if len(outcomes) > MAX_LINES:
            yield f"    … and {len(outcomes) - MAX_LINES} more (--format json has them all)"
        yield ""
