"""Published ports: every short form as the long one."""

from __future__ import annotations

import re

from bot.model.value import Value

_PROTOCOLS = ("tcp", "udp", "sctp")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def port_entries(value: Value) -> list[Value]:
    """One entry of `ports` as one long form, or several for a range. Raises ValueError with Compose's words."""
    if isinstance(value.data, bool) or value.data is None:
        raise ValueError("invalid port")
    if not isinstance(value.data, str | int | float):
        return [_long(value)]
    text = value.as_text.strip()
    if value.unknown:
        return [_unknown(value, text)]
    address, _, protocol = text.partition("/")
    if protocol and protocol.lower() not in _PROTOCOLS:
        raise ValueError(f"invalid proto: {protocol}")
    host, published, target = _parts(address)
    if host and not _is_address(host):
        raise ValueError(f"invalid IP address: {host}")
    return [_entry(value, host, outside, inside, protocol or "tcp") for outside, inside in _pairs(published, target)]


def _parts(address: str) -> tuple[str, str, str]:
    """Host address, published and container port; the first two may be empty."""
    bracketed = re.fullmatch(r"\[([^\]]+)\]:(.*)", address)
    host, rest = (bracketed[1], bracketed[2]) if bracketed else ("", address)
    pieces = rest.split(":")
    if len(pieces) > 3:
        host, pieces = ":".join(pieces[:-2]), pieces[-2:]
    if len(pieces) == 3:
        host, pieces = pieces[0], pieces[1:]
    return (host, pieces[0], pieces[1]) if len(pieces) == 2 else (host, "", pieces[0])


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True


def _pairs(published: str, target: str) -> list[tuple[str, int]]:
    inside = _range(target, "containerPort")
    if not published:
        return [("", port) for port in inside]
    outside = _range(published, "hostPort")
    if len(inside) == len(outside):
        return [(str(one), other) for one, other in zip(outside, inside, strict=True)]
    if len(inside) == 1:
        return [(published, inside[0])]
    raise ValueError(f"invalid ranges specified for container and host Ports: {target} and {published}")


def _range(text: str, what: str) -> list[int]:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise ValueError(f"invalid {what}: {text}" if text else f"no port specified: {text}<empty>")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first or last > 65535:
        raise ValueError(f"invalid {what}: {text}")
    return list(range(first, last + 1))


def _entry(value: Value, host: str, published: str, target: int, protocol: str) -> Value:
    data = {"mode": _at(value, "ingress"), "target": _at(value, target), "protocol": _at(value, protocol.lower())}
    if published:
        data["published"] = _at(value, published)
    if host:
        data["host_ip"] = _at(value, host)
    return Value(data, value.at, value.key_at, value.unknown, value.source)


def _unknown(value: Value, text: str) -> Value:
    """An entry in which a variable stands: split at the colons outside of braces, and left as written."""
    address, _, protocol = text.partition("/") if "/" in text.rsplit("}", 1)[-1] else (text, "", "")
    pieces = re.findall(r"(?:\$\{[^}]*\}|[^:])+", address)
    host = pieces[-3] if len(pieces) > 2 else ""
    published = pieces[-2] if len(pieces) > 1 else ""
    data = {"mode": "ingress", "target": pieces[-1] if pieces else "", "protocol": protocol or "tcp"}
    if published:
        data["published"] = published
    if host:
        data["host_ip"] = host
    return Value(
        {name: _at(value, part) for name, part in data.items()}, value.at, value.key_at, value.unknown, value.source
    )


def _long(value: Value) -> Value:
    data = dict(value.mapping())
    for name, default in (("mode", "ingress"), ("protocol", "tcp")):
        if name not in data:
            data[name] = Value(default, value.at)
    if "published" in data and not isinstance(data["published"].data, str):
        data["published"] = _at(data["published"], data["published"].as_text)
    return Value(data, value.at, value.key_at)


def _at(value: Value, data: str | int) -> Value:
    return Value(data, value.at, None, value.unknown if isinstance(data, str) and "$" in data else ())
