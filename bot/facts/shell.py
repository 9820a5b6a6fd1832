"""Shell text to the simple commands it runs, with what stands around each: the grammar, and a walk of its tree.

An abstract reading, not an execution: loops over known words are unrolled, functions are read where they are
called, variables that the script itself sets are filled in. What the grammar does not understand is said so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.facts.expand import Field, Scope, fields, literal
from bot.facts.shell_tree import (
    Input,
    descend,
    ends_in_failure,
    gives_up,
    input_of,
    next_sign,
    offset_of,
    reads,
    text_of,
    until,
    waits_for_ever,
)
from bot.model.facts import Guard

MAX_BYTES = 200_000
MAX_DEPTH = 60  # nested further than people nest; the tree itself may be 20,000 deep
MAX_COMMANDS = 5_000
MAX_ROUNDS = 100  # of one loop


class Simple(Struct, frozen=True):
    """One simple command: its words with their offsets, and whether its failure ends the script in failure."""

    words: tuple[Field, ...]
    guards: frozenset[Guard]
    fatal: bool
    start: int  # offsets in characters
    end: int
    input: Input | None = None  # of a here-document


class Script(Struct, frozen=True):
    commands: tuple[Simple, ...]
    understood: bool


class _Around(Struct, frozen=True):
    """What holds at one point of the walk."""

    guards: frozenset[Guard] = frozenset()
    caught: bool = False  # a failure here is tested or forgiven
    last: bool = True  # this statement decides the exit status
    depth: int = 0

    def within(self, *guards: Guard, caught: bool | None = None, last: bool | None = None) -> _Around:
        return replace(
            self,
            guards=self.guards | set(guards),
            caught=self.caught if caught is None else caught,
            last=self.last if last is None else last,
            depth=self.depth + 1,
        )


@cache
def _parser() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def parsed(text: str) -> tuple[Any, bytes]:
    """The root of a script's syntax tree, and the bytes that its nodes count in; of nothing when it is too long."""
    data = text.encode("utf-8", "replace")
    data = data if len(data) <= MAX_BYTES else b""
    return _parser().parse(data).root_node, data


def read_shell(
    text: str, options: str = "", environment: Mapping[str, str] | None = None, arguments: tuple[str, ...] = ()
) -> Script:
    """The commands of a script, in the order written. `options` are the shell's own flags, as in `sh -ec`."""
    return _read(text, options, tuple((environment or {}).items()), arguments)


# Base and head, and the files of one estate, hold mostly the same scripts.
@lru_cache(maxsize=512)
def _read(text: str, options: str, environment: tuple[tuple[str, str], ...], arguments: tuple[str, ...]) -> Script:
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_BYTES:
        return Script((), False)
    root = _parser().parse(data).root_node
    fails_at_end = gives_up(root.named_children, data)
    walk = _Walk(data, Scope(dict(environment), arguments), fails_at_end, errexit="e" in options)
    walk.statements(root, _Around())
    return Script(tuple(walk.found), not root.has_error and not walk.lost)


