"""Contracts in the review of a change."""

from __future__ import annotations

from textwrap import dedent

from bot.app import examine
from bot.intake.config import settings_of
from bot.model.contract import EditKind
from bot.model.finding import CheckStatus, Finding, Level
from bot.model.pull import Pull
from bot.ports import Reading
from tests.support.memory_tree import MemoryTree

CONFIG = ".github/compose-review.yaml"
RESTART = """\
contracts:
  - id: no-restart
    because: Jobs end.
    checks:
      - expression: service.restart == "no"
        message: service.name + " restarts"
"""
GOOD = 'services:\n  a:\n    image: registry.example/a:1\n    restart: "no"\n'
BAD = "services:\n  a:\n    image: registry.example/a:1\n    restart: always\n"
BOTH = "services:\n  a:\n    image: registry.example/a:1\n    restart: always\n  b:\n    image: registry.example/b:1\n"


def reviewed(base: dict[str, str], head: dict[str, str]) -> tuple[list[Finding], dict[str, tuple[str, str]], list[str]]:
    trees = [MemoryTree({path: dedent(text) for path, text in files.items()}) for files in (base, head)]
    reading = Reading(Pull(), trees[0], trees[1], "base", "head")
    examined = examine(reading, settings_of(trees[0], frozenset()))
    assert not examined.findings.crashes
    checks = {
        each.name: (each.status.value, each.detail) for each in examined.findings.checks if "contract" in each.name
    }
    found = [each for each in examined.findings.findings if each.rule.startswith("contract")]
    return found, checks, [gap.why for gap in examined.findings.gaps]


def test_a_contract_that_holds_is_a_line_under_checks() -> None:
    found, checks, _ = reviewed(
        {CONFIG: RESTART, "c.yaml": GOOD}, {CONFIG: RESTART, "c.yaml": GOOD.replace(":1", ":2")}
    )
    assert not found
    assert checks == {"contract `no-restart`": ("passed", "1 file")}


def test_a_change_that_breaks_it_is_blocked_at_the_line() -> None:
    found, checks, _ = reviewed({CONFIG: RESTART, "c.yaml": GOOD}, {CONFIG: RESTART, "c.yaml": BAD})
    assert [(each.rule, each.level, each.at.file, each.at.line, each.service) for each in found] == [
        ("contract-broken", Level.ERROR, "c.yaml", 4, "a")
    ]
    assert "a restarts. The contract is there because: Jobs end." in found[0].says
    assert checks == {"contract `no-restart`": ("failed", "1 file")}


def test_what_base_broke_already_blocks_nobody() -> None:
    changed = BAD.replace(":1", ":2")
    found, checks, _ = reviewed({CONFIG: RESTART, "c.yaml": BAD}, {CONFIG: RESTART, "c.yaml": changed})
    assert not found
    assert checks == {"contract `no-restart`": ("passed", "1 file, 1 violation that base had already")}


def test_also_when_its_lines_move_or_the_file_is_renamed() -> None:
    moved = "# a comment\n\n" + BAD
    found, checks, _ = reviewed({CONFIG: RESTART, "c.yaml": BAD}, {CONFIG: RESTART, "d.yaml": moved})
    assert not found, checks


def test_a_second_violation_is_new() -> None:
    worse = BAD + "  b:\n    image: registry.example/b:1\n    restart: always\n"
    found, _, _ = reviewed({CONFIG: RESTART, "c.yaml": BAD}, {CONFIG: RESTART, "c.yaml": worse})
    assert [(each.service, each.at.line) for each in found] == [("b", 7)]


def test_only_touched_files_are_looked_at() -> None:
    base = {CONFIG: RESTART, "c.yaml": BAD, "d.yaml": GOOD}
    found, checks, _ = reviewed(base, {**base, "d.yaml": GOOD.replace(":1", ":2")})
    assert not found
    assert checks == {"contract `no-restart`": ("passed", "1 file")}


def test_a_contract_whose_files_are_not_touched_is_skipped() -> None:
    config = RESTART.replace("    checks:", '    files: ["prod/*.yaml"]\n    checks:')
    base = {CONFIG: config, "prod/c.yaml": GOOD, "d.yaml": GOOD}
    _, checks, _ = reviewed(base, {**base, "d.yaml": BAD})
    assert checks["contract `no-restart`"][0] == CheckStatus.SKIPPED


def test_the_level_is_the_contracts() -> None:
    config = RESTART.replace("    checks:", "    level: note\n    checks:")
    found, _, _ = reviewed({CONFIG: config, "c.yaml": GOOD}, {CONFIG: config, "c.yaml": BAD})
    assert [each.level for each in found] == [Level.NOTE]


def test_a_touched_file_that_a_contract_reads_is_reason_enough() -> None:
    config = """\
    contracts:
      - id: listed
        because: What runs is in the list.
        checks:
          - expression: service.name in lines(text("LIST"))
    """
    base = {CONFIG: config, "c.yaml": GOOD, "LIST": "a\nb\n"}
    found, _, _ = reviewed(base, {**base, "LIST": "b\n"})
    assert [(each.rule, each.at.file, each.at.line) for each in found] == [("contract-broken", "c.yaml", 2)]


