"""The text of contracts: what is taken, and what is refused with its line."""

from __future__ import annotations

import pytest

from bot.model.contract import Each
from bot.model.finding import Level
from tests.contracts.support import faults, loaded, one_check

GOOD = """\
contracts:
  - id: full
    because: Everything a contract may say.
    level: warning
    files: ["prod/*.yaml"]
    exclude: [prod/old.yaml]
    each: file
    select: size(file.services) > 1
    optional: true
    variables:
      names: keys(file.services)
    checks:
      - id: long
        for: name in variables.names
        when: name != "x"
        expression: size(name) > 2
        at: file.services[name]
        message: name + " is short"
"""


def test_everything_that_a_contract_may_say() -> None:
    found = loaded(GOOD)
    assert not found.problems
    contract = found.contracts[0].contract
    assert (contract.id, contract.each, contract.level, contract.optional) == ("full", Each.FILE, Level.WARNING, True)
    assert contract.covers("prod/new.yaml")
    assert not contract.covers("prod/old.yaml")
    assert contract.clauses[0].loops[0][0] == "name"
    assert contract.at.line == 2


def test_without_contracts_nothing_is_loaded() -> None:
    assert loaded("compose: {}\n").contracts == ()


def test_a_contract_without_a_pattern_covers_every_file() -> None:
    assert loaded(one_check("expression: 'true'")).contracts[0].contract.covers("any/where.yaml")


def test_every_fault_is_told_at_once_with_its_line() -> None:
    text = """\
    contracts:
      - id: one
        becuase: typo
        checks:
          - expression: service.nmae == "x"
      - id: Two
        because: ids are small
        files: ["/absolute.yaml"]
        checks: []
    """
    assert faults(text) == [
        "2: `contract one.because` is missing",
        "3: unknown key `becuase` in `contract one`; did you mean `because`?",
        "6: `Two` is no id: use a-z, 0-9 and -",
        "6: contract `Two` has no checks",
        "8: `/absolute.yaml` must not begin with `/`: paths start at the root of the repository",
    ]


def test_expressions_are_compiled_when_all_else_is_sound() -> None:
    assert faults(one_check('expression: service.nmae == "x"')) == [
        "6: contract it, check 1: unknown field of `service` `nmae`; did you mean `name`?"
    ]


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("expression: service.name ==", "this is no CEL expression: mismatched input the end"),
        ("expression: servic.name == ''", "unknown name `servic`; did you mean `service`?"),
        ("expression: jsn(service.name) == ''", "unknown function `jsn`; did you mean `json`?"),
        ("expression: variables.x == 1", "unknown name `variables`"),
        ("expression: service.labels.all(k, v, true)", "unknown name `v`"),
        ("for: x of service.ports\nexpression: 'true'", "`for` must read `NAME in LIST`, not `x of service.ports`"),
        ("for: service in [1]\nexpression: 'true'", "`service` already means something else"),
        ("expression: 'true'\nat: service.name + 'x'", 'is no path such as `service.labels["x"]`'),
        ("message: '1'", "`expression` is missing"),
        ("expression: 'true'\nmesage: x", "unknown key"),
    ],
)
def test_a_faulty_check_is_refused(check: str, says: str) -> None:
    found = faults(one_check(check))
    assert len(found) == 1
    assert says in found[0]
    assert int(found[0].split(":")[0]) in (5, 6, 7)


def test_a_fault_in_a_block_is_told_at_its_own_line() -> None:
    check = """\
    expression: |
      service.name != ""
        && service.restrt == "no"
    """
    assert faults(one_check(check)) == [
        "8: contract it, check 1: unknown field of `service` `restrt`; did you mean `restart`?"
    ]


def test_an_id_stands_for_one_contract() -> None:
    twice = one_check("expression: 'true'") + one_check("expression: 'true'").removeprefix("contracts:\n")
    assert faults(twice) == ["7: contract `it` is already defined at line 2"]


def test_a_check_is_named_once() -> None:
    text = one_check("id: a\nexpression: 'true'") + "      - id: a\n        expression: 'true'\n"
    assert faults(text) == ["8: check `a` is there twice"]


def test_an_expression_has_a_length_that_a_person_can_read() -> None:
    found = faults(one_check(f"expression: {'1+' * 3000}1 == 1"))
    assert found[0].startswith("6: is 6,006 characters long; an expression may have 4,000")


def test_contracts_are_a_list() -> None:
    assert faults("contracts: {a: 1}\n") == ["1: `contracts` must be a list of mappings, not a mapping"]


def test_a_pack_is_used_by_name() -> None:
    found = loaded("use: [pinned-images]\n")
    assert not found.problems
    assert "image-digest" in found.ids


def test_a_contract_of_a_pack_can_be_narrowed() -> None:
    found = loaded("""\
    use: [pinned-images]
    contracts:
      - id: image-digest
        from: pinned-images
        files: ["prod/*.yaml"]
        level: warning
    """)
    assert not found.problems
    contract = next(each.contract for each in found.contracts if each.contract.id == "image-digest")
    assert (contract.files, contract.level, contract.pack) == (("prod/*.yaml",), Level.WARNING, "pinned-images")
    assert found.ids.count("image-digest") == 1


def test_one_contract_of_a_pack_can_be_used_alone() -> None:
    found = loaded("contracts: [{id: image-tag, from: pinned-images, variables: {moving: '[\"weekly\"]'}}]\n")
    assert not found.problems
    assert found.ids == ("image-tag",)
    assert dict(found.contracts[0].contract.variables)["moving"].text == '["weekly"]'


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("{id: image-digest, from: pinned}", "unknown pack `pinned`; did you mean `pinned-images`?"),
        ("{id: image-digst, from: pinned-images}", "unknown contract of pack `pinned-images` `image-digst`"),
        ("{id: image-tag, from: pinned-images, checks: []}", "unknown key"),
        ("{id: image-tag, from: pinned-images, variables: {movng: '1'}}", "unknown variable `movng`"),
    ],
)
def test_what_is_narrowed_must_be_there(entry: str, says: str) -> None:
    assert any(says in fault for fault in faults(f"contracts:\n  - {entry}\n"))


def test_an_id_of_a_used_pack_is_taken() -> None:
    text = "use: [pinned-images]\n" + one_check("expression: 'true'").replace("id: it", "id: image-tag")
    assert faults(text) == ["3: contract `image-tag` is also in pack `pinned-images`; name yours differently"]
