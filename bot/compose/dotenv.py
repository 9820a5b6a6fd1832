"""`.env` files as Compose reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.compose.template import InvalidTemplate, Required, substitute

_LINE = re.compile(r"\s*(?:export\s+)?(?P<name>[\w.\-\[\]]+)\s*(?:(?P<sign>[=:])(?P<rest>.*))?$", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "$": "$"}


class DotenvError(Exception):
    """A line that cannot be read; `line` counts from 1."""

    def __init__(self, says: str, line: int) -> None:
        super().__init__(says)
        self.line = line


def parse_dotenv(text: str, environment: Mapping[str, str], raw: bool = False) -> dict[str, str | None]:
    """Names with their values; None for a name without `=`, which passes the environment's value through.

    `${NAME}` is expanded in double quotes and without quotes, from the environment and the lines above.
    With `raw`, the text after `=` is the value, quotes and dollars included. Raises DotenvError.
    """
    found: dict[str, str | None] = {}
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise DotenvError(f'unexpected character in variable name near "{line.strip()[:40]}"', number)
        if match["sign"] is None:
            found[match["name"]] = None
            continue
        if raw:
            found[match["name"]] = match["rest"]
            continue
        rest = match["rest"].lstrip()
        if rest[:1] in ("'", '"'):
            while not _closed(rest):
                if number >= len(lines):
                    raise DotenvError(f"unterminated quoted value {rest}", number)
                rest += "\n" + lines[number]
                number += 1
            # What stands behind a quoted value is read as a line of its own: a comment, most times.
            number -= 1
            lines[number], rest = rest[_end(rest) + 1 :], rest[: _end(rest) + 1]
        found[match["name"]] = _value(rest, {**found, **environment}, number)
    return found


def _closed(text: str) -> bool:
    return _end(text) > 0


def _end(text: str) -> int:
    """Where the quoted text that starts here ends; 0 when it does not."""
    quote, index = text[0], 1
    while index < len(text):
        if text[index] == "\\":
            index += 2
            continue
        if text[index] == quote:
            return index
        index += 1
    return 0


def _value(text: str, known: Mapping[str, str | None], line: int) -> str:
    if text[:1] in ("'", '"'):
        inner = text[1 : _end(text)]
        if text[0] == "'":
            return inner.replace("\\'", "'")
        inner = re.sub(
            r"\\(.)", lambda found: _ESCAPES.get(found[1], found.group()) if found[1] != "$" else "$$", inner
        )
        return _expanded(inner, known, line)
    return _expanded(re.split(r"\s#", text, maxsplit=1)[0].strip(), known, line)


def _expanded(text: str, known: Mapping[str, str | None], line: int) -> str:
    if "$" not in text:
        return text
    try:
        return substitute(text, known.get, keep=False).text
    except (InvalidTemplate, Required) as error:
        raise DotenvError(str(error) or f"invalid template: {text}", line) from None
