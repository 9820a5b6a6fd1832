"""Shell text to the simple commands it runs, with what stands around each: the grammar, and a walk of its tree.

An abstract reading, not an execution: loops over known words are unrolled, functions are read where they are
called, variables that the script itself sets are filled in. What the grammar does not understand is said so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.facts.expand import Field, Scope, fields, literal
from bot.facts.shell_node import ShellNode, parsed
from bot.facts.shell_tree import (
    Input,
    descend,
    ends_in_failure,
    gives_up,
    input_of,
    next_sign,
    reads,
    until,
    waits_for_ever,
)
from bot.model.facts import Guard

MAX_DEPTH = 60  # nested further than people nest; the tree itself may be 20,000 deep
MAX_COMMANDS = 5_000
MAX_ROUNDS = 100  # of one loop

_SUBSTITUTED = re.compile(r"[$<>]\(|`")


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


def read_shell(
    text: str, options: str = "", environment: Mapping[str, str] | None = None, arguments: tuple[str, ...] = ()
) -> Script:
    """The commands of a script, in the order written. `options` are the shell's own flags, as in `sh -ec`."""
    return _read(text, options, tuple((environment or {}).items()), arguments)


# Base and head, and the files of one estate, hold mostly the same scripts.
@lru_cache(maxsize=512)
def _read(text: str, options: str, environment: tuple[tuple[str, str], ...], arguments: tuple[str, ...]) -> Script:
    root = parsed(text)
    if root is None:
        return Script((), False)
    walk = _Walk(Scope(dict(environment), arguments), gives_up(root.named), errexit="e" in options)
    walk.statements(root, _Around())
    return Script(tuple(walk.found), not root.has_error and not walk.lost)


