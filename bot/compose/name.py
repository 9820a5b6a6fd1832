"""The project's name, by which Docker finds a project's containers, networks and volumes again."""

from __future__ import annotations

import re

from bot.compose.context import Context, Unset
from bot.compose.template import InvalidTemplate, Required, substitute
from bot.document.parse import DocumentError
from bot.model.node import MappingNode, ScalarNode
from bot.model.place import Place
from bot.model.project import ProblemKind

_VALID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def project_name(files: tuple[str, ...], folder: str, stated: str | None, context: Context) -> tuple[str, Place | None]:
    """From `-p`, COMPOSE_PROJECT_NAME, the last top-level `name:`, or the folder; with the place of `name:`."""
    given = stated or context.variables.get("COMPOSE_PROJECT_NAME")
    written = [found for file in files if (found := _written(file, context)) is not None]
    at = written[-1][1] if written else None
    if given:
        if not _VALID.fullmatch(given):
            says = (
                f'invalid project name "{given}": must consist only of lowercase alphanumeric characters, hyphens, and '
                "underscores as well as start with a letter or number"
            )
            context.refuse(ProblemKind.VALUE, says, at or Place.of_line(files[0], 1), "project-name")
        return given, at
    if written and written[-1][0]:
        name = written[-1][0]
        return (name if "$" in name else normalized(name)), at
    return normalized((context.root + folder).rstrip("/").rsplit("/", 1)[-1]) or "default", None


def normalized(text: str) -> str:
    """As Compose makes a name of a folder's: lower case, other characters dropped, no leading dash."""
    return re.sub(r"[^a-z0-9_-]", "", text.lower()).lstrip("_-")


def _written(file: str, context: Context) -> tuple[str, Place] | None:
    try:
        found = context.sources.yaml(file)
    except DocumentError:
        return None  # the loader says so when it reads the file
    for root in reversed(found.roots if found is not None else ()):
        node = root.get("name") if isinstance(root, MappingNode) else None
        if isinstance(node, ScalarNode):
            try:
                text = substitute(node.text, context.variables.get, context.unset is Unset.KEEP).text
            except (InvalidTemplate, Required):
                return None
            return text, node.at
    return None
