"""What a service runs: its own words, or the script that a shell or Python is given."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.facts.python import PythonCall, python_calls
from bot.facts.shell import Simple, read_shell
from bot.facts.shell_tree import Input
from bot.model.facts import Command, Word
from bot.model.place import Place
from bot.model.service import Service
from bot.model.value import Value

_SHELLS = {"sh", "bash", "ash", "dash", "zsh", "ksh"}
_PYTHONS = {"python", "python3", "python2"}
# Programs that only start another one, with how many words of their own stand before it.
_WRAPPERS = {
    "exec": 0,
    "env": 0,
    "tini": 0,
    "dumb-init": 0,
    "nohup": 0,
    "sudo": 0,
    "timeout": 1,
    "nice": 0,
    "gosu": 1,
    "su-exec": 1,
}
_VALUED_OPTIONS = {"-o", "-O", "+O", "--rcfile", "--init-file"}


Placer = Callable[[int], Place]


class Ran(Struct, frozen=True):
    """The commands of one service, and the Python calls in scripts that it hands to an interpreter."""

    commands: tuple[Command, ...]
    calls: tuple[PythonCall, ...] = ()


def what_it_runs(service: Service) -> Ran:
    """From `entrypoint` and `command`, as the container gets them."""
    entry = [("entrypoint", word) for word in service.argv("entrypoint")]
    words = [*entry, *(("command", word) for word in service.argv("command"))]
    if not words:
        return Ran(())
    environment = {
        name: value.as_text
        for name, value in service.environment.items()
        if value.data is not None and not value.unknown
    }
    return _run(service, words, environment)


def _run(service: Service, words: list[tuple[str, Value]], environment: dict[str, str]) -> Ran:
    start = _program(words)
    name = words[start][1].as_text.rsplit("/", 1)[-1] if start < len(words) else ""
    if name == "busybox" and start + 1 < len(words):
        start, name = start + 1, words[start + 1][1].as_text
    rest = words[start + 1 :]
    if name in _SHELLS:
        return _shell(service, words, rest, environment)
    if _is_python(name) and any(word.as_text == "-c" for _, word in rest[:3]):
        return _python(words, rest)
    return Ran((_plain(words),))


def _program(words: list[tuple[str, Value]]) -> int:
    """The index of the program itself, behind `env A=b`, `timeout 10`, `tini --` and the like."""
    index = 0
    while index < len(words):
        name = words[index][1].as_text.rsplit("/", 1)[-1]
        if name not in _WRAPPERS:
            return index
        skip = _WRAPPERS[name]
        index += 1
        while index < len(words):
            text = words[index][1].as_text
            if text.startswith("-") or (name == "env" and "=" in text):
                index += 1
            elif skip:
                skip, index = skip - 1, index + 1
            else:
                break
    return len(words)


def _shell(
    service: Service, words: list[tuple[str, Value]], rest: list[tuple[str, Value]], environment: dict[str, str]
) -> Ran:
    options, index = "", 0
    while index < len(rest):
        text = rest[index][1].as_text
        if not text.startswith(("-", "+")) or text in ("-", "--"):
            break
        if text in _VALUED_OPTIONS or text.endswith("o"):
            options += "e" if index + 1 < len(rest) and rest[index + 1][1].as_text == "errexit" else ""
            index += 1
        if not text.startswith("--"):
            options += text[1:]
        index += 1
        if "c" in text[1:] and not text.startswith("--"):
            break
    if index >= len(rest):
        return Ran((_plain(words),))
    where, script = rest[index]
    arguments = tuple(word.as_text for _, word in rest[index + 1 :])
    if "c" in options:
        return _script(script, where, options, environment, arguments[1:])
    for grant in service.config_files:
        config = service.configs.get(grant.source)
        content = config.get("content") if config is not None else None
        if grant.target == script.as_text and content is not None:
            return _script(content, f"config {grant.source}", options, environment, arguments)
    return Ran((_plain(words),))


def _script(script: Value, where: str, options: str, environment: dict[str, str], arguments: tuple[str, ...]) -> Ran:
    read = read_shell(script.as_text, options, environment, arguments)
    place = script.placer()
    commands: list[Command] = []
    calls: list[PythonCall] = []
    for simple in read.commands:
        first, last = place(simple.start), place(max(simple.end - 1, simple.start))
        words = tuple(Word(word.text, word.known, place(word.offset)) for word in simple.words)
        at = _span(first, last)
        commands.append(Command(words, simple.guards, simple.fatal, read.understood, at, where))
        inner = _handed_to_python(simple)
        if inner is not None:
            found = python_calls(inner.text, _from(place, inner.offset))
            calls += [replace(call, caught=call.caught or not simple.fatal) for call in found]
    return Ran(tuple(commands), tuple(calls))


def _from(place: Placer, start: int) -> Placer:
    return lambda offset: place(start + offset)


def _handed_to_python(simple: Simple) -> Input | None:
    """The script that a command of a shell hands to Python: after `-c`, or as its input."""
    words = [word.text for word in simple.words]
    start = next((index for index, word in enumerate(words) if _is_python(word.rsplit("/", 1)[-1])), None)
    if start is None:
        return None
    rest = simple.words[start + 1 :]
    for index, word in enumerate(rest[:-1]):
        if word.text == "-c":
            return Input(rest[index + 1].text, rest[index + 1].offset + 1)  # behind its opening quote
    return simple.input if all(word.text.startswith("-") for word in rest) else None


def _is_python(name: str) -> bool:
    return name in _PYTHONS or name.startswith("python3.")


def _span(first: Place, last: Place) -> Place:
    return first.through(last) if last.file == first.file and last.line >= first.line else first


def _plain(words: list[tuple[str, Value]]) -> Command:
    """Words that no shell reads: one command, whose failure is the service's."""
    first, last = words[0][1].at, words[-1][1].at
    return Command(
        argv=tuple(Word(word.as_text, not word.unknown, word.at) for _, word in words),
        guards=frozenset(),
        fatal=True,
        understood=True,
        at=_span(first, last) if first.file == last.file else first,
        script=words[0][0],
    )


def _python(words: list[tuple[str, Value]], rest: list[tuple[str, Value]]) -> Ran:
    index = next(index for index, (_, word) in enumerate(rest) if word.as_text == "-c")
    if index + 1 >= len(rest):
        return Ran((_plain(words),))
    script = rest[index + 1][1]
    return Ran((_plain(words),), python_calls(script.as_text, script.placer()))
