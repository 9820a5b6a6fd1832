"""What a service, or a project, has by name: the material of conventions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from bot.model.facts import Language, Role
from bot.model.node import MappingNode
from bot.model.place import Place
from bot.model.project import Project
from bot.model.service import Service

_LOCATION = re.compile(r"^[ \t]*location[ \t]+(?P<path>[^{\n;#]+?)[ \t]*\{", re.MULTILINE)

_TUNING = re.compile(
    r"parallel|-(?:tp|pp|dp|ep)(?:-|$)|size|num|max|min|mem|fraction|batch|chunk|prefill|graph|backend|dtype|quant|speculative"
    r"|cache-dtype|schedul|attention|moe|compile|length|len$|load|seed|swap|offload|block|eager|compilation|overlap|radix|prefix"
)


# What a model brings along or not: its own code, its template. No engine lacks it because another one has it.
_OF_THE_MODEL = re.compile(r"trust-remote|chat-template|tokenizer")


class Kind(StrEnum):
    """What a trait's name names, in the words of a message."""

    VARIABLE = "the variable"
    MOUNT = "a mount at"
    LABEL = "the label"
    CONFIG = "a config at"
    LOG_OPTION = "the log option"
    FIELD = "the field"
    FLAG = "the flag"
    ROLE = "a service that is a"
    LOCATION = "the location"
    RECEIVER = "the receiver"
    EXPORTER = "the exporter"
    PROCESSOR = "the processor"
    PIPELINE = "the pipeline"


class Trait(NamedTuple):
    """`name` as the files write it; `value` where what is said is the convention."""

    kind: Kind
    name: str
    value: str = ""


def service_traits(service: Service) -> dict[Trait, Place]:
    """Names of variables, labels, mounts, configs, log options and switches; values are left out."""
    found: dict[Trait, Place] = {}
    if service.facts.role is not Role.ENGINE:  # an engine's variables and mounts go with its model
        for name, value in service.environment.items():
            found[Trait(Kind.VARIABLE, name)] = value.whole
        for mount in service.mounts:
            found[Trait(Kind.MOUNT, mount.target)] = mount.at
    for name, value in service.labels.items():
        found[Trait(Kind.LABEL, name)] = value.whole
    for grant in service.config_files:
        found[Trait(Kind.CONFIG, grant.target)] = grant.at
    for name, value in service.value.mapping("logging", "options").items():
        found[Trait(Kind.LOG_OPTION, name)] = value.whole
    for name in ("healthcheck", "stop_grace_period", "restart", "init"):
        stated = service.value.get(name)
        if stated is not None:
            found[Trait(Kind.FIELD, name)] = stated.whole
    return found


def engine_of(service: Service) -> str:
    """The program that serves models here, empty where none does or several do."""
    engines = {serving.engine for serving in service.facts.servings if serving.flags}
    return next(iter(engines)) if len(engines) == 1 else ""


def is_tuning(flag: str) -> bool:
    """Whether a flag fits an engine to its model, its load and its GPUs."""
    return bool(_TUNING.search(flag))


def flag_traits(service: Service) -> dict[Trait, Place]:
    """The names of the flags that an engine is started with, without those that fit it to its model and its GPUs."""
    return {
        Trait(Kind.FLAG, name): flags[0].at
        for serving in service.facts.servings
        if serving.engine
        for name, flags in serving.flags.items()
        if name.startswith("--") and not is_tuning(name) and not _OF_THE_MODEL.search(name)
    }


def value_traits(service: Service) -> dict[Trait, Place]:
    """What labels say, those that hold JSON by their parts; what is filled in at deploy time is left out."""
    found: dict[Trait, Place] = {}
    for name, label in service.labels.items():
        for part, text in _parts(label.as_text):
            if text and "${" not in text:
                found.setdefault(Trait(Kind.LABEL, f"{name}{part}", text), label.whole)
    return found


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """A label's value, or each plain text of its JSON with the way to it; lists of tags say too many things to compare."""
    if not text.startswith(("[", "{")):
        yield "", text
        return
    try:
        data = json.loads(text)
    except ValueError:
        return
    stack: list[tuple[str, Any]] = [("", data)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, dict):
            stack.extend((f"{path}.{key}", inner) for key, inner in node.items())
        elif isinstance(node, list) and (len(node) == 1 or not path):
            stack.extend((f"{path}[{index}]", inner) for index, inner in enumerate(node))
        elif isinstance(node, str):
            yield path, node


def project_traits(project: Project) -> dict[Trait, Place]:
    """Roles that are filled, and the receivers and pipelines of its collectors."""
    found: dict[Trait, Place] = {}
    for service in project.services.values():
        role = service.facts.role
        if role not in (Role.OTHER, Role.MAINTENANCE) and not service.profiles:
            found.setdefault(Trait(Kind.ROLE, role), service.at)
        for trait, at in (*_collector(service), *_locations(service, project)):
            found.setdefault(trait, at)
    return found


def _locations(service: Service, project: Project) -> Iterator[tuple[Trait, Place]]:
    """The paths that its nginx answers."""
    for body in service.facts.embedded:
        config = project.configs.get(body.config) if body.language is Language.NGINX else None
        content = config.get("content") if config is not None else None
        if content is None:
            continue
        place = content.placer()
        for match in _LOCATION.finditer(content.as_text):
            yield Trait(Kind.LOCATION, " ".join(match["path"].split())), place(match.start("path"))


def _collector(service: Service) -> Iterator[tuple[Trait, Place]]:
    for body in service.facts.embedded:
        root = body.root
        if not isinstance(root, MappingNode):
            continue
        for section, kind in (
            ("receivers", Kind.RECEIVER),
            ("exporters", Kind.EXPORTER),
            ("processors", Kind.PROCESSOR),
        ):
            parts = root.get(section)
            for pair in parts.pairs if isinstance(parts, MappingNode) else ():
                yield Trait(kind, pair.key.text), pair.key.at
        rest = root.get("service")
        pipelines = rest.get("pipelines") if isinstance(rest, MappingNode) else None
        for pair in pipelines.pairs if isinstance(pipelines, MappingNode) else ():
            yield Trait(Kind.PIPELINE, pair.key.text), pair.key.at
