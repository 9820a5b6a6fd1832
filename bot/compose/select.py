"""Phase 1, select: which YAML files are Compose, told from their content, and which belong to one project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from bot.compose.dotenv import DotenvError, parse_dotenv
from bot.model.node import MappingNode, Node, ScalarNode, YamlFile
from bot.model.settings import Settings

SUFFIXES = (".yaml", ".yml")
DEFAULT_NAMES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
OVERRIDES: Mapping[str, tuple[str, ...]] = {
    "compose": ("compose.override.yml", "compose.override.yaml"),
    "docker-compose": ("docker-compose.override.yml", "docker-compose.override.yaml"),
}
# Folders whose YAML belongs to other programs, whatever it looks like.
_OTHERS = re.compile(r"(?:^|/)(?:\.github|\.gitlab|\.circleci|node_modules|\.git)/")
_MARK = re.compile(rb"^[\"']?(?:services|include)[\"']?[ \t]*:", re.MULTILINE)
# What a service holds and hardly anything else that has a top-level `services:`.
_FIELDS = {
    "image", "build", "container_name", "command", "entrypoint", "environment", "env_file", "depends_on", "ports", "volumes",
    "networks", "restart", "labels", "extends", "deploy", "healthcheck", "logging", "profiles", "expose", "network_mode",
    "configs", "secrets", "privileged", "user", "working_dir", "hostname", "cap_add", "stop_grace_period", "provider", "<<",
}  # fmt: skip
# Top-level keys that say the file is something else.
_FOREIGN = {
    "apiVersion",
    "kind",
    "openapi",
    "swagger",
    "jobs",
    "steps",
    "on",
    "receivers",
    "pipelines",
    "resources",
    "Resources",
}


def may_be_compose(path: str, data: bytes) -> bool:
    """Whether a file is worth parsing: cheap, and never wrong about a Compose file that holds services."""
    return not _OTHERS.search(path) and _MARK.search(data) is not None


def named_like_compose(path: str) -> bool:
    """Whether a file's name says that it is Compose, whatever is in it."""
    name = path.rsplit("/", 1)[-1].lower()
    return name.startswith(("compose.", "compose-", "docker-compose")) and name.endswith(SUFFIXES)


def looks_like_compose(file: YamlFile) -> bool:
    """Whether a parsed file is Compose: services that look like some, or includes, and nothing of another format."""
    found = False
    for root in file.roots:
        if not isinstance(root, MappingNode):
            continue
        keys = {pair.key.text for pair in root.pairs}
        if keys & _FOREIGN and not keys & {"volumes", "networks", "configs", "secrets"}:
            return False
        services = root.get("services")
        if isinstance(services, MappingNode):
            found = found or any(_service(pair.value) for pair in services.pairs)
            found = found or (not services.pairs and named_like_compose(file.path))
        elif "include" in keys and named_like_compose(file.path):
            found = True
    return found


def _service(node: Node) -> bool:
    if isinstance(node, ScalarNode):
        return False
    return isinstance(node, MappingNode) and any(pair.key.text in _FIELDS for pair in node.pairs)


def grouped(compose: Iterable[str], settings: Settings, text: Callable[[str], str | None]) -> list[tuple[str, ...]]:
    """The files of each project, in merge order: as configured, by COMPOSE_FILE, by default names, else one by one."""
    left = dict.fromkeys(compose)
    groups: list[tuple[str, ...]] = []
    for files in settings.projects:
        if any(path in left for path in files):
            groups.append(files)
            for path in files:
                left.pop(path, None)
    folders = dict.fromkeys(path.rpartition("/")[0] for path in left)
    for folder in folders:
        files = _stated(folder, text) or _default(folder, left)
        if files and any(path in left for path in files):
            groups.append(files)
            for path in files:
                left.pop(path, None)
    groups.extend((path,) for path in left)
    return sorted(groups)


def _stated(folder: str, text: Callable[[str], str | None]) -> tuple[str, ...]:
    """The files that a committed `.env` names in COMPOSE_FILE."""
    written = text(f"{folder}/.env" if folder else ".env")
    if written is None or "COMPOSE_FILE" not in written:
        return ()
    try:
        values = parse_dotenv(written, {})
    except DotenvError:
        return ()
    separator = values.get("COMPOSE_PATH_SEPARATOR") or ":"
    names = [name for name in (values.get("COMPOSE_FILE") or "").split(separator) if name]
    return tuple(f"{folder}/{name}" if folder else name for name in names)


def _default(folder: str, left: Mapping[str, None]) -> tuple[str, ...]:
    """A default file with its override, where both are there."""
    prefix = f"{folder}/" if folder else ""
    base = next((prefix + name for name in DEFAULT_NAMES if prefix + name in left), None)
    if base is None:
        return ()
    stem = base.rsplit("/", 1)[-1].split(".")[0]
    override = next((prefix + name for name in OVERRIDES[stem] if prefix + name in left), None)
    return (base, override) if override is not None else ()
