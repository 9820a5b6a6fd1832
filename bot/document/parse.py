"""YAML text to nodes that know file, line and column; bad input is refused before it costs anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from _ruamel_yaml import CParser
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLStreamError
from ruamel.yaml.events import Event, ScalarEvent
from ruamel.yaml.reader import ReaderError

from bot.document.build import Builder
from bot.document.collecting import paused
from bot.document.refused import DocumentError, refuse
from bot.model.node import YamlFile
from bot.model.place import Place
from bot.model.project import ProblemKind

MAX_BYTES = 8 * 1024 * 1024
# The C parser refuses a few files that Compose takes, most of them for a colon within a word of a flow collection
# (`{image: nginx:1.25}`). The pure one, which decides what is left, is some twenty times slower: it is asked only about
# files of a size that people write.
MAX_BYTES_PURE = 2 * 1024 * 1024

_GLUE = "\ue000"  # of the private use area: nobody writes it
_GLUED = re.compile(r"(?<=[\w./$}~-]):(?=[\w./$~-])")
_UNCLEAR = re.compile(r"""["'\s\[{,]:[\w./$~-]+:""")  # the first colon may separate after all

# Breaks that YAML 1.1 parsers count as line ends and editors, Git and GitHub do not.
_OTHER_BREAKS = ("\x85", "\u2028", "\u2029")


def parse(path: str, data: bytes) -> YamlFile:
    """The documents of one file.

    Raises DocumentError with the place of what is wrong: not UTF-8, not YAML, a duplicate key, too large,
    too deep, or an alias that stands for more nodes than anyone writes.
    """
    text = _decode(path, data)
    with paused():
        return _read(path, text)


def parse_embedded(path: str, text: str, lines: int | Sequence[int]) -> YamlFile:
    """YAML that stands inside another file.

    `lines` is how many lines stand before it, or the number that each of its lines has there. Places are the
    outer file's; columns count from the inner text's own margin. Raises DocumentError.
    """
    if isinstance(lines, int):
        return _read(path, text, lines)
    numbers = [number - 1 for number in lines]
    return _read(path, text, 0, [*numbers, numbers[-1] if numbers else 0])


def _read(path: str, text: str, shift: int = 0, lines: list[int] | None = None) -> YamlFile:
    """By the C parser; where that refuses a text, once more with its glued colons hidden, then by the pure one."""
    line_map = _line_map(text) if lines is None else lines
    for hidden in (text, _hidden(text)):
        builder = Builder(path, text, line_map, shift)
        try:
            return builder.build(_c_events(hidden, _GLUE if hidden is not text else None))
        except (MarkedYAMLError, ReaderError, YAMLStreamError) as error:
            refused = _refusal(path, error, text, shift, lines, builder.quote)
    if len(text) > MAX_BYTES_PURE:
        raise refused from None
    try:
        return Builder(path, text, line_map, shift).build(_pure_events(text))
    except (MarkedYAMLError, ReaderError, YAMLStreamError):
        raise refused from None
    except RecursionError:
        raise refuse(ProblemKind.LIMIT, "is nested too deeply", Place.of_line(path, 1)) from None


def _hidden(text: str) -> str:
    """The text with another character for every colon that stands within a word, and so separates nothing."""
    return text if _GLUE in text or _UNCLEAR.search(text) else _GLUED.sub(_GLUE, text)


def _decode(path: str, data: bytes) -> str:
    if len(data) > MAX_BYTES:
        says = f"is {len(data) / 1048576:.1f} MiB; files over {MAX_BYTES // 1048576} MiB are not read"
        raise refuse(ProblemKind.LIMIT, says, Place.of_line(path, 1))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        says = f"is not UTF-8 (byte 0x{data[error.start]:02x})"
        raise refuse(ProblemKind.ENCODING, says, Place.of_line(path, line)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise refuse(ProblemKind.ENCODING, "is binary (holds a NUL byte)", Place.of_line(path, line))
    return text


_HALF = re.compile("[\ud800-\udfff]")


def _c_events(text: str, glue: str | None = None) -> Iterator[Event | None]:
    events = iter(CParser(text).get_event, None)
    return events if glue is None else _restored(events, glue)


def _restored(events: Iterator[Event | None], glue: str) -> Iterator[Event | None]:
    for event in events:
        if isinstance(event, ScalarEvent):
            event.value = event.value.replace(glue, ":")
        yield event


def _pure_events(text: str) -> Iterator[Event]:
    """Halves of a character, which this parser lets an escape write, are refused as the other one does."""
    for event in YAML(typ="safe", pure=True).parse(text):
        if _HALF.search(getattr(event, "value", None) or ""):
            raise MarkedYAMLError(problem="half a character")
        yield event


def _line_map(text: str) -> list[int] | None:
    """Git's line for each of the parser's, None where they agree."""
    if not any(mark in text for mark in _OTHER_BREAKS) and text.count("\r") == text.count("\r\n"):
        return None
    lines, line = [0], 0
    for found in re.finditer("\r\n|[\n\x85\u2028\u2029]|\r", text):
        line += found.group().endswith("\n")
        lines.append(line)
    return lines


def _refusal(
    path: str, error: Exception, text: str, shift: int, lines: list[int] | None, quote: Place | None
) -> DocumentError:
    """`quote` is the last quoted text of several lines before the error: a quote that nobody closed ends at the next."""
    if isinstance(error, MarkedYAMLError):
        unclosed = error.context_mark is not None and "quoted scalar" in (error.context or "")
        mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
        says = ", ".join(str(part) for part in (error.context, error.problem) if part)
        line = mark.line + 1 if mark is not None else 1
        column = mark.column + 1 if mark is not None else 1
        if "\t" in _line(text, line)[:column]:
            says += " (a tab; YAML is indented with blanks)"
        line = lines[min(line, len(lines)) - 1] + 1 if lines else line + shift
        if quote is not None and quote.end_line == line:
            says = f"a quote that opens here closes only at line {line}: {says}"
            return refuse(ProblemKind.YAML, says, Place(path, quote.line, quote.column, quote.line))
        return refuse(ProblemKind.YAML, says, Place(path, line, column, line))
    position = getattr(error, "position", 0)
    line = text.count("\n", 0, position) + 1 + shift
    return refuse(ProblemKind.ENCODING, str(error).split("\n")[0], Place.of_line(path, line))


def _line(text: str, number: int) -> str:
    lines = text.split("\n", number)
    return lines[number - 1] if number <= len(lines) else ""


__all__ = ["MAX_BYTES", "DocumentError", "parse", "parse_embedded"]
