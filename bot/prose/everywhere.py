"""Judges "… everywhere": services that still run what the change replaced."""

from __future__ import annotations

import re

from bot.model.change import Change
from bot.model.finding import Related
from bot.model.prose import Judgement, Statement
from bot.model.text import code, codes
from bot.prose.names import squash


def everywhere(statement: Statement, change: Change) -> Judgement:
    """Of images: the one form of "everywhere" whose old value names where it is still in use."""
    replaced = _replaced(statement.claim.subject, change)
    if not replaced:
        return Judgement(statement, None)
    left = [
        Related(
            (service.value.get("image") or service.value).whole, f"{code(service.name)} still runs {code(image.text)}"
        )
        for _, service in change.head.services
        if (image := service.facts.image) is not None and image.text in replaced
    ]
    if not left:
        return Judgement(statement, True)
    files = codes(sorted({related.at.file for related in left}))
    return Judgement(
        statement,
        False,
        about=("everywhere", *sorted(replaced)),
        says=f"The text says {code(statement.quote)}, but {code(min(replaced))} is still used in {files}.",
        do="Change it there too, or say where it stays.",
        evidence=tuple(left),
    )


def _replaced(subject: str, change: Change) -> set[str]:
    """The images, as written, that this change replaces by another version and that the words name."""
    words = {squash(word) for word in re.findall(r"[\w.-]+", subject)}
    found: set[str] = set()
    for move in change.moves:
        for before, after in move.changed:
            old = before.facts.image if before else None
            new = after.facts.image if after else None
            if old is None or new is None or old.text == new.text or old.name != new.name:
                continue
            if any(len(word) >= 3 and word in squash(new.repository) for word in words):
                found.add(old.text)
    return found
