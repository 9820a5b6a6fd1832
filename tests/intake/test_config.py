"""The configuration: what it may say, and how its faults read."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.intake.config import ConfigError, read_settings, settings_file, settings_of
from bot.intake.globs import glob_fault
from bot.model.facts import Role
from bot.model.finding import Level
from bot.model.node import SequenceNode
from bot.model.place import Place
from bot.model.settings import CONFIG_PATH, Exclusion, FailOn, Generated, ReviewSettings, Settings, matches
from tests.support.cases import case_folder
from tests.support.memory_tree import MemoryTree

RULES = ("mutable-image", "twin-left-behind", "docs-drift")


def settings(text: str) -> Settings:
    return read_settings("c.yaml", text.encode(), RULES, ("pinned-images",))


def faults(text: str | bytes) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_settings("c.yaml", text if isinstance(text, bytes) else text.encode(), RULES, ("pinned-images",))
    lines = str(caught.value).splitlines()
    assert len(lines) == len(caught.value.problems)
    return lines


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "null\n", "compose:\nreview: ~\nrules: {}\n"])
def test_a_configuration_that_says_nothing_is_the_default(text: str) -> None:
    assert settings(text) == Settings(path="c.yaml")


def test_every_key_becomes_a_setting() -> None:
    found = settings(
        """\
