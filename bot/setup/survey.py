"""What a repository is like, as far as its first configuration depends on it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from bot.model.contract import ContractResult
from bot.model.finding import CheckStatus
from bot.model.project import Estate


class PackFit(Struct, frozen=True):
    """One contract pack against the files of today: the contracts that are kept, and those that are not."""

    name: str
    about: str
    kept: tuple[str, ...]
    broken: tuple[tuple[str, int], ...]  # with the number of places

    @property
    def fits(self) -> bool:
        return bool(self.kept) and not self.broken


class Survey(Struct, frozen=True):
    """`shared` are folders whose files Compose would take for one project, with their number."""

    projects: int
    services: int
    folders: tuple[tuple[str, int], ...]
    unread: tuple[str, ...]
    shared: tuple[tuple[str, int], ...]
    variables: tuple[str, ...]  # without a value in any file
    packs: tuple[PackFit, ...]


def survey_of(estate: Estate, packs: Iterable[PackFit]) -> Survey:
    projects = estate.projects.values()
    folders = Counter(project.path.rpartition("/")[0] for project in projects)
    names: defaultdict[tuple[str, str], int] = defaultdict(int)
    for project in projects:
        if project.name_at is None:
            names[project.path.rpartition("/")[0], project.name] += 1
    unset = {use.name for project in projects for use in project.variables if use.default is None and not use.presence}
    return Survey(
        projects=len(estate.projects),
        services=sum(len(project.services) for project in projects),
        folders=tuple(sorted(folders.items(), key=lambda item: (-item[1], item[0]))),
        unread=tuple(project.path for project in projects if project.unread is not None),
        shared=tuple((folder, count) for (folder, _), count in sorted(names.items()) if count > 1),
        variables=tuple(sorted(unset)),
        packs=tuple(packs),
    )


def fit(name: str, about: str, results: Iterable[ContractResult]) -> PackFit:
    """Contracts that select nothing here say nothing about the fit."""
    results = tuple(results)
    return PackFit(
        name,
        about,
        tuple(each.contract.id for each in results if each.status is CheckStatus.PASSED),
        tuple((each.contract.id, len(each.violations)) for each in results if each.status is CheckStatus.FAILED),
    )
