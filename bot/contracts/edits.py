"""What a change does to the contracts themselves: added, removed, loosened, tightened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.model.contract import Clause, Contract, ContractEdit, EditKind, Expression
from bot.model.text import code, codes, counted


def edits(base: Iterable[Contract], head: Iterable[Contract], paths: Iterable[str]) -> tuple[ContractEdit, ...]:
    """Head's contracts against base's. `paths` are the Compose files there are: what a pattern leaves out is told."""
    before = {contract.id: contract for contract in base}
    after = {contract.id: contract for contract in head}
    return tuple(_edits(before, after, tuple(paths)))


def _edits(before: dict[str, Contract], after: dict[str, Contract], paths: tuple[str, ...]) -> Iterator[ContractEdit]:
    for identity, contract in after.items():
        if identity not in before:
            yield ContractEdit(EditKind.ADDED, identity, (counted(len(contract.clauses), "check"),), contract.at)
        elif not same_promise(before[identity], contract):
            yield _edited(before[identity], contract, paths)
    for identity, contract in before.items():
        if identity not in after:
            yield ContractEdit(EditKind.REMOVED, identity, (counted(len(contract.clauses), "check"),), contract.at)


def same_promise(one: Contract, other: Contract) -> bool:
    """Whether two contracts say the same, wherever they stand and whatever their reasons and examples."""
    return _said(one) == _said(other)


def _said(contract: Contract) -> tuple[object, ...]:
    return (
        contract.id,
        contract.each,
        contract.level,
        contract.files,
        contract.not_files,
        contract.optional,
        _text(contract.select),
        tuple((name, value.text) for name, value in contract.variables),
        tuple(_clause(clause) for clause in contract.clauses),
    )


def _clause(clause: Clause) -> tuple[object, ...]:
    loops = tuple((name, loop.text) for name, loop in clause.loops)
    return (clause.id, clause.condition.text, loops, _text(clause.when))


def _text(expression: Expression | None) -> str:
    return expression.text if expression is not None else ""


def _edited(before: Contract, after: Contract, paths: tuple[str, ...]) -> ContractEdit:
    looser = list(_loosened(before, after, paths))
    tighter = list(_loosened(after, before, paths, reverse=True))
    changed = list(_changed(before, after))
    if looser:
        kind = EditKind.LOOSENED
    elif changed:
        kind = EditKind.CHANGED
    else:
        kind = EditKind.TIGHTENED
    return ContractEdit(kind, after.id, (*looser, *tighter, *changed), after.at)


def _loosened(before: Contract, after: Contract, paths: tuple[str, ...], reverse: bool = False) -> Iterator[str]:
    """In which ways `after` asks less than `before`; told the other way round when `reverse`."""
    if after.level < before.level:
        words = (before.level.word, after.level.word)
        yield "level {} instead of {}".format(*(words if reverse else words[::-1]))
    if after.optional and not before.optional:
        yield "it must select something" if reverse else "it may select nothing"
    left_out = [path for path in paths if before.covers(path) and not after.covers(path)]
    if left_out:
        yield f"{'now covers' if reverse else 'no longer covers'} {codes(left_out)}"
    there = {clause.id for clause in after.clauses}
    gone = [clause.id for clause in before.clauses if clause.id not in there]
    if gone:
        yield f"{'has a new' if reverse else 'has no'} check {codes(gone)}"


def _changed(before: Contract, after: Contract) -> Iterator[str]:
    if before.each is not after.each:
        yield f"is held against each {after.each} instead of each {before.each}"
    if _text(before.select) != _text(after.select):
        yield f"selects by {code(_text(after.select) or 'true')} instead of {code(_text(before.select) or 'true')}"
    old, new = dict(before.variables), dict(after.variables)
    for name in sorted({*old, *new}):
        if name not in old or name not in new or old[name].text != new[name].text:
            yield f"variable {code(name)} differs"
    clauses = {clause.id: clause for clause in before.clauses}
    for clause in after.clauses:
        if clause.id in clauses and _clause(clauses[clause.id]) != _clause(clause):
            yield f"check {code(clause.id)} differs"
