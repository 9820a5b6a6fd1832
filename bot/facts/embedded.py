"""The inline configs that a service mounts, parsed as what they are."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from bot.document.parse import DocumentError, parse_embedded
from bot.model.facts import Embedded, Language
from bot.model.node import MappingNode, Node, SequenceNode, Style
from bot.model.place import Place
from bot.model.service import Service
from bot.model.value import Value

_BY_SUFFIX = {
    ".yaml": Language.YAML,
    ".yml": Language.YAML,
    ".json": Language.JSON,
    ".sh": Language.SHELL,
    ".bash": Language.SHELL,
}
_NGINX = re.compile(
    r"^\s*(?:server|http|upstream\s+\S+|location\s+\S+|events|stream|map\s+\S+\s+\S+)\s*\{", re.MULTILINE
)
_JSON = re.compile(r"\{\s*[\"}]")
_YAML_KEY = re.compile(r"^[A-Za-z_][\w./-]*:(?:\s|$)", re.MULTILINE)


class Body(Struct, frozen=True):
    """An inline config that a service mounts, as text."""

    config: str  # the config's key
    target: str  # where it is mounted
    content: Value

    @property
    def language(self) -> Language:
        return _language(self.target, self.content.as_text)


def bodies(service: Service) -> tuple[Body, ...]:
    """Each inline body that the service mounts, once."""
    found: dict[str, Body] = {}
    for grant in service.config_files:
        config = service.configs.get(grant.source)
        content = config.get("content") if config is not None else None
        if content is not None:
            found.setdefault(grant.source, Body(grant.source, grant.target, content))
    return tuple(found.values())


def embedded(service: Service) -> tuple[Embedded, ...]:
    """Each of them, parsed where it is YAML or JSON."""
    return tuple(Embedded(body.config, body.language, read(body).root, body.content.whole) for body in bodies(service))


class Read(Struct, frozen=True):
    """What a body of YAML or JSON holds, or why it cannot be parsed and where."""

    root: Node | None = None
    fault: tuple[str, Place] | None = None


@lru_cache(maxsize=1024)  # one config is mounted by many services
def read(body: Body) -> Read:
    if body.language not in (Language.YAML, Language.JSON):
        return Read()
    try:
        roots = parse_embedded(body.content.at.file, body.content.as_text, _lines(body.content)).roots
    except DocumentError as error:
        at, last = error.problem.at, body.content.at.end_line
        if at.line > last:  # behind the end of the text
            at = at._replace(line=last, end_line=last)
        return Read(None, (error.problem.says, at))
    return Read(roots[0] if roots and isinstance(roots[0], MappingNode | SequenceNode) else None)


def _lines(content: Value) -> int | list[int]:
    """How many lines of the file stand before a text, or, where it was not written as it is, the number of each."""
    if content.source is not None and content.source.style is Style.LITERAL:
        return content.at.line
    return [at.line for _, at in content.lines()]


@lru_cache(maxsize=1024)
def _language(target: str, text: str) -> Language:
    for suffix, language in _BY_SUFFIX.items():
        if target.lower().endswith(suffix):
            return language
    start = text.lstrip()
    if start.startswith("#!"):
        return Language.SHELL if re.match(r"#!.*\b(?:ba|da|a|z|k)?sh\b", start) else Language.TEXT
    if "nginx" in target.lower() or _NGINX.search(text):
        return Language.NGINX
    if _JSON.match(start):
        return Language.JSON
    if len(_YAML_KEY.findall(text)) >= 2 and "=" not in text.split("\n", 1)[0]:
        return Language.YAML
    return Language.TEXT
