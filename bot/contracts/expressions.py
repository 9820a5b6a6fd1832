"""Expressions through the CEL library: compiled once and checked for unknown names, evaluated many times."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import Any

from msgspec import Struct

from bot.contracts import functions as ours
from bot.contracts.fields import FIELDS
from bot.contracts.tokens import Kind, Path, Token, bound_names, paths, tokens
from bot.model.contract import Expression
from bot.model.place import Place

BUILT_IN = frozenset(
    (
        *("size", "contains", "startsWith", "endsWith", "matches", "has"),
        *("string", "int", "uint", "double", "bytes", "timestamp", "duration", "type", "dyn"),
        *("getFullYear", "getMonth", "getDate", "getHours", "getMinutes", "getSeconds"),
    )
)
TYPES = frozenset(("bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type"))
# `variables.x` is asked for as `variables_x`: the library copies what stands behind a dot, and never a root.
FLAT = ("variables", "file", "estate", "service", "config", "volume")
THERE = "there"  # `service_there`: the names of the fields that a service has
_WHERE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")


class CompileFault(Exception):
    """An expression that cannot be used, and where."""

    def __init__(self, says: str, at: Place) -> None:
        super().__init__(f"{at}: {says}")
        self.says = says
        self.at = at


class EvaluationFault(Exception):
    """An expression that gave no answer; the message says why, `fault` which text was to blame."""

    def __init__(self, says: str, fault: ours.Fault | None = None) -> None:
        super().__init__(says)
        self.fault = fault


class Program(Struct, frozen=True):
    expression: Expression
    paths: tuple[Path, ...]
    names: frozenset[str]  # the roots it asks for: `service`, `file_services`, `variables_x`
    calls: frozenset[str]  # our functions among those it calls
    compiled: Any


@cache
def library() -> Any:
    """The CEL library, without the command line it would bring along: 0.02 s instead of 0.2 s."""
    sys.modules.setdefault("cel.cli", ModuleType("cel.cli"))
    import cel

    logging.getLogger("cel").addHandler(logging.NullHandler())  # it reports errors that it also raises
    logging.getLogger("cel").propagate = False
    return cel


def compile_expression(expression: Expression, roots: Collection[str], variables: Collection[str]) -> Program:
    """Compiles; raises CompileFault for wrong syntax and for names and functions that nobody knows."""
    try:
        references = library().compile(expression.text).references()
        compiled = library().compile(_flattened(expression.text))
    except ValueError as error:
        raise _syntax(expression, str(error)) from None
    found = paths(expression.text)
    bound = bound_names(expression.text)
    known = {*roots, *TYPES, *bound, *(("variables",) if variables else ())}
    for name in references["variables"]:
        if name not in known:
            raise _unknown(expression, "name", name, known - TYPES)
    for name in references["functions"]:
        if name.isidentifier() and name not in BUILT_IN and name not in ours.NAMES:
            raise _unknown(expression, "function", name, BUILT_IN | ours.NAMES)
    for path in found:
        if path.root not in bound:
            _check_field(expression, path, variables)
    asked = compiled.references()
    calls = frozenset(name for name in asked["functions"] if name in ours.NAMES)
    return Program(expression, found, frozenset(asked["variables"]), calls, compiled)


def _check_field(expression: Expression, path: Path, variables: Collection[str]) -> None:
    if not path.steps or not isinstance(path.steps[0].key, str):
        return
    name = path.steps[0].key
    if path.root == "variables" and name not in variables:
        raise _unknown(expression, "variable", name, variables)
    if path.root in FIELDS and name not in FIELDS[path.root] and not name.startswith("x-"):
        raise _unknown(expression, f"field of `{path.root}`", name, FIELDS[path.root])


def _unknown(expression: Expression, what: str, name: str, known: Collection[str]) -> CompileFault:
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return CompileFault(f"{expression.owner}: unknown {what} `{name}`{hint}", _line_of(expression, name))


def _line_of(expression: Expression, name: str) -> Place:
    start = next((token.start for token in tokens(expression.text) if token.text == name), 0)
    return _place(expression, expression.text.count("\n", 0, start) + 1)


def _syntax(expression: Expression, error: str) -> CompileFault:
    found = _WHERE.search(error)
    if found is None:
        return CompileFault(f"{expression.owner}: this is no CEL expression", expression.at)
    says = re.sub(r" expecting \{.*", "", found.group(3).removeprefix("Syntax error: ")).replace("'<EOF>'", "the end")
    says = f"{expression.owner}: this is no CEL expression: {says} at character {found.group(2)}"
    return CompileFault(says, _place(expression, int(found.group(1))))


def _place(expression: Expression, line: int) -> Place:
    """The line of the file that holds a line of the expression; only a block keeps its lines."""
    at = expression.at
    if "\n" not in expression.text.strip():
        return at if at.end_line == at.line else Place.of_line(at.file, at.line + 1)
    return Place.of_line(at.file, min(at.line + line, at.end_line))


def _flattened(text: str) -> str:
    """The same expression with `variables.x` and its like as names of their own.

    `values(file.services)`, `… in file.services` and `has(service.x)` are such names too: for the first the
    library would copy every service twice on its way to our function, for the others it would be given all of
    them to look at a key.
    """
    words = tokens(text)
    found: list[str] = []
    end = 0
    for index, word in enumerate(words):
        if word.start < end or not _is_field(words, index):
            continue
        name, start, stop = f"{word.text}_{words[index + 2].text}", word.start, words[index + 2].end
        if _asked_for(words, index):
            name = f'("{words[index + 2].text}" in {word.text}_{THERE})'
            start, stop = words[index - 2].start, words[index + 3].end
        before, after = words[max(0, index - 2) : index], words[index + 3 : index + 4]
        if [each.text for each in (*before, *after)] == ["values", "(", ")"] and not _after_dot(words, index - 2):
            name, start, stop = f"{name}_values", before[0].start, after[0].end
        elif before and before[-1].text == "in" and word.text == "file" and _ends(after):
            name = f"{name}_keys"
        found += [text[end:start], name]
        end = stop
    return "".join((*found, text[end:]))


def _ends(after: tuple[Token, ...]) -> bool:
    """Whether a path ends here: neither a field nor an index follows."""
    return not after or after[0].text not in (".", "[", "(")


def _is_field(words: tuple[Token, ...], index: int) -> bool:
    """Whether `file.services`, say, begins here, as a value and not as a question or a call."""
    following = words[index + 1 : index + 4]
    return (
        words[index].kind is Kind.NAME
        and words[index].text in FLAT
        and len(following) >= 2
        and following[0].text == "."
        and following[1].kind is Kind.NAME
        and not _after_dot(words, index)
        and not (len(following) == 3 and following[2].text == "(")
        and not (words[index].text == "variables" and _asked_for(words, index))
    )


def _after_dot(words: tuple[Token, ...], index: int) -> bool:
    return index > 0 and words[index - 1].text == "."


def _asked_for(words: tuple[Token, ...], index: int) -> bool:
    """Whether this is `has(file.x)`."""
    return (
        index >= 2
        and words[index - 2].text == "has"
        and words[index - 1].text == "("
        and index + 3 < len(words)
        and words[index + 3].text == ")"
    )


class Scope:
    """The names an expression can see: views, variables, the elements of a loop, and our functions."""

    def __init__(self, functions: ours.Functions, callables: Mapping[str, Any]) -> None:
        self._functions = functions
        self._context = library().Context()
        for name, function in callables.items():
            self._context.add_function(name, function)

    def set(self, name: str, value: Any) -> None:
        self._context.add_variable(name, value)

    def evaluate(self, program: Program) -> Any:
        """What an expression gives. EvaluationFault when it gives nothing."""
        self._functions.fault = None
        try:
            return program.compiled.execute(self._context)
        except KeyError as error:
            raise EvaluationFault(f"there is no key `{error.args[0]}`") from None
        except ZeroDivisionError:
            raise EvaluationFault("it divides by zero") from None
        except (ValueError, RuntimeError, TypeError, IndexError, OverflowError) as error:
            fault = self._functions.fault
            raise EvaluationFault(fault.says if fault is not None else _reason(str(error)), fault) from None

    def is_true(self, program: Program) -> bool:
        found = self.evaluate(program)
        if not isinstance(found, bool):
            raise EvaluationFault(f"it gives {_kind(found)}, not true or false")
        return found


def _reason(error: str) -> str:
    """The library's first sentence: the rest is advice on CEL in general."""
    missing = re.match(rf"Undefined variable or function: '(?:{'|'.join(FLAT)})_(\w+)'", error)
    if missing:
        return f"there is no key `{missing.group(1)}`"
    return re.split(r"\. (?=[A-Z])", error, maxsplit=1)[0][:300].rstrip(".")


def _kind(value: Any) -> str:
    names: dict[type, str] = {str: "a text", list: "a list", dict: "a map", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else type(value).__name__)


__all__ = ["THERE", "CompileFault", "EvaluationFault", "Program", "Scope", "compile_expression"]
