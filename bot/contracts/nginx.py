"""nginx's configuration language as data: servers, what they listen on, and where they pass requests."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.contracts.located import Located, of_plain
from bot.document.nginx import fault
from bot.model.place import Place

_PASSES = ("proxy_pass", "grpc_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass")
_TARGET = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?(\[[^\]]*\]|[^:/\s]*)(?::(\d+))?")


class NotNginx(ValueError):
    """A text that nginx would refuse: why, and on which line of it, where that is known."""

    def __init__(self, says: str, line: int | None = None) -> None:
        super().__init__(says)
        self.line = line


def read_nginx(text: str) -> Located:
    """A configuration, or a part of one, with the lines of the text as places."""
    directives = list(_flat(_parse(text), ()))
    servers = [
        _server(block, within) for block, within in directives if block["directive"] == "server" and _is_block(block)
    ]
    upstreams = [_upstream(block) for block, _ in directives if block["directive"] == "upstream"]
    parts = {
        "servers": servers,
        "upstreams": upstreams,
        "passes": [_pass(each) for each, _ in directives if each["directive"] in _PASSES and each["args"]],
        "directives": [_directive(each, within) for each, within in directives],
    }
    return of_plain(parts, Place.of_line("", 1))


def _parse(text: str) -> Sequence[Mapping[str, Any]]:
    """The library reads files only, and follows `include` unless told not to."""
    import crossplane

    handle, path = tempfile.mkstemp(suffix=".conf")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        found = crossplane.parse(path, single=True, check_ctx=False, check_args=False)
    finally:
        os.unlink(path)
    if found["status"] != "ok":
        if own := fault(text):  # the library names no line for a block that is not closed
            raise NotNginx(own.says, text.count("\n", 0, own.offset) + 1)
        errors = [error for error in found["errors"] if error.get("error")]
        says = str(errors[0]["error"]).replace(f" in {path}", "") if errors else ""
        raise NotNginx(re.sub(r":\d+$", "", says) or "a block is not closed, or a `;` is missing")
    config: Sequence[Mapping[str, Any]] = found["config"][0]["parsed"]
    return config


def _flat(
    block: Sequence[Mapping[str, Any]], within: tuple[str, ...]
) -> Iterator[tuple[Mapping[str, Any], tuple[str, ...]]]:
    for each in block:
        yield each, within
        if _is_block(each):
            yield from _flat(each["block"], (*within, each["directive"]))


def _is_block(directive: Mapping[str, Any]) -> bool:
    return "block" in directive


def _place(directive: Mapping[str, Any]) -> Place:
    return Place.of_line("", directive["line"])


def _directive(each: Mapping[str, Any], within: tuple[str, ...]) -> Located:
    data = {"name": each["directive"], "args": each["args"], "within": within}
    return of_plain(data, _place(each))


def _server(block: Mapping[str, Any], within: tuple[str, ...]) -> Located:
    inner = [each for each, _ in _flat(block["block"], within)]
    names = [name for each in inner if each["directive"] == "server_name" for name in each["args"]]
    data = {
        "listen": [_listen(each) for each in inner if each["directive"] == "listen" and each["args"]],
        "names": names,
        "passes": [_pass(each) for each in inner if each["directive"] in _PASSES and each["args"]],
    }
    return of_plain(data, _place(block))


def _listen(each: Mapping[str, Any]) -> Located:
    address = each["args"][0]
    port = re.search(r"(?:^|:)(\d+)$", address)
    data = {"address": address, "port": port.group(1) if port else "80", "flags": each["args"][1:]}
    return of_plain(data, _place(each))


def _pass(each: Mapping[str, Any]) -> Located:
    target = each["args"][0]
    found = _TARGET.match(target)
    data = {
        "to": target,
        "host": found.group(1) if found else "",
        "port": (found.group(2) or "") if found else "",
        "literal": "$" not in target,
    }
    return of_plain(data, _place(each))


def _upstream(block: Mapping[str, Any]) -> Located:
    servers = [each for each in block.get("block", ()) if each["directive"] == "server" and each["args"]]
    data = {
        "name": block["args"][0] if block["args"] else "",
        "servers": [of_plain(each["args"][0], _place(each)) for each in servers],
    }
    return of_plain(data, _place(block))