@dataclass
class _Walk:
    data: bytes
    scope: Scope
    fails_at_end: bool = False  # the last statement gives up: whoever gets there has failed
    errexit: bool = False
    pipefail: bool = False
    found: list[Simple] = field(default_factory=list)
    functions: dict[str, Any] = field(default_factory=dict)
    lost: bool = False
    ended: bool = False
    input: Input | None = None  # what the statement at hand reads

    def statements(self, node: Any, around: _Around) -> None:
        """The statements of a block, one after the other; only the last one decides the exit status."""
        children = [child for child in node.named_children if child.type != "comment"]
        if children and text_of(children[-1], self.data).strip() in ("exit 0", "true", ":", "return 0"):
            around = replace(around, last=False)
        for index, child in enumerate(children):
            if self.ended:
                return
            background = next_sign(child) == "&"
            inner = replace(around, last=around.last and index == len(children) - 1)
            if background:
                inner = inner.within(Guard.BACKGROUND, caught=True, last=False)
            self.statement(child, inner)

    def statement(self, node: Any, around: _Around) -> None:
        if around.depth > MAX_DEPTH or len(self.found) > MAX_COMMANDS:
            self.lost = True
            return
        handler = _HANDLERS.get(node.type)
        if handler is not None:
            handler(self, node, around)
        elif node.type == "ERROR":
            self.lost = True
        else:
            for child in node.named_children:
                self.statement(child, replace(around, depth=around.depth + 1))

    def list_(self, node: Any, around: _Around) -> None:
        left, right = node.named_children[0], node.named_children[-1]
        sign = next((child.type for child in node.children if child.type in ("&&", "||")), "")
        if sign == "&&":
            # `set -e` lets the first of two pass; it counts where the whole decides the exit status, and where
            # its success alone keeps the script from the failure that it ends with.
            saves = self.fails_at_end and text_of(right, self.data).strip() in ("exit 0", "exit")
            caught = around.caught or not (around.last or saves)
            self.statement(left, around.within(caught=caught, last=around.last or saves))
            self.statement(right, around.within(Guard.AFTER_SUCCESS))
            return
        ends = ends_in_failure(right, self.data)
        self.statement(
            left,
            around.within(Guard.FORGIVEN, caught=not ends, last=ends or around.last)
            if not ends
            else around.within(last=True),
        )
        self.statement(right, around.within(Guard.AFTER_FAILURE))

    def pipeline(self, node: Any, around: _Around) -> None:
        parts = node.named_children
        for index, part in enumerate(parts):
            if index == len(parts) - 1 or self.pipefail:
                self.statement(part, around.within())
            else:
                self.statement(part, around.within(Guard.PIPELINE, caught=True))

    def negated(self, node: Any, around: _Around) -> None:
        for child in node.named_children:
            self.statement(child, around.within(Guard.NEGATED, caught=True))

    def branching(self, node: Any, around: _Around) -> None:
        """`if`, `elif`: the tests, then the branches. A test whose failure gives up decides as the branch does."""
        tests, branch, others = _arms(node)
        for test in tests:
            negated = test.type == "negated_command"
            fails = gives_up(branch, self.data) if negated else any(_gives_up(each, self.data) for each in others)
            inner = around.within(Guard.CONDITION, caught=around.caught or not fails, last=fails or around.last)
            self.test(test, inner, decides=fails)
        for each in branch:
            self.statement(each, around.within(Guard.BRANCH))
        for each in others:
            self.branching(each, around.within(Guard.BRANCH))

    def test(self, node: Any, around: _Around, decides: bool) -> None:
        """A condition. `! command` that decides is the command itself, turned round twice."""
        if decides and node.type == "negated_command":
            for child in node.named_children:
                self.statement(child, around.within(Guard.NEGATED))
        else:
            self.statement(node, around)

    def looping(self, node: Any, around: _Around) -> None:
        """`while` and `until`: the test, then the body, once for each line of a here-document that is read."""
        names, given = reads(node, self.data), self.input
        self.input = None
        decides = until(node) and waits_for_ever(node, self.data)
        for child in node.named_children:
            if child.type != "do_group":
                inner = around.within(Guard.CONDITION, caught=around.caught or not decides, last=decides)
                self.test(child, inner, decides)
            elif names and given is not None and given.text.count("\n") <= MAX_ROUNDS:
                self.lines(child, names, given.text, around)
            else:
                for name in names or ():
                    self.scope.forget(name)
                self.statements(child, around.within(Guard.BRANCH))

    def lines(self, body: Any, names: list[str], text: str, around: _Around) -> None:
        for line in filter(str.strip, text.split("\n")):
            words = line.split(None, len(names) - 1)
            self.scope.variables.update(zip(names, [*words, *[""] * len(names)], strict=False))
            self.statements(body, around.within())

    def for_(self, node: Any, around: _Around) -> None:
        body = node.child_by_field_name("body")
        name = node.child_by_field_name("variable")
        values = [
            each for child in node.children_by_field_name("value") for each in fields(child, self.data, self.scope)
        ]
        if body is None or name is None:
            return
        variable = text_of(name, self.data)
        if not re.search(rf"\$\{{?{re.escape(variable)}\b", text_of(body, self.data)):
            self.statements(body, around.within())  # it only counts: tries again what is one thing
            return
        if not values or len(values) > MAX_ROUNDS or not all(each.known for each in values):
            self.scope.variables.pop(variable, None)
            self.statements(body, around.within(Guard.BRANCH))
            return
        for each in values:
            self.scope.variables[variable] = each.text
            self.statements(body, around.within(last=around.last and each is values[-1]))

    def case(self, node: Any, around: _Around) -> None:
        for child in node.named_children:
            if child.type == "case_item":
                for inner in child.named_children[1:]:
                    self.statement(inner, around.within(Guard.BRANCH))

    def block(self, node: Any, around: _Around) -> None:
        self.statements(node, around.within())

    def subshell(self, node: Any, around: _Around) -> None:
        errexit, ended = self.errexit, self.ended
        self.statements(node, around.within())
        self.errexit, self.ended = errexit, ended

    def define(self, node: Any, around: _Around) -> None:  # noqa: ARG002 - one signature for all
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[text_of(name, self.data)] = body

    def redirected(self, node: Any, around: _Around) -> None:
        """A statement and what it reads; what `||` or `&&` join to it stands inside the here-document's node."""
        document = next((child for child in node.named_children if child.type == "heredoc_redirect"), None)
        joined = [each for each in document.named_children if not each.type.startswith("heredoc")] if document else []
        sign = next((child.type for child in document.children if child.type in ("&&", "||")), "") if document else ""
        forgiven = sign == "||" and bool(joined) and not ends_in_failure(joined[-1], self.data)
        inner = (
            around.within(Guard.FORGIVEN, caught=True) if forgiven else around.within(last=around.last or sign == "||")
        )
        for child in node.named_children:
            if not child.type.endswith("redirect") and child.type != "file_descriptor":
                self.input = input_of(document, self.data) if document else None
                self.statement(child, inner)
        self.input = None
        for each in joined:
            guard = {"&&": Guard.AFTER_SUCCESS, "||": Guard.AFTER_FAILURE}.get(sign)
            self.statement(each, around.within(*([guard] if guard else [])))

    def assign(self, node: Any, around: _Around) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        self.substitutions(node, around)
        found = literal(value, self.data, self.scope) if value is not None else Field("", True, 0)
        if found.known and Guard.BRANCH not in around.guards:
            self.scope.variables[text_of(name, self.data)] = found.text
        else:
            self.scope.forget(text_of(name, self.data))

    def nothing(self, node: Any, around: _Around) -> None:
        """Tests and comments run no command."""

    def declare(self, node: Any, around: _Around) -> None:
        """`export A=b`, `local x=…`: assignments; a bare name changes nothing."""
        for child in node.named_children:
            if child.type == "variable_assignment":
                self.assign(child, around)

    def command(self, node: Any, around: _Around) -> None:
        self.substitutions(node, around.within(caught=True))
        words = tuple(
            each
            for child in node.named_children
            if child.type not in ("variable_assignment", "comment") and not child.type.endswith("redirect")
            for each in fields(child, self.data, self.scope)
        )
        if not words:
            return
        name = words[0].text if words[0].known else ""
        if name in ("set", "shopt"):
            self._set([word.text for word in words[1:]])
        elif name in self.functions:
            self._call(name, words, around)
        elif name in ("exit", "return") and not around.guards & {
            Guard.BRANCH,
            Guard.AFTER_FAILURE,
            Guard.AFTER_SUCCESS,
        }:
            self.ended = name == "exit"
        else:
            decides = (self.errexit or around.last or name == "exec") and not around.caught
            start, end = offset_of(self.data, node.start_byte), offset_of(self.data, node.end_byte)
            self.found.append(Simple(words, around.guards, decides, start, end, self.input))
            self.ended = self.ended or (name == "exec" and len(words) > 1 and Guard.BRANCH not in around.guards)

    def _set(self, words: list[str]) -> None:
        for index, word in enumerate(words):
            on = word.startswith("-")
            if word[:1] not in "+-" or len(word) < 2:
                continue
            if "e" in word[1:]:
                self.errexit = on
            if "o" in word[1:] and index + 1 < len(words):
                self.errexit = on if words[index + 1] == "errexit" else self.errexit
                self.pipefail = on if words[index + 1] == "pipefail" else self.pipefail

    def _call(self, name: str, words: tuple[Field, ...], around: _Around) -> None:
        if around.depth > MAX_DEPTH:
            self.lost = True
            return
        arguments, ended = self.scope.arguments, self.ended
        self.scope.arguments = tuple(word.text if word.known else None for word in words[1:])
        before = len(self.found)
        self.statements(self.functions[name], around.within(Guard.FUNCTION))
        self.scope.arguments, self.ended = arguments, ended
        if ends_in_failure(self.functions[name], self.data) and (self.errexit or around.last) and not around.caught:
            # It fails unless something in it succeeded and returned: a function that tries again.
            self.found[before:] = [replace(each, fatal=True) for each in self.found[before:]]

    def substitutions(self, node: Any, around: _Around) -> None:
        """Commands inside `$(…)`; their failure counts only where it becomes the assignment's own."""
        for child in descend(node, "command_substitution"):
            for inner in child.named_children:
                self.statement(inner, around.within(Guard.SUBSTITUTION))


