"""Judges "every X file has Y": the files that X names, and those of them that lack Y."""

from __future__ import annotations

from bot.model.change import Change
from bot.model.facts import Download
from bot.model.finding import Related
from bot.model.project import Estate, Project
from bot.model.prose import Judgement, Statement
from bot.model.text import code, codes
from bot.prose.names import last_part, paths_named, squash
from bot.prose.possession import Possession, downloads, possession
from bot.prose.scope import Scope, scope_of


def every(statement: Statement, change: Change) -> Judgement:
    scope, thing, without = _look(statement, change, change.head)
    if scope is None or thing is None:
        return Judgement(statement, None)
    having = [project for project in scope.projects if project not in without]
    if not having or not _plausible(scope, having):
        return Judgement(statement, None)  # the words mean something else than we took them for
    if not without:
        return Judgement(statement, True)
    if not statement.touched and _look(statement, change, change.base)[2]:
        return Judgement(statement, None)  # it was as untrue before this change
    names = codes(project.path for project in without)
    return Judgement(
        statement,
        False,
        about=("every", scope.identity, thing.identity),
        says=f"{code(statement.quote)} is not true of {names}: {_instead(without[0], scope)}, without {thing.spoken}.",
        do=f"Narrow the wording, or make it true of {names} as well.",
        evidence=tuple(_evidence(project, scope) for project in without),
    )


def _look(
    statement: Statement, change: Change, estate: Estate
) -> tuple[Scope | None, Possession | None, tuple[Project, ...]]:
    """The set, the thing, and the members of the set that lack it and are not excepted."""
    scope = scope_of(statement.claim.subject, estate)
    thing = possession(statement.claim.object, estate, change.moves)
    if scope is None or thing is None:
        return None, None, ()
    excepted = set(paths_named(" ".join(statement.claim.exceptions), estate.projects))
    without = tuple(
        project for project in scope.projects if project.path not in excepted and thing.find(project) is None
    )
    return scope, thing, without


def _plausible(scope: Scope, having: list[Project]) -> bool:
    """A phrase that singles nothing out must at least hold for most."""
    return scope.identity != "every" or len(having) * 2 > len(scope.projects)


def _about(project: Project, scope: Scope) -> list[Download]:
    """The project's downloads of the model spoken of; all of them where none is that model's."""
    found = list(downloads(project))
    model = scope.identity.split(" ")[0]
    return [each for each in found if squash(last_part(each.repository)).startswith(model)] or found


def _instead(project: Project, scope: Scope) -> str:
    """What the file does serve and download, in words."""
    refs = list(dict.fromkeys(each.named for each in _about(project, scope)))
    fetched = f"downloads only {codes(refs)}" if refs else "downloads nothing"
    served = _served(project, scope)
    return f"it serves {code(served)} and {fetched}" if served else f"it {fetched}"


def _served(project: Project, scope: Scope) -> str | None:
    model = scope.identity.split(" ")[0]
    for service in project.services.values():
        for serving in service.facts.servings:
            for name in (*serving.names, serving.repository or ""):
                if name and squash(last_part(name)).startswith(model):
                    return name
    return None


def _evidence(project: Project, scope: Scope) -> Related:
    steps = sorted((each.step for each in _about(project, scope)), key=lambda at: (at.file, at.line))
    says = _instead(project, scope)
    if steps:
        first = steps[0]
        last = [step for step in steps if step.file == first.file][-1]
        return Related(first.through(last), says)
    service = next(iter(project.services.values()))
    return Related(service.at, says)
