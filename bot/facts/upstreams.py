"""Addresses that a service talks to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bot.facts.embedded import bodies
from bot.model.facts import Language, Upstream
from bot.model.service import Service
from bot.model.value import Value

_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]{1,15})://(?:[^@/\s\"']*@)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?(?P<path>/[^\s\"',;)]*)?"
)
_PAIR = re.compile(r"(?<![\w./:@-])(?P<host>[A-Za-z][\w-]*):(?P<port>\d{2,5})(?![\w.:-])")
# Variables whose plain `host:port`, or bare host, is an address.
_ADDRESS = re.compile(
    r"(?:.*_)?(?:HOSTS?|ADDR(?:ESS(?:ES)?)?|URLS?|ENDPOINTS?|SERVERS?|BACKENDS?|UPSTREAMS?|TARGETS?|BROKERS?|DSN)"
)
_PASS = re.compile(
    r"^\s*(?:proxy_pass|grpc_pass|fastcgi_pass|uwsgi_pass|scgi_pass)\s+(?:(?P<scheme>[a-z]+)://)?(?P<rest>[^;]+);"
)
_SERVER = re.compile(r"^\s*server\s+(?P<rest>[^;{]+);")
_BLOCK = re.compile(r"^\s*upstream\s+(?P<name>[\w.-]+)\s*\{")
_SET = re.compile(r"^\s*set\s+\$\w+\s+[\"']?(?:(?P<scheme>[a-z]+)://)?(?P<rest>[\w.-]+(?::\d+)?[^;\"']*)[\"']?;")
_HOST = re.compile(r"(?P<host>[\w.-]+)(?::(?P<port>\d+))?(?P<path>/\S*)?")
_NUMERIC = re.compile(r"[\d.]+")


def upstreams(service: Service) -> tuple[Upstream, ...]:
    """Each address once for each place that names it; numeric addresses and schemes that are no network are left out."""
    found: dict[tuple[str, str | None, str, int], Upstream] = {}
    for each in (*_stated(service), *_in_bodies(service)):
        if each.host and not _NUMERIC.fullmatch(each.host) and each.scheme not in ("file", "unix", "docker", "sqlite"):
            found.setdefault((each.host, each.port, each.source, each.at.line), each)
    return tuple(found.values())


def _stated(service: Service) -> Iterator[Upstream]:
    for key, value in service.environment.items():
        yield from _urls(value, f"environment {key}")
        if _ADDRESS.fullmatch(key) and "://" not in value.as_text and not value.unknown:
            for match in _PAIR.finditer(value.as_text):
                yield Upstream(match["host"], match["port"], None, "", False, f"environment {key}", value.whole)
    for name in ("entrypoint", "command"):
        for word in service.argv(name):
            yield from _urls(word, name)
    for part in service.value.sequence("healthcheck", "test"):
        yield from _urls(part, "healthcheck")
    for key, value in service.labels.items():
        yield from _urls(value, f"label {key}")


def _urls(
    value: Value,
    source: str,
    left_out: Callable[[str, int], bool] = lambda text, offset: False,  # noqa: ARG005
) -> Iterator[Upstream]:
    text = value.as_text
    if "://" not in text:
        return
    place = value.placer()
    for match in _URL.finditer(text):
        if not left_out(text, match.start()):
            yield Upstream(
                match["host"], match["port"], match["scheme"], match["path"] or "", False, source, place(match.start())
            )


def _commented(text: str, offset: int) -> bool:
    return text[text.rfind("\n", 0, offset) + 1 : offset].lstrip().startswith("#")


def _in_bodies(service: Service) -> Iterator[Upstream]:
    for body in bodies(service):
        source = f"config {body.config}"
        if body.language is Language.NGINX:
            yield from _nginx(body.content, source)
        elif "://" in body.content.as_text:
            yield from _urls(body.content, source, _commented)


def _nginx(content: Value, source: str) -> Iterator[Upstream]:
    """What nginx passes requests to. A host without a variable is looked up once, when nginx starts."""
    blocks: set[str] = set()
    inside = False
    found: list[Upstream] = []
    for line, at in content.lines():
        text = line.split("#", 1)[0]
        if block := _BLOCK.match(text):
            blocks.add(block["name"])
            inside = True
            text = text[block.end() :]
        for part in (piece for piece in re.split(r"(?<=[;{}])", text) if piece.strip()):
            if inside and part.strip().startswith("}"):
                inside = False
            for pattern, literal in ((_PASS, True), (_SERVER, True), (_SET, False)):
                match = pattern.match(part)
                if match is None or (pattern is _SERVER and not inside):
                    continue
                host = _HOST.match(match["rest"].strip())
                if host is not None and not match["rest"].strip().startswith("$"):
                    scheme = match.groupdict().get("scheme")
                    found.append(Upstream(host["host"], host["port"], scheme, host["path"] or "", literal, source, at))
    yield from (each for each in found if each.host not in blocks)
