"""One project from its files: runs the phases in their order. See docs/loader.md, which a test holds to this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct, structs

from bot.compose.canonical.service import ports_as_written
from bot.compose.canonical.top import RESOURCES, canonical, named
from bot.compose.check import check_resources, check_services, check_together
from bot.compose.context import Context, Sources, Unset, joined
from bot.compose.dotenv import DotenvError, parse_dotenv
from bot.compose.environment import with_environment
from bot.compose.extends import Part, extended
from bot.compose.include import Include, includes
from bot.compose.interpolate import cast
from bot.compose.merge import merged, without
from bot.compose.name import project_name
from bot.compose.raw import Document, document
from bot.compose.shape import check_shape
from bot.document.parse import DocumentError
from bot.model.facts import Facts
from bot.model.node import MappingNode, ScalarNode
from bot.model.place import Place
from bot.model.project import ProblemKind, Project
from bot.model.service import Service
from bot.model.value import Value

ReadFacts = Callable[[Service], Facts]


class Request(Struct, frozen=True):
    """What to load: the files of one command, in order, and where their relative paths start."""

    files: tuple[str, ...]
    folder: str
    name: str | None = None  # from -p; None: told from the files
    active: Callable[[Service], bool] | None = None  # which services the profiles enable; None: all of them


def load(request: Request, context: Context, read_facts: ReadFacts) -> Project:
    """The project. Never raises for what the files hold: faults are the project's problems."""
    name, name_at = project_name(request.files, request.folder, request.name, context)
    context = replace(context, variables={**context.variables, "COMPOSE_PROJECT_NAME": name})
    model = _model(request.files, request.folder, context, ())
    resources = {kind: named(model.mapping(kind), name, kind, context) for kind in RESOURCES}
    services = {
        key: Service(
            key,
            value.key_at or value.at,
            _resolved(key, value, context),
            resources["configs"],
            read_facts,
        )
        for key, value in model.mapping("services").items()
    }
    if context.normalize:
        resources["networks"] = _with_default(resources["networks"], services, name, context)
    if context.consistent and context.interpolate:
        _check(services, {**resources, "models": dict(model.mapping("models"))}, request, context)
    extensions = {key: value for key, value in model.mapping().items() if key.startswith("x-") or key == "models"}
    return Project(
        path=request.files[0],
        files=tuple(context.files),
        name=name,
        name_at=name_at,
        services={key: _completed(each) for key, each in services.items()} if context.normalize else services,
        networks=resources["networks"],
        volumes=resources["volumes"],
        configs=resources["configs"],
        secrets=resources["secrets"],
        problems=tuple(context.problems),
        variables=tuple(dict.fromkeys(context.uses)),
        extensions=extensions,
        together=request.files,
    )


def _resolved(name: str, service: Value, context: Context) -> Value:
    if not context.interpolate:
        return ports_as_written(service)
    return with_environment(name, service, context) if context.resolve_environment else service


def _check(
    services: dict[str, Service], resources: dict[str, dict[str, Value]], request: Request, context: Context
) -> None:
    check_resources(resources, context)
    if request.active is None:
        check_services(services, services, resources, context)
        active = {key: service for key, service in services.items() if not service.profiles}
        if len(active) < len(services):
            check_together(active, services, context)
        return
    active = {key: service for key, service in services.items() if request.active(service)}
    check_services(active, services, resources, context)


def _completed(service: Service) -> Service:
    """With the default network that a service joins when it names none."""
    if (
        service.value.get("network_mode") is not None
        or service.value.mapping("networks")
        or service.value.get("provider")
    ):
        return service
    at = service.value.at
    data = {**service.value.mapping(), "networks": Value({"default": Value(None, at)}, at)}
    return structs.replace(service, value=Value(data, at, service.value.key_at))


def _with_default(
    networks: dict[str, Value], services: dict[str, Service], name: str, context: Context
) -> dict[str, Value]:
    """The network that needs no definition, where a service joins it, by name or because it names none."""
    needs = [
        service
        for service in services.values()
        if not service.value.mapping("networks") or "default" in service.value.mapping("networks")
    ]
    if "default" in networks or not needs:
        return networks
    return {**networks, **named({"default": Value({}, needs[0].at)}, name, "networks", context)}


def _model(
    files: tuple[str, ...], folder: str, context: Context, chain: tuple[str, ...], asked_at: Place | None = None
) -> Value:
    """The merged documents of several files, in canonical form. `asked_at` is where a file includes them."""
    whole: Value | None = None
    for file in files:
        for parsed in _documents(file, context, asked_at):
            prepared = _prepared(parsed, whole, file, folder, context)
            own = _over_includes(prepared, folder, context, (*chain, file))
            resolved = extended(own, file, folder, context, lambda path, at: _parts(path, at, context))
            whole = resolved if whole is None else merged(without(whole, parsed.resets), resolved, context)
    return whole if whole is not None else Value({}, Place.of_line(files[0], 1))