_HANDLERS: Mapping[str, Any] = {
    "list": _Walk.list_,
    "pipeline": _Walk.pipeline,
    "negated_command": _Walk.negated,
    "if_statement": _Walk.branching,
    "while_statement": _Walk.looping,
    "for_statement": _Walk.for_,
    "case_statement": _Walk.case,
    "compound_statement": _Walk.block,
    "do_group": _Walk.block,
    "subshell": _Walk.subshell,
    "function_definition": _Walk.define,
    "redirected_statement": _Walk.redirected,
    "variable_assignment": _Walk.assign,
    "variable_assignments": _Walk.declare,
    "declaration_command": _Walk.declare,
    "command": _Walk.command,
    "test_command": _Walk.nothing,
    "comment": _Walk.nothing,
}


def _arms(node: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The tests of an `if`, the statements of its branch, and the clauses after it."""
    tests: list[Any] = []
    branch: list[Any] = []
    others: list[Any] = []
    seen_then = node.type == "else_clause"
    for child in node.children:
        if child.type == "then":
            seen_then = True
        elif child.type in ("elif_clause", "else_clause"):
            others.append(child)
        elif child.is_named and child.type != "comment":
            (branch if seen_then else tests).append(child)
    return tests, branch, others


def _gives_up(clause: Any, data: bytes) -> bool:
    return clause.type == "else_clause" and gives_up(_arms(clause)[1], data)
