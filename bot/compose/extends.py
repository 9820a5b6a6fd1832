"""Phase 5, extends: a service on top of another one, of the same file or of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from bot.compose.context import Context, joined
from bot.compose.merge import merged, without
from bot.model.project import ProblemKind
from bot.model.value import Value

Path = tuple[str, ...]


class Part(Struct, frozen=True):
    """One document of a file in canonical form, and what it resets."""

    value: Value
    resets: list[Path]


Loader = Callable[[str, Value], list[Part] | None]  # a file's documents; None when it is not there


def extended(part: Part, file: str, folder: str, context: Context, load: Loader) -> Value:
    """The document with every `extends` of its services resolved."""
    services = part.value.mapping("services")
    if not any("extends" in service.mapping() for service in services.values()):
        return part.value
    resolver = _Resolver(context, load, folder)
    resolved = {name: resolver.service(name, services, file, part.resets, ()) for name in services}
    block = part.value.get("services")
    assert block is not None
    data = {**part.value.mapping(), "services": Value(resolved, block.at, block.key_at)}
    return Value(data, part.value.at, part.value.key_at)


class _Resolver:
    def __init__(self, context: Context, load: Loader, folder: str) -> None:
        self._context, self._load, self._folder = context, load, folder

    def service(
        self,
        name: str,
        services: Mapping[str, Value],
        file: str,
        resets: list[Path],
        chain: tuple[tuple[str, str], ...],
    ) -> Value:
        """A service on top of what it extends, however long the chain."""
        service = services[name]
        stated = service.get("extends")
        own = Value(
            {key: value for key, value in service.mapping().items() if key != "extends"}, service.at, service.key_at
        )
        if stated is None:
            return own
        if (file, name) in chain:
            self._cycle((*chain, (file, name)), stated)
            return own
        wanted = stated.as_text if isinstance(stated.data, str) else stated.text("service") or ""
        other = None if isinstance(stated.data, str) else stated.text("file")
        if not wanted:
            return own  # the schema says what is missing
        base = self._base(name, wanted, other, services, file, resets, (*chain, (file, name)), stated)
        if base is None:
            return own
        taken = [path[2:] for path in resets if path[:2] == ("services", name) and len(path) > 2]
        return merged(without(base, taken), own, self._context, ("services", name))

    def _base(
        self,
        name: str,
        wanted: str,
        other: str | None,
        services: Mapping[str, Value],
        file: str,
        resets: list[Path],
        chain: tuple[tuple[str, str], ...],
        stated: Value,
    ) -> Value | None:
        if other is None:
            if wanted not in services:
                self._missing(name, wanted, file, stated)
                return None
            return self.service(wanted, services, file, resets, chain)
        path = joined(self._folder, other)
        parts = self._load(path, stated)
        if parts is None:
            return None
        found: Value | None = None
        folder, self._folder = self._folder, path.rpartition("/")[0]
        for part in parts:
            inner = part.value.mapping("services")
            if wanted in inner:
                one = self.service(wanted, inner, path, part.resets, chain)
                found = one if found is None else merged(found, one, self._context, ("services", wanted))
        self._folder = folder
        if found is None:
            self._missing(name, wanted, path, stated)
        return found

    def _missing(self, name: str, wanted: str, file: str, stated: Value) -> None:
        says = f'cannot extend service "{name}" in {self._context.root}{file}: service "{wanted}" not found'
        self._context.refuse(ProblemKind.EXTENDS, says, stated.whole, "extends", name, wanted)

    def _cycle(self, chain: tuple[tuple[str, str], ...], stated: Value) -> None:
        root = self._context.root
        first, *rest = chain
        lines = [f"  {first[1]} in {root}{first[0]}", *(f"  extends {name} in {root}{file}" for file, name in rest)]
        says = "Circular reference:\n" + "\n".join(lines)
        self._context.refuse(ProblemKind.EXTENDS, says, stated.whole, "extends", *sorted({name for _, name in chain}))
