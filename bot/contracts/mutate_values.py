"""Small, likely mistakes in a resolved service: a field lost, an entry twice, another value."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.contracts.forms import form, in_list
from bot.contracts.mutate_text import Operator, TextMutant, altered, json_mutants
from bot.contracts.mutate_text import text_mutants as in_text
from bot.model.node import ScalarNode
from bot.model.place import Place
from bot.model.value import Value

MAX_DEPTH = 8
_ORDERED = (("command",), ("entrypoint",))  # fields whose elements mean something by their order


Make = Callable[[], Value]


class ValueMutant(Struct, frozen=True):
    """One mistake somewhere in a value. `path` are the keys that lead there, indices left out."""

    operator: Operator
    path: tuple[str, ...]
    kind: str
    at: Place
    says: str
    make: Make  # the value after it
    name: str = ""  # of what is mutated within a text: a key of it
    line: str = ""  # or a whole line


def value_mutants(value: Value) -> Iterator[ValueMutant]:
    yield from _below(value, ())


def _below(value: Value, path: tuple[str, ...]) -> Iterator[ValueMutant]:
    if len(path) > MAX_DEPTH:
        return
    if isinstance(value.data, Mapping):
        yield from _of_mapping(value, value.data, path)
    elif isinstance(value.data, tuple):
        yield from _of_sequence(value, value.data, path)
    elif value.data is not None:
        yield from scalar_mutants(value, path)


def _of_mapping(value: Value, data: Mapping[str, Value], path: tuple[str, ...]) -> Iterator[ValueMutant]:
    if len(path) == 1 and form(value) == "list":
        says = f"{path[0]} as a map"
        yield ValueMutant(Operator.ALTER, path, "form", value.whole, says, lambda: reformed(value))
    for key, part in data.items():
        inner_path = (*path, key)
        says = ".".join(inner_path)
        yield ValueMutant(Operator.DROP, inner_path, "", part.key_at or part.at, says, _without(value, data, key))
        for inner in _below(part, inner_path):
            yield replace(inner, make=_with_key(value, data, key, inner.make))


def reformed(value: Value) -> Value:
    """A mapping that is written as a list, written as a map."""
    return replace(
        value, data={key: replace(part, key_at=None, source=_alone(part)) for key, part in value.mapping().items()}
    )


def _alone(part: Value) -> ScalarNode | None:
    return part.source._replace(text=_written(part)) if part.source is not None else None


def _without(value: Value, data: Mapping[str, Value], key: str) -> Make:
    return lambda: replace(value, data={other: part for other, part in data.items() if other != key})


def _with_key(value: Value, data: Mapping[str, Value], key: str, make: Make) -> Make:
    return lambda: replace(value, data={**data, key: make()})


def _of_sequence(value: Value, data: tuple[Value, ...], path: tuple[str, ...]) -> Iterator[ValueMutant]:
    words = path in _ORDERED and all("\n" not in part.as_text for part in data)
    for index, part in enumerate(data):
        kind, line = _word(data, index) if words else ("", "")
        says = f"{'.'.join(path)}[{index}]" + (f" {line}" if line else "")

        def made(
            operator: Operator, make: Make, at: Place = part.at, kind: str = kind, says: str = says, line: str = line
        ) -> ValueMutant:
            return ValueMutant(operator, path, kind, at, says, make, line=line)

        yield made(Operator.DROP, _spliced(value, index, 1, ()))
        yield made(Operator.DUPLICATE, _spliced(value, index, 1, (part, part)))
        if index + 1 < len(data) and path in _ORDERED:
            yield made(Operator.REORDER, _spliced(value, index, 2, (data[index + 1], part)))
        for inner in _below(part, path):
            found = replace(inner, make=_with_element(value, index, inner.make))
            yield replace(found, kind=kind, line=line) if words else found


def _word(data: tuple[Value, ...], index: int) -> tuple[str, str]:
    """A word of a command line as what it is about, an option or its value, and with the word before it."""
    word, before = data[index].as_text, data[index - 1].as_text if index else ""
    if word.startswith("-"):
        return word.partition("=")[0], word
    return (f"{before} value", f"{before} {word}") if before.startswith("-") else ("word", word)


def _spliced(value: Value, index: int, count: int, parts: tuple[Value, ...]) -> Make:
    data = value.sequence()
    return lambda: replace(value, data=(*data[:index], *parts, *data[index + count :]))


def _with_element(value: Value, index: int, make: Make) -> Make:
    return lambda: _spliced(value, index, 1, (make(),))()


def scalar_mutants(value: Value, path: tuple[str, ...]) -> Iterator[ValueMutant]:
    """A scalar altered; a text of several lines, or of JSON, altered where it is read piece by piece."""
    name, text = ".".join(path), value.as_text
    if "\n" in text.strip():
        yield from text_mutants(value, path)
        return
    says = _change(name, text, altered(_written(value)))
    yield ValueMutant(Operator.ALTER, path, "", value.at, says, lambda: with_text(value))
    for kind, other in _likely(path, text):
        if other != text:
            says = _change(name, text, other)
            yield ValueMutant(Operator.ALTER, path, kind, value.at, says, _replaced(value, other))
    if text.startswith(("[", "{")):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return
        for operator, kind, what, changed in json_mutants(text, data):
            says = f"{name} {what}"
            yield ValueMutant(operator, path, kind, value.at, says, _replaced(value, changed), _innermost(kind))


def _likely(path: tuple[str, ...], text: str) -> Iterator[tuple[str, str]]:
    """Values that such a field is often given, and should not."""
    if path == ("image",):
        name, _, digest = text.partition("@")
        bare = re.sub(r":[^:/]*$", "", name)
        yield "without digest", name if name != bare or not digest else f"{name}:1"
        yield "latest", f"{bare}:latest"
        yield "without tag", bare
        yield "short digest", f"{bare}@sha256:{'0' * 12}"
        yield "capitals", f"{bare}/App:1"
    elif path == ("restart",):
        yield from (("always", "always"), ("no", "no"))


def _innermost(kind: str) -> str:
    """The key that a mistake in a JSON text is about: `deployment` of `$[*].tags[deployment]`."""
    found = re.findall(r"[.\[](\w[\w.-]*)", kind)
    return found[-1] if found else ""


def _replaced(value: Value, text: str) -> Make:
    return lambda: replace(value, data=text, source=_source(value, text))


def text_mutants(value: Value, path: tuple[str, ...], others: Collection[str] = ()) -> Iterator[ValueMutant]:
    """A text of several lines, as resolved and as written: the same line of both."""
    places = [place for _, place in value.lines()]
    turn: Counter[tuple[Operator, int]] = Counter()
    for found in in_text(value.as_text, others):
        key = (found.operator, found.line)
        turn[key] += 1
        at = places[min(found.line, len(places)) - 1]
        line = "" if found.name else value.as_text.split("\n")[found.line - 1]
        says = f"{'.'.join(path)}: {found.says}"
        make = _edited(value, found, turn[key], others)
        yield ValueMutant(found.operator, path, found.kind, at, says, make, found.name, line)


def _edited(value: Value, mutant: TextMutant, turn: int, others: Collection[str]) -> Make:
    """The mutant in what is resolved, and its twin in what is written: the same turn on the same line."""

    def make() -> Value:
        source = value.source
        if source is not None:
            here = (mutant.operator, mutant.line)
            twins = (each for each in in_text(source.text, others) if (each.operator, each.line) == here)
            twin = next(islice(twins, turn - 1, None), None)
            source = source._replace(text=twin.apply(source.text)) if twin is not None else source
        return replace(value, data=mutant.apply(value.as_text), source=source)

    return make


def with_text(value: Value) -> Value:
    """The scalar with another value, in what is written and in what that resolves to."""
    written = _written(value)
    changed = altered(written)
    # A default gained or lost shows in what is written; what it resolves to changes with it.
    return replace(value, data=changed.replace("$$", "$"), source=_source(value, changed))


def _written(value: Value) -> str:
    """The value's own text before interpolation, without the key of a `KEY=value` entry."""
    if value.source is None:
        return value.as_text
    _, sign, rest = value.source.text.partition("=")
    return rest if sign and in_list(value) else value.source.text


def _source(value: Value, text: str) -> ScalarNode | None:
    if value.source is None:
        return None
    prefix = value.source.text.removesuffix(_written(value))
    return value.source._replace(text=f"{prefix}{text}")


def _change(name: str, old: str, new: str) -> str:
    old, new = (text if len(text) <= 60 else f"{text[:59]}…" for text in (old, new))
    return f"{name} {old} → {new}"
