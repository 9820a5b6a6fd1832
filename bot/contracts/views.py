"""Projects and services as contracts see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from posixpath import dirname

from bot.contracts.facts_view import FACT_VIEWS
from bot.contracts.fields import SECTIONS, SERVICE_DEFAULTS
from bot.contracts.forms import form_of, written_of
from bot.contracts.located import Located, Parts, of_plain, of_value
from bot.model.node import MappingNode, Node
from bot.model.place import Place
from bot.model.project import Estate, Project
from bot.model.service import Condition, Service
from bot.model.value import Value

# Fields whose scalars are texts to Docker, whatever YAML makes of them.
_TEXTS = ("environment", "labels", "annotations", "extra_hosts", "sysctls")


class Views:
    """The views of one tree, each made once.

    `wanted` are the names of fields that contracts mention, `of_services` those of the services of a file.
    """

    def __init__(self, estate: Estate, wanted: Collection[str], of_services: Collection[str] | None = None) -> None:
        self._estate = estate
        self._wanted = wanted
        self._of_services = wanted if of_services is None else of_services
        self._services: dict[int, Located] = {}
        self._files: dict[str, Located] = {}
        self._same: dict[int, Service] = {}  # keeps what ids are taken from alive

    def for_mutant(self, estate: Estate) -> Views:
        """Views of an estate that differs in little: a service that is the same object keeps its view."""
        views = Views(estate, self._wanted, self._of_services)
        views._services = dict(self._services)
        views._same = {id(service): service for _, service in self._estate.services}
        return views

    def estate(self) -> Located:
        return Located({"files": Located([self.file(project) for project in self._estate.projects.values()])})

    def file(self, project: Project) -> Located:
        if project.path not in self._files:
            self._files[project.path] = self._file(project)
        return self._files[project.path]

    def _file(self, project: Project) -> Located:
        top = Place.of_line(project.path, 1)
        parts: dict[str, Located] = {
            "path": Located(project.path, top),
            "folder": Located(dirname(project.path), top),
            "project": Located(project.name, project.name_at or top),
            "files": of_plain(project.files, top),
        }
        if "service_names" in self._wanted:
            parts["service_names"] = Located([Located(each.name, each.at) for each in project.services.values()], top)
        if "services" in self._wanted:
            services = {name: self.service(project, service) for name, service in project.services.items()}
            parts["services"] = Located(services, self._section_place(project, "services"))
        for section in SECTIONS:
            if section in self._wanted:
                there: Mapping[str, Value] = getattr(project, section)
                views = {name: self._top_level(section, name, value) for name, value in there.items()}
                parts[section] = Located(views, self._section_place(project, section))
        if "variables" in self._wanted:
            parts["variables"] = Located(
                [
                    of_plain({"name": use.name, "required": use.required, "default": use.default}, use.at)
                    for use in project.variables
                ]
            )
        return Located(parts, top)

    def top_level(self, project: Project, section: str, name: str) -> Located:
        value: Value = getattr(project, section)[name]
        return self._top_level(section, name, value)

    def _top_level(self, section: str, name: str, value: Value) -> Located:
        """A config, volume, network or secret: its key, and what is written below it."""
        at = value.key_at.through(value.at) if value.key_at is not None else value.at
        whole = of_value(value)
        parts = dict(whole.content) if isinstance(whole.content, Mapping) else {}
        if section in ("configs", "secrets") and "content" in parts:
            content = value.get("content")
            assert content is not None
            parts["content"] = Located(content.as_text, content.whole, value=content)
            if content.source is not None:
                parts["written"] = Located(content.source.text, content.whole, value=content)
        if "name" in parts:
            parts["full_name"] = parts["name"]
        parts["name"] = Located(name, at)
        return Located(parts, at)

    def service(self, project: Project, service: Service) -> Located:
        found = self._services.get(id(service))
        if found is None:
            found = self._services[id(service)] = self._service(project, service)
        return found

    def _service(self, project: Project, service: Service) -> Located:
        whole = service.at.through(service.value.at) if service.at.file == service.value.at.file else service.at
        makers: dict[str, Callable[[], Located]] = {"name": lambda: Located(service.name, service.at)}
        makers |= {name: partial(Located, default) for name, default in SERVICE_DEFAULTS.items() if self._asked(name)}
        for name, value in service.value.mapping().items():
            if self._asked(name):
                makers[name] = partial(of_value, value, as_text=name in _TEXTS)
        for name, make in self._derived(project).items():
            if self._asked(name):
                makers[name] = partial(make, service)
        return Located(Parts(service.name, makers), whole, service.name)

    def _asked(self, name: str) -> bool:
        return name in self._of_services

    def _derived(self, project: Project) -> Mapping[str, Callable[[Service], Located]]:
        return {
            "written": lambda service: written_of(service, self._of_services),
            "form": lambda service: form_of(service, self._of_services),
            "bodies": _bodies,
            "awaits": lambda service: of_plain(awaited(project, service), service.at),
            **FACT_VIEWS,
        }

    def _section_place(self, project: Project, section: str) -> Place:
        """Where the section's key stands; the file's first line when it has none."""
        for path in project.files:
            file = self._estate.files.get(path)
            for root in file.roots if file is not None else ():
                found = _key(root, section)
                if found is not None:
                    return found
        return Place.of_line(project.path, 1)


def _key(root: Node, name: str) -> Place | None:
    pairs = root.pairs if isinstance(root, MappingNode) else ()
    return next((pair.key.at for pair in pairs if pair.key.text == name), None)


def _bodies(service: Service) -> Located:
    found = {}
    for name, text in service.bodies.items():
        content = service.configs[name].get("content")
        found[name] = Located(text, content.whole if content is not None else None, value=content)
    return Located(found, service.at)


def awaited(project: Project, service: Service) -> tuple[str, ...]:
    """The services that have finished, or are healthy, before this one starts; through others too."""
    found: dict[str, None] = {}
    queue = [service]
    while queue:
        for wait in queue.pop().waits:
            other = project.services.get(wait.service)
            if other is not None and other.name not in found and wait.condition is not Condition.STARTED:
                found[other.name] = None
                queue.append(other)
    return tuple(found)
