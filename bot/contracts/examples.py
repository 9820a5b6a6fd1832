"""The examples of a contract: Compose files that keep it, and files that break it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.check import State, check
from bot.contracts.compiled import Compiled
from bot.model.contract import ContractExample, Verdict, Violation

LoadText = Callable[[str], State]  # a Compose file's text, as the only file of a tree


class Shown(Struct, frozen=True):
    """An example, and what the contract says of it."""

    contract: str
    example: ContractExample
    violations: tuple[Violation, ...]

    @property
    def holds(self) -> bool:
        """Whether the example shows what it says it does. An answer that was not given shows nothing."""
        if any(each.stopped for each in self.violations):
            return False
        return bool(self.violations) == (self.example.verdict is Verdict.BREAKS)


def shown(contracts: Iterable[Compiled], load: LoadText) -> Iterator[Shown]:
    for compiled in contracts:
        # An example is one file of any name, and need not hold what the contract is about.
        anywhere = replace(compiled, contract=replace(compiled.contract, files=(), not_files=(), optional=True))
        for example in compiled.contract.examples:
            result = check([anywhere], load(example.text))[0]
            yield Shown(compiled.contract.id, example, result.violations)


def broken_by(examples: Iterable[Shown]) -> set[tuple[str, str]]:
    """The contracts and checks that examples show to be able to fail."""
    return {(each.contract, violation.clause) for each in examples if each.holds for violation in each.violations}
