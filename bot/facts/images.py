"""Image references as Docker reads them."""

from __future__ import annotations

import re
from functools import lru_cache

from bot.model.facts import ImageRef
from bot.model.service import Service

# The grammar of references of the distribution project, with the digests that Docker knows.
MAX_NAME = 255  # characters, the registry counted
_HUB = ("docker.io", "index.docker.io")
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_DIGEST = r"sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}"
_PATH = re.compile(rf"{_PART}(?:/{_PART})*")
_REGISTRY = re.compile(_HOST)
_REFERENCE = re.compile(rf"(?P<name>[^@]+?)(?::(?P<tag>\w[\w.-]{{0,127}}))?(?:@(?P<digest>{_DIGEST}))?", re.ASCII)
_BARE_DIGEST = re.compile(rf"{_DIGEST}|[0-9a-f]{{64}}")


def image(service: Service) -> ImageRef | None:
    """The service's image; None when it names none. What is no reference is not known, and kept as text."""
    value = service.value.get("image")
    if value is None or not value.as_text:
        return None
    text = value.as_text
    if value.unknown or "$" in text:
        return ImageRef(text, "", text.split("@")[0], None, None, False, value.at)
    registry, repository, tag, digest, known = _parsed(text)
    return ImageRef(text, registry, repository, tag, digest, known, value.at)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[str, str, str | None, str | None, bool]:
    """Registry, repository, tag and digest, with what Docker adds to a short name; false last for no reference."""
    found = _REFERENCE.fullmatch(text)
    if found is not None and len(found["name"]) <= MAX_NAME and not _BARE_DIGEST.fullmatch(text):
        registry, repository = _split(found["name"])
        if _REGISTRY.fullmatch(registry) and _PATH.fullmatch(repository):
            return registry, repository, found["tag"], found["digest"], True
    return "", text, None, None, False


def _split(name: str) -> tuple[str, str]:
    """Registry and repository. A first part is a registry where it cannot be a folder of the default one."""
    first, _, rest = name.partition("/")
    if rest and first not in _HUB and ("." in first or ":" in first or first == "localhost"):
        return first, rest
    path = rest if rest and first in _HUB else name
    return _HUB[0], path if "/" in path else f"library/{path}"
