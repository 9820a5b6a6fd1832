"""Which projects a phrase such as "dedicated Some-2 Mini TP4 files" speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from bot.model.project import Estate, Project
from bot.prose.names import model_names, served_models, serves, squash

_NOUN = re.compile(
    r"(?:compose|files?|stacks?|packs?|configs?|configurations?|deployments?|recipes?|hosts?|model-?downloaders?|downloaders?)"
)
_FILLING = {
    "our",
    "the",
    "of",
    "these",
    "those",
    "other",
    "own",
    "existing",
    "such",
    "deployed",
    "compose",
    "model",
    "yaml",
}
_PARALLEL = re.compile(r"tp-?(\d+)", re.IGNORECASE)

Test = Callable[[Project], bool]


class Scope(Struct, frozen=True):
    """The projects meant, and the words that single them out, normalised: the phrase's identity."""

    projects: tuple[Project, ...]
    identity: str


def scope_of(subject: str, estate: Estate) -> Scope | None:
    """The projects a phrase names; None when a word of it means nothing that the model knows."""
    words = [word.strip("`*_.,") for word in subject.split()]
    words = [word for word in words if word and not _NOUN.fullmatch(word.lower()) and word.lower() not in _FILLING]
    projects = [project for project in estate.projects.values() if project.services]
    tests: list[Test] = []
    identity: list[str] = []
    model, words = _take_model(words, projects)
    if model:
        identity.append(model)
        tests.append(lambda project: serves(project, model))
    for word in words:
        test = _qualifier(word, model, projects)
        if test is None:
            return None
        tests.append(test)
        identity.append(squash(word))
    chosen = tuple(project for project in projects if all(test(project) for test in tests))
    return Scope(chosen, " ".join(identity) or "every")


def _take_model(words: list[str], projects: list[Project]) -> tuple[str, list[str]]:
    """The longest run of words that names a served model, and the words beside it."""
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            name = squash("".join(words[start : start + length]))
            if len(name) >= 3 and not _PARALLEL.fullmatch(name) and any(serves(project, name) for project in projects):
                return name, words[:start] + words[start + length :]
    return "", words


def _qualifier(word: str, model: str, projects: list[Project]) -> Test | None:
    lowered = word.lower()
    if lowered in {"dedicated", "single-model", "standalone"}:
        return lambda project: len(served_models(project)) == 1
    if parallel := _PARALLEL.fullmatch(word):
        size = int(parallel[1])
        return lambda project: _has_parallel(project, model, size)
    if lowered in {"prod", "production"} and any("prod" in project.path.split("/") for project in projects):
        return lambda project: "prod" in project.path.split("/")
    if any(lowered == folder.lower() for project in projects for folder in project.path.split("/")[:-1]):
        return lambda project: lowered in project.path.lower().split("/")[:-1]
    part = squash(word)
    if len(part) >= 3 and any(part in squash(project.path) for project in projects):
        return lambda project: part in squash(project.path)
    return None


def _has_parallel(project: Project, model: str, size: int) -> bool:
    return any(
        serving.parallel == size
        for service in project.services.values()
        if not model or any(name.startswith(model) for name in model_names(service))
        for serving in service.facts.servings
    )