compose:
  files: ["prod/**/*.yaml"]
  exclude: [prod/old/**]
  deploy: docker compose up -d
  one_file_per_host: true
  variables: {PORT: 8080, TOKEN: , FLAG: yes}
  projects: [[a.yaml, a.gpu.yaml]]
generated:
  - files: [b.yaml]
    from: [a.yaml]
    command: make b
exclusions:
  - files: [old.yaml]
    rules: [twin-left-behind]
    because: It goes in May.
rules: {mutable-image: error, docs-drift: off}
roles: {"engine-*": engine, edge: web server}
use: [pinned-images]
contracts: [{id: x}]
review:
  reviewers: ["@bot"]
  teams: [acme/ops]
  drafts: false
  comment: false
  annotations: true
  inline_comments: 10
  reactions: false
  fail_on: warning
x-anything: [1]
"""
    )
    assert found.files == ("prod/**/*.yaml",)
    assert found.not_files == ("prod/old/**",)
    assert (found.deploy, found.one_file_per_host) == ("docker compose up -d", True)
    assert found.variables == {"PORT": "8080", "TOKEN": None, "FLAG": "yes"}
    assert found.projects == (("a.yaml", "a.gpu.yaml"),)
    assert found.generated == (Generated(("b.yaml",), ("a.yaml",), "make b", Place("c.yaml", 9, 5, 11)),)
    assert found.exclusions == (
        Exclusion(("old.yaml",), ("twin-left-behind",), "It goes in May.", Place("c.yaml", 13, 5, 15)),
    )
    assert found.levels == {"mutable-image": Level.ERROR, "docs-drift": None}
    assert found.roles == {"engine-*": Role.ENGINE, "edge": Role.WEB_SERVER}
    assert found.use == ("pinned-images",)
    assert isinstance(found.contracts, SequenceNode)
    assert found.review == ReviewSettings(("bot",), ("ops",), False, False, True, 10, False, FailOn.WARNING)


def test_variables_may_be_names_alone() -> None:
    assert settings("compose: {variables: [A, B]}").variables == {"A": None, "B": None}


FAULTS = {
    "compos: {}": "c.yaml:1: unknown key `compos`; did you mean `compose`?",
    "zzz: 1": "c.yaml:1: unknown key `zzz`; known: compose, contracts, exclusions, generated, review, roles, rules, trunks, use",
    "compose: {fils: [a]}": "c.yaml:1: unknown key `fils` in `compose`; did you mean `files`?",
    "generated: [{files: [a], from: [b], cmd: x}]": "c.yaml:1: unknown key `cmd` in `generated`; did you mean `command`?",
    "review: {draft: true}": "c.yaml:1: unknown key `draft` in `review`; did you mean `drafts`?",
    "compose: 5": "c.yaml:1: `compose` must be a mapping of keys, not `5`",
    "compose: {files: a.yaml}": "c.yaml:1: `compose.files` must be a list of texts, not `a.yaml`",
    "compose: {files: [[a]]}": "c.yaml:1: `compose.files` must be a list of texts, not a list",
    "compose: {files: [~]}": "c.yaml:1: `compose.files` must be a list of texts, not nothing",
    "compose: {files: ['']}": "c.yaml:1: `compose.files` must be a list of texts, not an empty text",
    "compose: {deploy: [a]}": "c.yaml:1: `compose.deploy` must be a text, not a list",
    "compose: {one_file_per_host: 'true'}": "c.yaml:1: `compose.one_file_per_host` must be true or false, not `true`",
    "compose: {one_file_per_host: yes}": "c.yaml:1: `compose.one_file_per_host` must be true or false, not `yes`",
    "compose: {variables: {1A: x}}": "c.yaml:1: `1A` is no name of a variable",
    "compose: {variables: {A: [x]}}": "c.yaml:1: `compose.variables.A` must be a text, or nothing when it is not known",
    "compose: {variables: A}": "c.yaml:1: `compose.variables` must be a mapping of keys, not `A`",
    "compose: {projects: [a.yaml]}": "c.yaml:1: `compose.projects` must be a list of lists, not `a.yaml`",
    "compose: {projects: [['*.yaml']]}": (
        "c.yaml:1: `*.yaml` must be the path of one file, not a pattern: the order of files matters here"
    ),
    "compose: {files: [/a]}": "c.yaml:1: `/a` must not begin with `/`: paths start at the root of the repository",
    "generated: {files: [a]}": "c.yaml:1: `generated` must be a list of mappings, not a mapping",
    "generated: [{files: [a]}]": "c.yaml:1: `generated.from` is missing",
    "exclusions: [{because: x}]": "c.yaml:1: `exclusions.files` is missing",
    "exclusions:\n  - files: [a]\n    rules: [docs-drift]": "c.yaml:2: `exclusions.because` is missing",
    "exclusions: [{files: [a], because: ' '}]": "c.yaml:1: `exclusions.because` must be a text, not an empty text",
    "exclusions: [{files: [a], rules: [doc-drift], because: x}]": (
        "c.yaml:1: unknown rule `doc-drift`; did you mean `docs-drift`?"
    ),
    "rules: {mutable-images: off}": "c.yaml:1: unknown rule `mutable-images`; did you mean `mutable-image`?",
    "rules: {docs-drift: loud}": "c.yaml:1: `rules.docs-drift` must be one of off, note, warning, error",
    "rules: {docs-drift: }": "c.yaml:1: `rules.docs-drift` must be one of off, note, warning, error",
    "roles: {x: engin}": "c.yaml:1: unknown role `engin`; did you mean `engine`?",
    "roles: {x: [engine]}": "c.yaml:1: `roles.x` must be a role",
    "use: [pinned-image]": "c.yaml:1: unknown pack `pinned-image`; did you mean `pinned-images`?",
    "review: {inline_comments: 51}": "c.yaml:1: `review.inline_comments` must be a whole number from 0 to 50, not `51`",
    "review: {inline_comments: -1}": "c.yaml:1: `review.inline_comments` must be a whole number from 0 to 50, not `-1`",
    "review: {inline_comments: true}": (
        "c.yaml:1: `review.inline_comments` must be a whole number from 0 to 50, not `true`"
    ),
    "review: {fail_on: note}": "c.yaml:1: `review.fail_on` must be error or warning or never, not `note`",
    "- compose": "c.yaml:1: must be a mapping of keys, not a list",
    "compose: {}\n---\nrules: {}": "c.yaml:3: holds a second document; a configuration is one",
    "use: [pinned-images]\nuse: []": 'c.yaml:2: mapping key "use" is already defined at line 1',
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_said_with_file_and_line(text: str) -> None:
    assert faults(text) == [FAULTS[text]]


def test_all_faults_are_said_at_once_in_the_order_of_the_file() -> None:
    found = faults("rules:\n  nothing: off\ncompose:\n  files: x\n  fils: []\nexclusions:\n  - files: ['/a', 'b/']\n")
    assert [line.split(": ")[0] for line in found] == [f"c.yaml:{line}" for line in (2, 4, 5, 7, 7, 7)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a: \xff\n", "is not UTF-8"),
        (b"a:\n\tb: 1\n", "a tab"),
        (b"a: [\n", "c.yaml:2"),
        (b"a: \0\n", "NUL"),
        (b"x" * (9 * 1024 * 1024), "files over 8 MiB are not read"),
    ],
)
def test_a_file_that_is_no_yaml_is_said(data: bytes, says: str) -> None:
    (line,) = faults(data)
    assert says in line


def test_a_long_list_of_rules_is_not_printed() -> None:
    with pytest.raises(ConfigError) as caught:
        read_settings("c.yaml", b"rules: {zzz: off}", [f"rule-{number}" for number in range(40)])
    assert str(caught.value) == "c.yaml:1: unknown rule `zzz`"


def test_the_tree_s_own_configuration_is_read_under_either_name() -> None:
    for path in (CONFIG_PATH, CONFIG_PATH.replace(".yaml", ".yml")):
        found = settings_of(MemoryTree({path: "compose: {one_file_per_host: true}"}), RULES)
        assert (found.path, found.one_file_per_host) == (path, True)


def test_a_tree_without_one_has_the_defaults() -> None:
    assert settings_of(MemoryTree({"config.yaml": "nonsense: 1"}), RULES) == Settings()


def test_two_configurations_are_an_error() -> None:
    tree = MemoryTree({CONFIG_PATH: "", CONFIG_PATH.replace(".yaml", ".yml"): ""})
    with pytest.raises(ConfigError, match=r"compose-review\.yml:1: stands beside .*; keep one of the two"):
        settings_of(tree, RULES)


def test_a_configuration_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml:1: cannot be read: No such file"):
        settings_file(tmp_path / "none.yaml", RULES)


def test_a_real_configuration_is_read() -> None:
    found = settings_file(case_folder("seed-pr") / "config.yaml", RULES)
    assert (len(found.files), len(found.generated), found.exclusions) == (1, 2, ())


@pytest.mark.parametrize(
    "glob", ["a", "*.yaml", "**", "**/*.yaml", "prod/**", "a/**/b/*.y?ml", "[ab].yaml", ".github/*"]
)
def test_a_pattern_that_can_match(glob: str) -> None:
    assert glob_fault(glob) is None


@pytest.mark.parametrize(
    "glob", ["!a", "/a", "./a", "a/", "a\\b", "../a", "a/../b", "a//b", "a**", "**.yaml", "[a", "{a,b}", "x" * 501]
)
def test_a_pattern_that_cannot(glob: str) -> None:
    assert glob_fault(glob)


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("a.yaml", "*.yaml", True),
        ("prod/a.yaml", "*.yaml", False),
        ("prod/a.yaml", "prod/*.yaml", True),
        ("prod/x/a.yaml", "prod/*.yaml", False),
        ("prod/x/a.yaml", "prod/**", True),
        ("prod/x/a.yaml", "**/a.yaml", True),
        ("a.yaml", "**/a.yaml", True),
        ("prod/x/y/a.yaml", "prod/**/a.yaml", True),
        ("prod/a.yaml", "prod/**/a.yaml", True),
        ("prod/a.yaml", "**/prod/**/**/*.yaml", True),
        ("other/a.yaml", "prod/**", False),
        ("A.yaml", "a.yaml", False),
        ("a.yml", "a.y?ml", False),
        ("b.yaml", "[!a].yaml", True),
    ],
)
def test_what_a_pattern_matches(path: str, glob: str, expected: bool) -> None:
    assert matches(path, ("nothing", glob)) is expected


def test_a_pattern_full_of_stars_costs_no_more() -> None:
    began = time.perf_counter()
    assert not matches("/".join("a" * 40), ("/".join(["**", "a"] * 30) + "/b",))
    assert not matches("a" * 200, ("*a" * 100 + "b",))
    assert time.perf_counter() - began < 1.0
