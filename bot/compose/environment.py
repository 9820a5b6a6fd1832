"""Environment and label files: their lines become the service's own, below what it states itself."""

from __future__ import annotations

from bot.compose.context import Context, Unset
from bot.compose.dotenv import DotenvError, parse_dotenv
from bot.model.place import Place
from bot.model.project import ProblemKind
from bot.model.value import Value


def with_environment(name: str, service: Value, context: Context) -> Value:
    """The service with its files read and values passed through from outside.

    A file that is not there stays named where the model is read for a review: it may well be on the host.
    """
    data = dict(service.mapping())
    variables, left = _files(name, service, "env_file", context)
    labels, _ = _files(name, service, "label_file", context)
    for own, found in (("environment", variables), ("labels", labels)):
        stated = service.get(own)
        if found:
            at, key_at = (stated.at, stated.key_at) if stated is not None else (service.at, None)
            data[own] = Value({**found, **service.mapping(own)}, at, key_at)
    if "env_file" in data:
        del data["env_file"]
        if left:
            data["env_file"] = Value(tuple(left), service.at)
    if "environment" in data:
        data["environment"] = _passed_through(data["environment"], context)
    return Value(data, service.at, service.key_at)


def _files(name: str, service: Value, field: str, context: Context) -> tuple[dict[str, Value], list[Value]]:
    found: dict[str, Value] = {}
    left: list[Value] = []
    for entry in service.sequence(field):
        path = entry.as_text if isinstance(entry.data, str) else entry.text("path") or ""
        stated = entry.get("path")
        unknown = bool(entry.unknown) or (stated is not None and bool(stated.unknown))
        text = None if unknown else context.sources.text(path)
        if text is None:
            if entry.text("required") != "false":
                left.append(entry)
                if context.unset is Unset.BLANK and path and not unknown:
                    kind, there = field.replace("_file", " file"), context.root + path
                    says = f"{kind} {there} not found: stat {there}: no such file or directory"
                    context.refuse(ProblemKind.VALUE, says, entry.at, field, name, path)
            continue
        try:
            values = parse_dotenv(text, context.variables, raw=entry.text("format") == "raw")
        except DotenvError as error:
            context.refuse(
                ProblemKind.VALUE, f"failed to read {path}: {error}", Place.of_line(path, error.line), field, path
            )
            continue
        for key, value in values.items():
            if value is None and key not in context.environment:
                continue  # a bare name that nothing sets outside is no variable
            found[key] = Value(context.environment[key] if value is None else value, entry.at, entry.at)
    return found, left


def _passed_through(environment: Value, context: Context) -> Value:
    """Names without a value take the one that stands outside, if any."""
    data = {
        name: Value(context.environment[name], value.at, value.key_at, (), value.source)
        if value.data is None and name in context.environment
        else value
        for name, value in environment.mapping().items()
    }
    return Value(data, environment.at, environment.key_at)