@dataclass
class _Walk:
    scope: Scope
    fails_at_end: bool = False  # the last statement gives up: whoever gets there has failed
    errexit: bool = False
    pipefail: bool = False
    found: list[Simple] = field(default_factory=list)
    functions: dict[str, ShellNode] = field(default_factory=dict)
    lost: bool = False
    ended: bool = False
    input: Input | None = None  # what the statement at hand reads

    def statements(self, node: ShellNode, around: _Around) -> None:
        """The statements of a block, one after the other; only the last one decides the exit status."""
        children = [child for child in node.named if child.kind != "comment"]
        if children and children[-1].text.strip() in ("exit 0", "true", ":", "return 0"):
            around = replace(around, last=False)
        for index, child in enumerate(children):
            if self.ended:
                return
            background = next_sign(child) == "&"
            inner = replace(around, last=around.last and index == len(children) - 1)
            if background:
                inner = inner.within(Guard.BACKGROUND, caught=True, last=False)
            self.statement(child, inner)

    def statement(self, node: ShellNode, around: _Around) -> None:
        if around.depth > MAX_DEPTH or len(self.found) > MAX_COMMANDS:
            self.lost = True
            return
        handler = _HANDLERS.get(node.kind)
        if handler is not None:
            handler(self, node, around)
        elif node.kind == "ERROR":
            self.lost = True
        else:
            for child in node.named:
                self.statement(child, replace(around, depth=around.depth + 1))

    def list_(self, node: ShellNode, around: _Around) -> None:
        left, right = node.named[0], node.named[-1]
        sign = next((child.kind for child in node.children if child.kind in ("&&", "||")), "")
        if sign == "&&":
            # `set -e` lets the first of two pass; it counts where the whole decides the exit status, and where
            # its success alone keeps the script from the failure that it ends with.
            saves = self.fails_at_end and right.text.strip() in ("exit 0", "exit")
            caught = around.caught or not (around.last or saves)
            self.statement(left, around.within(caught=caught, last=around.last or saves))
            self.statement(right, around.within(Guard.AFTER_SUCCESS))
            return
        ends = ends_in_failure(right)
        self.statement(
            left,
            around.within(Guard.FORGIVEN, caught=not ends, last=ends or around.last)
            if not ends
            else around.within(last=True),
        )
        self.statement(right, around.within(Guard.AFTER_FAILURE))

    def pipeline(self, node: ShellNode, around: _Around) -> None:
        parts = node.named
        for index, part in enumerate(parts):
            if index == len(parts) - 1 or self.pipefail:
                self.statement(part, around.within())
            else:
                self.statement(part, around.within(Guard.PIPELINE, caught=True))

    def negated(self, node: ShellNode, around: _Around) -> None:
        for child in node.named:
            self.statement(child, around.within(Guard.NEGATED, caught=True))

    def branching(self, node: ShellNode, around: _Around) -> None:
        """`if`, `elif`: the tests, then the branches. A test whose failure gives up decides as the branch does."""
        tests, branch, others = _arms(node)
        for test in tests:
            negated = test.kind == "negated_command"
            fails = gives_up(branch) if negated else any(_gives_up(each) for each in others)
            inner = around.within(Guard.CONDITION, caught=around.caught or not fails, last=fails or around.last)
            self.test(test, inner, decides=fails)
        for each in branch:
            self.statement(each, around.within(Guard.BRANCH))
        for each in others:
            self.branching(each, around.within(Guard.BRANCH))

    def test(self, node: ShellNode, around: _Around, decides: bool) -> None:
        """A condition. `! command` that decides is the command itself, turned round twice."""
        if decides and node.kind == "negated_command":
            for child in node.named:
                self.statement(child, around.within(Guard.NEGATED))
        else:
            self.statement(node, around)

    def looping(self, node: ShellNode, around: _Around) -> None:
        """`while` and `until`: the test, then the body, once for each line of a here-document that is read."""
        names, given = reads(node), self.input
        self.input = None
        decides = until(node) and waits_for_ever(node)
        for child in node.named:
            if child.kind != "do_group":
                inner = around.within(Guard.CONDITION, caught=around.caught or not decides, last=decides)
                self.test(child, inner, decides)
            elif names and given is not None and given.text.count("\n") <= MAX_ROUNDS:
                self.lines(child, names, given.text, around)
            else:
                for name in names or ():
                    self.scope.forget(name)
                self.statements(child, around.within(Guard.BRANCH))

    def lines(self, body: ShellNode, names: list[str], text: str, around: _Around) -> None:
        for line in filter(str.strip, text.split("\n")):
            words = line.split(None, len(names) - 1)
            self.scope.variables.update(zip(names, [*words, *[""] * len(names)], strict=False))
            self.statements(body, around.within())

    def for_(self, node: ShellNode, around: _Around) -> None:
        body = node.field("body")
        name = node.field("variable")
        values = [each for child in node.fields("value") for each in fields(child, self.scope)]
        if body is None or name is None:
            return
        variable = name.text
        if not re.search(rf"\$\{{?{re.escape(variable)}\b", body.text):
            self.statements(body, around.within())  # it only counts: tries again what is one thing
            return
        if not values or len(values) > MAX_ROUNDS or not all(each.known for each in values):
            self.scope.variables.pop(variable, None)
            self.statements(body, around.within(Guard.BRANCH))
            return
        for each in values:
            self.scope.variables[variable] = each.text
            self.statements(body, around.within(last=around.last and each is values[-1]))

    def case(self, node: ShellNode, around: _Around) -> None:
        for child in node.named:
            if child.kind == "case_item":
                for inner in child.named[1:]:
                    self.statement(inner, around.within(Guard.BRANCH))

    def block(self, node: ShellNode, around: _Around) -> None:
        self.statements(node, around.within())

    def subshell(self, node: ShellNode, around: _Around) -> None:
        errexit, ended = self.errexit, self.ended
        self.statements(node, around.within())
        self.errexit, self.ended = errexit, ended

    def define(self, node: ShellNode, around: _Around) -> None:  # noqa: ARG002 - one signature for all
        name, body = node.field("name"), node.field("body")
        if name is not None and body is not None:
            self.functions[name.text] = body

    def redirected(self, node: ShellNode, around: _Around) -> None:
        """A statement and what it reads; what `||` or `&&` join to it stands inside the here-document's node."""
        document = next((child for child in node.named if child.kind == "heredoc_redirect"), None)
        joined = [each for each in document.named if not each.kind.startswith("heredoc")] if document else []
        sign = next((child.kind for child in document.children if child.kind in ("&&", "||")), "") if document else ""
        forgiven = sign == "||" and bool(joined) and not ends_in_failure(joined[-1])
        inner = (
            around.within(Guard.FORGIVEN, caught=True) if forgiven else around.within(last=around.last or sign == "||")
        )
        for child in node.named:
            if not child.kind.endswith("redirect") and child.kind != "file_descriptor":
                self.input = input_of(document) if document else None
                self.statement(child, inner)
        self.input = None
        for each in joined:
            guard = {"&&": Guard.AFTER_SUCCESS, "||": Guard.AFTER_FAILURE}.get(sign)
            self.statement(each, around.within(*([guard] if guard else [])))

    def assign(self, node: ShellNode, around: _Around) -> None:
        name, value = node.field("name"), node.field("value")
        if name is None:
            return
        self.substitutions(node, around)
        found = literal(value, self.scope) if value is not None else Field("", True, 0)
        if found.known and Guard.BRANCH not in around.guards:
            self.scope.variables[name.text] = found.text
        else:
            self.scope.forget(name.text)

    def nothing(self, node: ShellNode, around: _Around) -> None:
        """Tests and comments run no command."""

    def declare(self, node: ShellNode, around: _Around) -> None:
        """`export A=b`, `local x=…`: assignments; a bare name changes nothing."""
        for child in node.named:
            if child.kind == "variable_assignment":
                self.assign(child, around)

    def command(self, node: ShellNode, around: _Around) -> None:
        self.substitutions(node, around.within(caught=True))
        words = tuple(
            each
            for child in node.named
            if child.kind not in ("variable_assignment", "comment") and not child.kind.endswith("redirect")
            for each in fields(child, self.scope)
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
            self.found.append(Simple(words, around.guards, decides, node.start, node.end, self.input))
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
        if ends_in_failure(self.functions[name]) and (self.errexit or around.last) and not around.caught:
            # It fails unless something in it succeeded and returned: a function that tries again.
            self.found[before:] = [replace(each, fatal=True) for each in self.found[before:]]

    def substitutions(self, node: ShellNode, around: _Around) -> None:
        """Commands inside `$(…)`; their failure counts only where it becomes the assignment's own."""
        if not _SUBSTITUTED.search(node.text):
            return
        for child in descend(node, "command_substitution"):
            for inner in child.named:
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


def _arms(node: ShellNode) -> tuple[list[ShellNode], list[ShellNode], list[ShellNode]]:
    """The tests of an `if`, the statements of its branch, and the clauses after it."""
    tests: list[ShellNode] = []
    branch: list[ShellNode] = []
    others: list[ShellNode] = []
    seen_then = node.kind == "else_clause"
    for child in node.children:
        if child.kind == "then":
            seen_then = True
        elif child.kind in ("elif_clause", "else_clause"):
            others.append(child)
        elif child.is_named and child.kind != "comment":
            (branch if seen_then else tests).append(child)
    return tests, branch, others


def _gives_up(clause: ShellNode) -> bool:
    return clause.kind == "else_clause" and gives_up(_arms(clause)[1])
