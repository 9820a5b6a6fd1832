"""Image references as Docker reads them."""

from __future__ import annotations

import re
from functools import lru_cache

from bot.model.facts import ImageRef
from bot.model.service import Service

_BARE_DIGEST = re.compile(r"sha256:[0-9a-f]{64}|[0-9a-f]{64}")


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
    """Guarded: the library takes a bare digest for a name, and an upper-case first part for a registry."""
    from docker_image.digest import InvalidDigest
    from docker_image.reference import InvalidReference, Reference

    if _BARE_DIGEST.fullmatch(text):
        return "", text, None, None, False
    try:
        found = Reference.parse_normalized_named(text)
    except (InvalidReference, InvalidDigest):
        return "", text, None, None, False
    registry, repository = found.split_hostname()
    if repository != repository.lower():
        return "", text, None, None, False
    return registry, repository, found["tag"], found["digest"], True
