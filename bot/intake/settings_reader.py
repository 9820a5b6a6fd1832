"""Each key of the configuration: its shape, what it may say, and the setting it becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from bot.intake.globs import glob_fault, path_fault
from bot.intake.section import Faults, Section, is_null
from bot.model.facts import Role
from bot.model.finding import Level
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode
from bot.model.settings import (
    DEPLOY_COMMAND,
    Exclusion,
    FailOn,
    Generated,
    ReviewSettings,
    Settings,
)

KEYS: Mapping[str, tuple[str, ...]] = {
    "": ("compose", "generated", "exclusions", "rules", "roles", "use", "contracts", "trunks", "review"),
    "compose": ("files", "exclude", "deploy", "one_file_per_host", "variables", "projects"),
    "generated": ("files", "from", "command"),
    "exclusions": ("files", "rules", "because"),
    "review": (
        *("reviewers", "teams", "drafts", "comment", "annotations", "inline_comments", "reactions"),
        "fail_on",
    ),
}
LEVELS: Mapping[str, Level | None] = {"off": None, **{level.word: level for level in Level}}
MAX_INLINE_COMMENTS = 50

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class SettingsReader:
    """Reads one configuration; what is wrong with it is added to `faults`."""

    def __init__(
        self, root: MappingNode, faults: Faults, rules: Collection[str], packs: Collection[str] | None
    ) -> None:
        self._top = Section(root, "", faults)
        self._faults = faults
        self._rules = rules
        self._packs = packs

    def settings(self, path: str) -> Settings:
        own = [pair.key.text for pair in self._top.node.pairs if pair.key.text.startswith("x-")]
        self._top.only((*KEYS[""], *own))
        compose = self._inner("compose")
        return Settings(
            path=path,
            files=self._globs(compose, "files"),
            not_files=self._globs(compose, "exclude"),
            deploy=compose.text("deploy") or DEPLOY_COMMAND,
            one_file_per_host=compose.flag("one_file_per_host", False),
            variables=dict(self._variables(compose)),
            projects=tuple(self._sound(files, path_fault) for files in compose.lists("projects")),
            generated=tuple(self._generated()),
            exclusions=tuple(self._exclusions()),
            levels=dict(self._levels()),
            roles=dict(self._roles()),
            use=self._known("pack", self._packs, self._top.texts("use")),
            trunks=tuple(each.text for each in self._top.texts("trunks")),
            contracts=self._top.get("contracts"),
            review=self._review(),
        )

    def _inner(self, key: str) -> Section:
        found = self._top.section(key)
        if found is None:
            return Section(MappingNode((), None, self._top.at), key, self._faults)
        found.only(KEYS[key])
        return found

    def _globs(self, section: Section, key: str, *, required: bool = False) -> tuple[str, ...]:
        return self._sound(section.texts(key, required=required), glob_fault)

    def _sound(self, texts: Iterable[ScalarNode], fault_of: Callable[[str], str | None]) -> tuple[str, ...]:
        found: list[str] = []
        for node in texts:
            fault = fault_of(node.text)
            if fault is not None:
                self._faults.add(f"`{node.text}` {fault}", node.at, "path", node.text)
            found.append(node.text)
        return tuple(found)

    def _known(self, what: str, known: Collection[str] | None, texts: Iterable[ScalarNode]) -> tuple[str, ...]:
        found: list[str] = []
        for node in texts:
            if known is not None and node.text not in known:
                self._faults.unknown(what, node.text, known, node.at)
            found.append(node.text)
        return tuple(found)

    def _variables(self, compose: Section) -> Iterator[tuple[str, str | None]]:
        """A mapping of names to values, or a list of names whose values nobody tells."""
        told = compose.get("variables")
        given: list[tuple[ScalarNode, Node | None]]
        if isinstance(told, SequenceNode):
            given = [(name, None) for name in compose.texts("variables")]
        else:
            given = list(compose.pairs("variables"))
        for name, value in given:
            if not _VARIABLE.fullmatch(name.text):
                self._faults.add(f"`{name.text}` is no name of a variable", name.at, "variable", name.text)
            if value is None or is_null(value):
                yield name.text, None
            elif isinstance(value, ScalarNode):
                yield name.text, value.text
            else:
                says = f"`compose.variables.{name.text}` must be a text, or nothing when it is not known"
                self._faults.add(says, value.at, "type", name.text)

    def _generated(self) -> Iterator[Generated]:
        for item in self._top.sections("generated"):
            item.only(KEYS["generated"])
            files = self._globs(item, "files", required=True)
            sources = self._globs(item, "from", required=True)
            yield Generated(files, sources, item.text("command"), item.at)

    def _exclusions(self) -> Iterator[Exclusion]:
        for item in self._top.sections("exclusions"):
            item.only(KEYS["exclusions"])
            files = self._globs(item, "files", required=True)
            rules = self._known("rule", self._rules, item.texts("rules"))
            yield Exclusion(files, rules, item.required("because"), item.at)

    def _levels(self) -> Iterator[tuple[str, Level | None]]:
        for rule, level in self._top.pairs("rules"):
            self._known("rule", self._rules, (rule,))
            if isinstance(level, ScalarNode) and level.text in LEVELS:
                yield rule.text, LEVELS[level.text]
            else:
                says = f"`rules.{rule.text}` must be one of {', '.join(LEVELS)}"
                self._faults.add(says, level.at, "type", rule.text)

    def _roles(self) -> Iterator[tuple[str, Role]]:
        """By pattern of service names, which know no folders."""
        known = [str(role) for role in Role]
        for names, role in self._top.pairs("roles"):
            if isinstance(role, ScalarNode) and role.text in known:
                yield names.text, Role(role.text)
            elif isinstance(role, ScalarNode):
                self._faults.unknown("role", role.text, known, role.at)
            else:
                self._faults.add(f"`roles.{names.text}` must be a role", role.at, "type", names.text)

    def _review(self) -> ReviewSettings:
        told = self._inner("review")
        default = ReviewSettings()
        return ReviewSettings(
            reviewers=tuple(node.text.removeprefix("@") for node in told.texts("reviewers")),
            teams=tuple(node.text.removeprefix("@").rsplit("/", 1)[-1] for node in told.texts("teams")),
            drafts=told.flag("drafts", default.drafts),
            comment=told.flag("comment", default.comment),
            annotations=told.flag("annotations", default.annotations),
            inline_comments=told.number("inline_comments", default.inline_comments, MAX_INLINE_COMMENTS),
            reactions=told.flag("reactions", default.reactions),
            fail_on=told.word("fail_on", FailOn.ERROR),
        )
