"""Whether a text keeps the grammar of nginx's configuration files: words, `;` and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<quoted>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<sign>[{};])
  | (?P<open>["'])                            # of a quote that nothing closes
  | (?P<word>(?:\$\{|\\.|[^\s{;\\])+|\\)
    """,
    re.VERBOSE | re.DOTALL,
)
_LUA = re.compile(r".*_by_lua_block")
# Directives that people write on a line of their own: one of them in the middle of a statement means that the
# statement before it has no `;`.
_DIRECTIVES = re.compile(
    r"listen|server_name|return|root|index|include|rewrite|resolver|access_log|error_log|client_max_body_size|add_header|"
    r"keepalive|keepalive_timeout|server_tokens|sendfile|tcp_nopush|gzip|location|(?:proxy|grpc|fastcgi|uwsgi|ssl)_[a-z_]+"
)


class Fault(Struct, frozen=True):
    """Why nginx refuses a text, and where: an offset in characters."""

    says: str
    offset: int


class _Token(Struct, frozen=True):
    kind: str
    text: str
    start: int
    first: bool  # on its line


def fault(text: str) -> Fault | None:
    """The first fault, None for a text that nginx can read as far as its grammar goes. Includes are not followed.

    What stands where a template is filled in (`${NAME}`) may be anything: a statement with it is not judged.
    """
    blocks: list[_Token] = []
    words: list[_Token] = []
    skipped = 0
    for token in _tokens(text):
        if token.start < skipped:
            continue
        if token.kind == "open":
            return Fault(f"a quote ({token.text}) is not closed", token.start)
        if token.kind != "sign":
            if found := _run_on(words, token):
                return found
            words.append(token)
        elif token.text == "{":
            if not words:
                return Fault('"{" stands without the name of a block', token.start)
            if _LUA.fullmatch(words[0].text):
                skipped = _after_block(text, token.start)
            else:
                blocks.append(words[0])
            words = []
        elif token.text == "}":
            if words and not _filled_in(words):
                return _unfinished(words)
            if not blocks:
                return Fault('"}" closes no block', token.start)
            blocks.pop()
            words = []
        else:
            if not words:
                return Fault('";" ends nothing', token.start)
            words = []
    if words and not _filled_in(words):
        return _unfinished(words)
    return Fault(f'the block "{blocks[-1].text}" is not closed', blocks[-1].start) if blocks else None


def _tokens(text: str) -> Iterator[_Token]:
    line = -1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind != "comment":
            start = found.start()
            begin = text.rfind("\n", 0, start)
            yield _Token(kind, found.group(), start, begin != line or line < 0)
            line = text.rfind("\n", 0, found.end())


def _run_on(words: list[_Token], token: _Token) -> Fault | None:
    """A directive that goes on over the next one."""
    if not words or not token.first or token.kind != "word" or _filled_in(words):
        return None
    if _DIRECTIVES.fullmatch(token.text) and _DIRECTIVES.fullmatch(words[0].text):
        return _unfinished(words)
    return None


def _unfinished(words: list[_Token]) -> Fault:
    return Fault(f'"{words[0].text}" is not ended by ";"', words[-1].start)


def _filled_in(words: list[_Token]) -> bool:
    return any("${" in word.text for word in words)


def _after_block(text: str, start: int) -> int:
    """Behind the `}` of a block of another language, whose own braces come in pairs."""
    depth = 0
    for found in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.end()
    return len(text)


__all__ = ["Fault", "fault"]
