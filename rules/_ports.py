"""On which ports services are known to listen, and who asks for another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from bot.model.facts import Upstream
from bot.model.project import Project
from bot.model.service import Service

_LISTEN = re.compile(r"^[^#\n]*?(?<![\w-])listen[ \t]+(?:[\w.*]+:|\[[^\]]*\]:)?(?P<port>\d{1,5})\b", re.MULTILINE)
_NUMBER = re.compile(r"\d{1,5}")


class Unheard(Struct, frozen=True):
    """A service asks another one on a port where it does not listen, as far as files tell."""

    caller: Service
    upstream: Upstream
    callee: Service
    listens: frozenset[str]

    @property
    def key(self) -> tuple[str, ...]:
        return self.caller.name, self.callee.name, self.upstream.port or "", self.upstream.source


def unheard(project: Project, before: Project | None, names: Mapping[str, Service]) -> Iterator[Unheard]:
    """`names` are all names that lead to a service. Only an engine whose command states its port, or a service
    that gave the port up in this change, is known not to listen elsewhere."""
    for caller in project.services.values():
        for upstream in caller.facts.upstreams:
            callee = names.get(upstream.host)
            if callee is None or upstream.port is None or not _NUMBER.fullmatch(upstream.port):
                continue
            listens = listening(callee)
            if not listens or upstream.port in listens:
                continue
            old = before.services.get(callee.name) if before is not None else None
            left = old is not None and upstream.port in listening(old)
            if left or any(serving.engine and serving.port for serving in callee.facts.servings):
                yield Unheard(caller, upstream, callee, listens)


def listening(service: Service) -> frozenset[str]:
    """From the engine's command, `ports`, `expose` and inline nginx; empty where nothing says."""
    found = {serving.port for serving in service.facts.servings if serving.port}
    found |= {
        flag.value
        for serving in service.facts.servings
        for name, flags in serving.flags.items()
        if name.endswith("-port")
        for flag in flags
        if flag.value
    }
    found |= {port.target for port in service.ports}
    found |= {each.as_text.split("/")[0] for each in service.value.sequence("expose")}
    for text in service.bodies.values():
        found |= {match["port"] for match in _LISTEN.finditer(text)}
    return frozenset(each for each in found if each and _NUMBER.fullmatch(each))