def test_transitions_see_what_was_there() -> None:
    config = """\
    contracts:
      - id: images-stay
        because: Databases are not moved by accident.
        checks:
          - expression: base == null || service.image == base.image
            message: '"was " + base.image'
    """
    base = {CONFIG: config, "c.yaml": GOOD}
    found, _, _ = reviewed(
        base, {**base, "c.yaml": GOOD.replace("a:1", "a:2") + "  b:\n    image: registry.example/b:1\n"}
    )
    assert [(each.service, "was `registry.example/a:1`" in each.says) for each in found] == [("a", True)]


class TestAChangeOfContracts:
    def test_what_is_removed_still_holds_here(self) -> None:
        found, _, _ = reviewed({CONFIG: RESTART, "c.yaml": GOOD}, {CONFIG: "contracts: []\n", "c.yaml": BAD})
        assert {(each.rule, each.level) for each in found} == {
            ("contract-broken", Level.ERROR),
            ("contract-changed", Level.WARNING),
        }

    def test_a_new_contract_is_held_against_every_file(self) -> None:
        base = {CONFIG: "contracts: []\n", "c.yaml": BAD, "d.yaml": GOOD}
        found, checks, _ = reviewed(base, {**base, CONFIG: RESTART})
        assert [(each.rule, each.level) for each in found] == [("contract-changed", Level.NOTE)]
        assert checks == {
            "contract `no-restart` as this change words it": ("passed", "2 files, 1 violation that base had already")
        }

    def test_a_new_contract_that_its_own_change_breaks(self) -> None:
        base = {CONFIG: "contracts: []\n", "c.yaml": GOOD}
        found, _, _ = reviewed(base, {CONFIG: RESTART, "c.yaml": BAD})
        assert [each.rule for each in found] == ["contract-broken", "contract-changed"]

    def test_one_that_can_no_longer_be_read_blocks(self) -> None:
        base = {CONFIG: RESTART, "c.yaml": GOOD}
        broken = RESTART.replace('== "no"', "==")
        found, _, _ = reviewed(base, {**base, CONFIG: broken})
        assert [(each.rule, each.level, each.at.file, each.at.line) for each in found] == [
            ("contract-changed", Level.ERROR, CONFIG, 5)
        ]

    def test_contracts_of_base_that_cannot_be_used_are_no_pass(self) -> None:
        broken = RESTART.replace('== "no"', "==")
        _, _, gaps = reviewed({CONFIG: broken, "c.yaml": GOOD}, {CONFIG: broken, "c.yaml": BAD})
        assert any("this is no CEL expression" in why for why in gaps)

    def test_unless_the_change_is_their_repair(self) -> None:
        broken = RESTART.replace('== "no"', "==")
        found, _, gaps = reviewed({CONFIG: broken, "c.yaml": GOOD}, {CONFIG: RESTART, "c.yaml": BAD})
        assert not gaps
        assert "contract-broken" in {each.rule for each in found}


def test_how_an_edit_is_told() -> None:
    from bot.contracts.edits import edits
    from tests.contracts.support import loaded, one_check

    def kinds(
        before: str, after: str, paths: tuple[str, ...] = ("prod/a.yaml", "x.yaml")
    ) -> list[tuple[EditKind, tuple[str, ...]]]:
        old, new = ([each.contract for each in loaded(text).contracts] for text in (before, after))
        return [(each.kind, each.details) for each in edits(old, new, paths)]

    plain = one_check("id: a\nexpression: 'true'")
    assert kinds(plain, plain) == []
    assert kinds(plain, one_check("id: a\nexpression: 'true'\nmessage: service.name")) == []
    narrow = one_check("id: a\nexpression: 'true'", 'files: ["prod/*.yaml"]')
    assert kinds(plain, narrow) == [(EditKind.LOOSENED, ("no longer covers `x.yaml`",))]
    assert kinds(narrow, plain) == [(EditKind.TIGHTENED, ("now covers `x.yaml`",))]
    milder = one_check("id: a\nexpression: 'true'", "level: note")
    assert kinds(plain, milder) == [(EditKind.LOOSENED, ("level note instead of error",))]
    assert kinds(milder, plain) == [(EditKind.TIGHTENED, ("level error instead of note",))]
    other = one_check("id: a\nexpression: 'false'")
    assert kinds(plain, other) == [(EditKind.CHANGED, ("check `a` differs",))]
    assert kinds(plain, one_check("id: b\nexpression: 'true'")) == [
        (EditKind.LOOSENED, ("has no check `a`", "has a new check `b`"))
    ]
    assert kinds(plain, one_check("id: a\nexpression: 'true'", "optional: true")) == [
        (EditKind.LOOSENED, ("it may select nothing",))
    ]
