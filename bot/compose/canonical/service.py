"""Phase 7, canonical: a service's fields in their long forms, as `docker compose config` prints them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.compose.canonical import fields
from bot.compose.canonical.located import Located
from bot.compose.canonical.ports import port_entries
from bot.compose.canonical.words import words_or_list
from bot.compose.context import Context
from bot.model.project import ProblemKind
from bot.model.value import Value

Convert = Callable[[Value], Value]

# Fields that say something even when they are empty, zero or false. The rest is as if it were not written.
_SPEAKING = {"command", "entrypoint", "init", "attach", "scale", "deploy", "build", "logging", "healthcheck", "develop"}
_DURATIONS = {"interval", "timeout", "start_period", "start_interval"}


def _options(value: Value) -> Value:
    return fields.within(value, {"options": fields.labels})


def _healthcheck(value: Value) -> Value:
    if not isinstance(value.data, dict):
        return value
    data = {name: fields.timed(inner) if name in _DURATIONS else inner for name, inner in value.data.items()}
    retries = data.get("retries")
    if retries is not None and isinstance(retries.data, int) and retries.data < 0:
        raise ValueError(f"retries cannot be {retries.data}")
    test = data.get("test")
    if test is not None and isinstance(test.data, str):
        data["test"] = Value((Value("CMD-SHELL", test.at), fields.bare(test)), test.at, test.key_at)
    elif test is not None and test.sequence() and test.sequence()[0].as_text not in ("CMD", "CMD-SHELL", "NONE"):
        raise ValueError('test must start either by "CMD", "CMD-SHELL" or "NONE"')
    if "test" in data and data["test"].data == ():
        del data["test"]
    if data.get("disable") is not None and data["disable"].data is False:
        del data["disable"]
    return Value(data, value.at, value.key_at)


def _deploy(value: Value) -> Value:
    if not isinstance(value.data, dict):
        return value
    timed: dict[str, Convert] = dict.fromkeys(("delay", "monitor", "window"), fields.timed)
    whole = fields.within(
        value,
        {
            "labels": fields.labels,
            "update_config": lambda inner: fields.within(inner, timed),
            "rollback_config": lambda inner: fields.within(inner, timed),
            "restart_policy": lambda inner: fields.within(inner, timed),
            "resources": _resources,
        },
    )
    data = {name: inner for name, inner in whole.mapping().items() if inner.data is not None}
    for name in ("placement", "resources"):
        data.setdefault(name, Value({}, value.at))
    return Value(data, value.at, value.key_at)


def _resources(value: Value) -> Value:
    limits: dict[str, Convert] = {"memory": fields.sized, "cpus": fields.number, "devices": devices}
    return fields.within(
        value,
        {
            "limits": lambda inner: fields.within(inner, limits),
            "reservations": lambda inner: fields.within(inner, limits),
        },
    )


def devices(value: Value) -> Value:
    """Device requests: `all`, or nothing, as -1, ids as text. Raises ValueError for a count beside ids."""
    if isinstance(value.data, str):  # `gpus: all`
        return Value((Value({"count": _count(fields.bare(value))}, value.at),), value.at, value.key_at)
    items = []
    for item in value.sequence():
        data = dict(item.mapping())
        if "count" in data and "device_ids" in data:
            raise ValueError('"count" and "device_ids" attributes are exclusive')
        if "count" in data:
            data["count"] = _count(data["count"])
        elif "device_ids" not in data:
            data["count"] = Value(-1, item.at)
        if "options" in data:
            data["options"] = fields.labels(data["options"])
        items.append(Value(data, item.at, item.key_at))
    return Value(tuple(items), value.at, value.key_at)


def _count(value: Value) -> Value:
    """How many devices; -1 stands for all of them. Raises ValueError."""
    if value.unknown or not isinstance(value.data, str):
        return value
    if value.data != "all" and not value.data.isdigit():
        raise ValueError(f"invalid value \"{value.data}\", the only value allowed is 'all' or a number")
    return Value(-1 if value.data == "all" else int(value.data), value.at, value.key_at, (), value.source)


def _depends(value: Value) -> Value:
    if isinstance(value.data, tuple):
        found = {
            item.as_text: Value(
                {"condition": Value("service_started", item.at), "required": Value(True, item.at)}, item.at, item.at
            )
            for item in value.data
        }
        return Value(found, value.at, value.key_at)
    found = {}
    for name, edge in value.mapping().items():
        data = dict(edge.mapping())
        data.setdefault("required", Value(True, edge.at))
        if data.get("restart") is not None and data["restart"].data is False:
            del data["restart"]
        found[name] = Value(data, edge.at, edge.key_at)
    return Value(found, value.at, value.key_at)


def _networks(value: Value) -> Value:
    options: dict[str, Convert] = {"driver_opts": fields.labels}
    found = {name: fields.within(inner, options) for name, inner in fields.names(value).mapping().items()}
    return Value(found, value.at, value.key_at)


def _pull_policy(value: Value) -> Value:
    renamed = "missing" if value.data == "if_not_present" else value.data
    return Value(renamed, value.at, value.key_at, value.unknown, value.source)


def _ports(value: Value) -> Value:
    if not isinstance(value.data, tuple):
        return value
    entries = tuple(entry for item in value.data for entry in port_entries(item))
    return fields.unique(
        Value(entries, value.at, value.key_at),
        lambda item: tuple(item.text(name) or "" for name in ("host_ip", "target", "published", "protocol")),
    )


def _hooks(value: Value) -> Value:
    items = tuple(
        fields.within(item, {"command": words_or_list, "environment": fields.environment}) for item in value.sequence()
    )
    return Value(items, value.at, value.key_at)


def _blkio(value: Value) -> Value:
    rates: dict[str, Convert] = {"rate": fields.sized, "weight": fields.unquoted}

    def rated(inner: Value) -> Value:
        items = tuple(fields.within(item, rates) for item in inner.sequence())
        return Value(items, inner.at, inner.key_at)

    return fields.within(
        value,
        {
            "weight": fields.unquoted,
            **dict.fromkeys(
                ("weight_device", "device_read_bps", "device_write_bps", "device_read_iops", "device_write_iops"), rated
            ),
        },
    )


def _provider(value: Value) -> Value:
    def listed(options: Value) -> Value:
        found = {name: fields.sequence(inner) for name, inner in options.mapping().items()}
        return Value(found, options.at, options.key_at)

    return fields.within(value, {"options": listed})


def _limits(value: Value) -> Value:
    def number(inner: Value) -> Value:
        if isinstance(inner.data, dict):
            return fields.within(inner, {"soft": fields.number, "hard": fields.number})
        return fields.number(inner)

    return Value({name: number(inner) for name, inner in value.mapping().items()}, value.at, value.key_at)


def _listed(value: Value) -> Value:
    return fields.unique(fields.sequence(value))


_SIZES = ("mem_limit", "memswap_limit", "mem_reservation", "mem_swappiness", "shm_size")
_LISTS = (
    "cap_add",
    "cap_drop",
    "dns",
    "dns_opt",
    "dns_search",
    "expose",
    "links",
    "profiles",
    "tmpfs",
)
_CONVERT: dict[str, Convert] = {
    "environment": fields.environment,
    "labels": fields.labels,
    "annotations": fields.labels,
    "sysctls": fields.labels,
    "storage_opt": fields.labels,
    "logging": _options,
    "healthcheck": _healthcheck,
    "deploy": _deploy,
    "depends_on": _depends,
    "ports": _ports,
    "networks": _networks,
    "models": fields.names,
    "pull_policy": _pull_policy,
    "command": words_or_list,
    "entrypoint": words_or_list,
    "extra_hosts": fields.hosts,
    "stop_grace_period": fields.timed,
    "cpus": fields.number,
    "cpu_shares": fields.number,
    "gpus": devices,
    "post_start": _hooks,
    "pre_stop": _hooks,
    "blkio_config": _blkio,
    "provider": _provider,
    "ulimits": _limits,
    "external_links": fields.sequence,
    "group_add": fields.sequence,
    "security_opt": fields.sequence,
    "device_cgroup_rules": fields.sequence,
    "volumes_from": fields.sequence,
    **dict.fromkeys(_SIZES, fields.sized),
    **dict.fromkeys(_LISTS, _listed),
}


def ports_as_written(service: Value) -> Value:
    """A service with its ports in long form when every entry can be read, else all of them as they are."""
    ports = service.get("ports")
    if ports is None:
        return service
    try:
        return fields.within(service, {"ports": _ports})
    except ValueError:
        return service


def _gpus_as_written(value: Value) -> Value:
    if not isinstance(value.data, str):
        return value
    return Value((Value({"count": fields.bare(value)}, value.at),), value.at, value.key_at)


# The conversions of forms alone, for a model whose variables are left as they are.
_FORMS: Mapping[str, Convert] = {
    "depends_on": _depends,
    "networks": fields.names,
    "models": fields.names,
    "dns": _listed,
    "gpus": _gpus_as_written,
}


def conversions(context: Context, folder: str) -> Mapping[str, Convert]:
    """For each field that has several forms, what makes the long one; paths are resolved against `folder`.

    Where variables are left as they are, only the form is changed: what a value means cannot be told yet.
    """
    located = Located(context, folder).conversions()
    return {**_CONVERT, **located} if context.interpolate else {**_FORMS, **located}


def canonical_service(name: str, value: Value, context: Context, located: Mapping[str, Convert]) -> Value:
    """A service in its long form. What cannot be read is a problem at its place and stays as it was."""
    found: dict[str, Value] = {}
    for field_name, inner in value.mapping().items():
        if field_name.startswith("x-") and context.interpolate:
            continue
        convert = located.get(field_name)
        if convert is not None:
            inner = _converted(name, field_name, convert, inner, context)
        if not context.interpolate:
            found[field_name] = inner
            continue
        if field_name == "deploy" and inner.data is None:
            continue
        if field_name not in _SPEAKING and not inner.unknown and inner.data in (None, "", False, 0, (), {}):
            continue
        found[field_name] = inner
    return Value(found, value.at, value.key_at)


def _converted(name: str, field_name: str, convert: Convert, inner: Value, context: Context) -> Value:
    try:
        return convert(inner)
    except ValueError as error:
        if context.is_misshapen("services", name, field_name):
            return inner
        says = f"services.{name}.{field_name}: {error}"
        context.refuse(ProblemKind.VALUE, says, inner.whole, "services", name, field_name, str(error))
        return inner