def _over_includes(part: Part, folder: str, context: Context, chain: tuple[str, ...]) -> Part:
    """A document over the projects that it includes, each of these over the ones named after it."""
    found: Value | None = None
    for entry in includes(part.value):
        other = _included(entry, folder, context, chain)
        found = other if found is None else merged(other, found, context)
    if "include" not in part.value.mapping():
        return part
    data = {key: value for key, value in part.value.mapping().items() if key != "include"}
    own = Value(data, part.value.at, part.value.key_at)
    return Part(own if found is None else merged(without(found, part.resets), own, context), part.resets)


def _documents(file: str, context: Context, wanted_at: Place | None = None) -> list[Document]:
    """The documents of one file; an unreadable file is a problem, at the place that asks for it."""
    try:
        found = context.read(file)
    except DocumentError as error:
        context.refuse(error.problem.kind, error.problem.says, error.problem.at, *error.problem.subject)
        return []
    at = wanted_at or Place.of_line(file, 1)
    if found is None:
        says = f"open {context.root}{file}: no such file or directory"
        context.refuse(ProblemKind.INCLUDE, says, at, "missing", file)
        return []
    roots = [root for root in found.roots if not (isinstance(root, ScalarNode) and root.text in ("", "~", "null"))]
    if not roots:
        context.refuse(ProblemKind.YAML, "empty compose file", Place.of_line(file, 1), "empty")
    for root in roots:
        if not isinstance(root, MappingNode):
            context.refuse(ProblemKind.SCHEMA, "top-level object must be a mapping", root.at, "top-level")
    return [document(root, context) for root in roots if isinstance(root, MappingNode)]


def _prepared(parsed: Document, before: Value | None, file: str, folder: str, context: Context) -> Part:
    """One document with its typed fields cast, held against the schema and made canonical."""
    value = cast(parsed.value, context) if context.interpolate else parsed.value
    if "version" in value.mapping():
        context.warn(
            f'"{context.root}{file}: the attribute `version` is obsolete, it will be ignored, '
            'please remove it to avoid potential confusion"'
        )
    check_shape(_pruned(value, before), file, context)
    return Part(canonical(value, context, folder), parsed.resets)


def _pruned(value: Value, before: Value | None) -> Value:
    """Without the service fields that say nothing about what an earlier document said: they change nothing."""
    if before is None:
        return value
    known = before.mapping("services")
    services = value.get("services")
    if services is None:
        return value
    kept = {}
    for name, service in services.mapping().items():
        had = known[name].mapping() if name in known else {}
        fields = {key: inner for key, inner in service.mapping().items() if inner.data is not None or key not in had}
        kept[name] = Value(fields, service.at, service.key_at)
    return Value({**value.mapping(), "services": Value(kept, services.at, services.key_at)}, value.at, value.key_at)


def _parts(file: str, wanted: Value, context: Context) -> list[Part] | None:
    """The documents of a file that a service extends, as that file's own folder reads them."""
    documents = _documents(file, context, wanted.whole)
    folder = file.rpartition("/")[0]
    return [_prepared(parsed, None, file, folder, context) for parsed in documents] or None


def _included(entry: Include, folder: str, context: Context, chain: tuple[str, ...]) -> Value:
    """The services and resources of an included project; nothing where it cannot be had, which is a problem."""
    nothing = Value({}, entry.value.at)
    if entry.remote:
        says = f"includes {entry.paths[0]}, which is not a file of this repository and is not fetched"
        context.refuse(ProblemKind.INCLUDE, says, entry.value.at, "remote", *entry.paths)
        return nothing
    paths = tuple(joined(folder, path) for path in entry.paths)
    if not paths:
        return nothing
    loop = next((path for path in paths if path in chain), None)
    if loop is not None:
        root = context.root
        says = "include cycle detected:\n" + "\n include ".join(f"{root}{path}" for path in (*chain, loop))
        context.refuse(ProblemKind.INCLUDE, says, entry.value.at, "include-cycle", *sorted({*chain, loop}))
        return nothing
    below = joined(folder, entry.folder) if entry.folder is not None else paths[0].rpartition("/")[0]
    inner = replace(context, variables=_surroundings(entry, below, folder, context))
    other = _model(paths, below, inner, chain, entry.value.whole)
    kept = {kind: block for kind, block in other.mapping().items() if kind in ("services", "models", *RESOURCES)}
    return Value(kept, other.at, other.key_at)


def _surroundings(entry: Include, below: str, folder: str, context: Context) -> dict[str, str]:
    """The variables of an included project: its own `.env`, or the files named, below what is already set."""
    files = [joined(folder, path) for path in entry.env_files] or [joined(below, ".env")]
    found: dict[str, str] = {}
    for file in files:
        text = context.sources.text(file)
        if text is None:
            if entry.env_files and context.unset is Unset.BLANK and file != "/dev/null":
                says = f"stat {context.root}{file}: no such file or directory"
                context.refuse(ProblemKind.INCLUDE, says, entry.value.at, "env_file", file)
            continue
        try:
            values = parse_dotenv(text, {**found, **context.variables})
        except DotenvError as error:
            context.refuse(ProblemKind.VALUE, str(error), Place.of_line(file, error.line), "dotenv", file)
            continue
        found.update({name: value for name, value in values.items() if value is not None})
    return {**found, **context.variables}


__all__ = ["Context", "Request", "Sources", "Unset", "load"]
