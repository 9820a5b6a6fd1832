"""What a change does to the lines of inline configs and scripts, and where a sibling still has the lines as before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from bot.model.change import Change
from bot.model.facts import Role
from bot.model.place import Place
from bot.model.project import Project
from bot.model.value import Value

# A block must hold a line of this length, with two words, to be told from its surroundings.
_TELLING = 24
_WORDS = re.compile(r"[A-Za-z_]{3,}")
# What an nginx listens on and answers for is its own.
_OWN_LINE = re.compile(r"(?:server_name|listen)\s")
_NUMBER = re.compile(r"\d+")
_AROUND = 2  # lines on each side of what is inserted
_FEWEST = 2  # telling lines that make an insertion worth carrying to other files
_SAME = 0.8  # of the lines, for two configs to be copies of each other

_FIELDS = ("entrypoint", "command", "healthcheck")

_Lines = Sequence[tuple[str, Place]]


class Edit(Struct, frozen=True):
    """A run of lines of one inline config, or of a service's script, that this change replaces, or inserts."""

    name: str  # of the config, or of the service
    field: str  # of the service; empty for a config
    removed: tuple[str, ...]  # empty where lines are inserted
    added: tuple[str, ...]
    around: tuple[str, ...]  # the lines before and behind an insertion
    whole: frozenset[str]  # every line of the config before the change
    project: Project
    at: Place
    reshaped: bool  # engines or proxies of the project came or went with it: the edit may be due to that alone

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
        """Edits that do the same in several files; scripts of several services too."""
        return "" if self.field else self.name, self.field, self.removed, self.added if not self.removed else ()

    @property
    def shown(self) -> str:
        """The line that tells most."""
        return max(self.removed or self.added, key=len)

    def left_in(self, project: Project) -> Place | None:
        """Where a sibling has the lines that are replaced here, or lacks those that are inserted into its copy."""
        if self.field:
            places = (_find(lines, self.removed) for lines in _scripts(project, self.field).values())
            return next((place for place in places if place is not None), None)
        lines = lines_of(project.configs.get(self.name))
        if self.removed:
            return _find(lines, self.removed)
        texts = {text for text, _ in lines}
        alike = len(texts & self.whole) >= _SAME * max(len(texts), len(self.whole))
        return _find(lines, self.around) if alike and not texts & set(_telling(self.added)) else None


def edits(change: Change) -> Iterator[Edit]:
    """The changed runs of every inline config and script that both sides have."""
    for move in change.moves:
        if move.base is None or move.head is None:
            continue
        own = _own_words(move.base) | _own_words(move.head)
        reshaped = _serving(move.base) != _serving(move.head)
        for name, config in move.head.configs.items():
            old = move.base.configs.get(name)
            if old is not None and not old.same(config):
                yield from _edits_of(name, lines_of(old), lines_of(config), move.head, own, reshaped)
        for field in _FIELDS:
            scripts = _scripts(move.base, field)
            for name, lines in _scripts(move.head, field).items():
                if name in scripts:
                    found = _edits_of(name, scripts[name], lines, move.head, own, reshaped, field)
                    yield from (each for each in found if each.removed)


def _serving(project: Project) -> set[str]:
    serving = (Role.ENGINE, Role.PROXY)
    return {name for name, service in project.services.items() if service.facts.role in serving}


def _edits_of(
    name: str, old: _Lines, after: _Lines, project: Project, own: set[str], reshaped: bool, field: str = ""
) -> Iterator[Edit]:
    before, texts = [text for text, _ in old], [text for text, _ in after]
    if before == texts:
        return
    whole = frozenset(before)
    for tag, b1, b2, a1, a2 in SequenceMatcher(None, before, texts, autojunk=False).get_opcodes():
        removed, added = tuple(before[b1:b2]), tuple(texts[a1:a2])
        # What is merely deleted was often a feature of one file.
        if tag == "replace":
            told = _tells(removed, set(texts), own) and not _renumbered(removed, added)
        else:
            told = tag == "insert" and len(_telling(added)) >= _FEWEST and _tells(added, whole, own)
        if told:
            around = tuple(before[max(b1 - _AROUND, 0) : b1 + _AROUND])
            at = after[min(a1, len(after) - 1)][1] if after else project.services[name].at
            yield Edit(name, field, removed, added, around, whole, project, at, reshaped)


def _own_words(project: Project) -> set[str]:
    """Names and label values of the project's own services: lines that hold one speak of this file alone."""
    found = set(project.services)
    for service in project.services.values():
        found.update(value.as_text for value in service.labels.values() if len(value.as_text) > 4)
        found.update(name for serving in service.facts.servings for name in serving.identities)
    return found


def _tells(run: tuple[str, ...], kept: frozenset[str] | set[str], own: set[str]) -> bool:
    """Whether the run is more than a bracket or a comment, stands on one side only, and names nothing of this file alone."""
    if any(word in line for line in run for word in own):
        return False
    return any(line not in kept for line in _telling(run))


def _renumbered(removed: tuple[str, ...], added: tuple[str, ...]) -> bool:
    """Whether only numbers differ: ports, counts and times of this file."""
    return [_NUMBER.sub("0", line) for line in removed] == [_NUMBER.sub("0", line) for line in added]


def _telling(run: tuple[str, ...]) -> list[str]:
    return [
        line
        for line in run
        if len(line) >= _TELLING and len(_WORDS.findall(line)) >= 2 and line[0] != "#" and not _OWN_LINE.match(line)
    ]


def lines_of(config: Value | None) -> list[tuple[str, Place]]:
    """The lines of a config's body that are not blank, without their indentation, each with its place."""
    content = config.get("content") if config is not None else None
    return [(line.strip(), at) for line, at in content.lines() if line.strip()] if content is not None else []


def _scripts(project: Project, field: str) -> dict[str, _Lines]:
    """The scripts of several lines in a field of services. What engines and downloaders run is compared as facts."""
    found: dict[str, _Lines] = {}
    for name, service in project.services.items():
        words = service.value.sequence("healthcheck", "test") if field == "healthcheck" else service.argv(field)
        for word in words:
            if word.as_text.count("\n") >= _FEWEST and service.facts.role not in (Role.ENGINE, Role.DOWNLOADER):
                found[name] = [(line.strip(), at) for line, at in word.lines() if line.strip()]
    return found


def _find(lines: _Lines, run: tuple[str, ...]) -> Place | None:
    """Where the run stands, as a whole and in order."""
    texts = [text for text, _ in lines]
    for start in range(len(texts) - len(run) + 1 if run else 0):
        if texts[start] == run[0] and tuple(texts[start : start + len(run)]) == run:
            return lines[start][1].through(lines[start + len(run) - 1][1])
    return None
