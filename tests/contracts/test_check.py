"""Contracts held against a tree."""

from __future__ import annotations

import pytest

from bot.model.finding import CheckStatus
from tests.contracts.support import one_check, results, violations

WEB = """\
services:
  web:
    image: registry.example/web:1
    environment:
      - SOFT=${SOFT:-}
      - HARD=${HARD}
      - PASSED
    command: serve --port 80
"""


def status(config: str, files: object) -> str:
    return results(config, files)["it"].status.value  # type: ignore[arg-type]


def test_what_holds_passes() -> None:
    found = results(one_check('expression: service.image.endsWith(":1")'), WEB)["it"]
    assert (found.status, found.files, found.violations) == (CheckStatus.PASSED, ("compose.yaml",), ())


def test_what_does_not_fails_with_its_message() -> None:
    config = one_check('expression: service.image == ""\nmessage: service.name + " has an image"')
    assert [each.says for each in violations(config, WEB)] == ["web has an image"]


def test_without_a_message_the_expression_speaks() -> None:
    config = one_check('expression: service.image == ""')
    assert [each.says for each in violations(config, WEB)] == ['`service.image == ""` does not hold']


def test_fields_that_nobody_wrote_have_their_defaults() -> None:
    config = one_check("""\
    expression: |
      service.restart == "no" && size(service.ports) == 0 && size(service.profiles) == 0 && size(service.labels) == 0
        && service.container_name == "" && !has(service.logging) && !service.privileged
    """)
    assert not violations(config, WEB)


def test_what_is_written_is_told_from_what_it_resolves_to() -> None:
    config = one_check("""\
    expression: |
      service.environment.SOFT == "" && service.written.environment.SOFT == "${SOFT:-}"
        && service.environment.HARD == "${HARD}" && service.environment.PASSED == null
        && service.form.environment == "list" && service.form.command == "text"
    """)
    assert [each.says for each in violations(config, WEB)] == []


def test_a_map_is_told_from_a_list() -> None:
    files = "services: {web: {image: registry.example/web:1, environment: {SOFT: '${SOFT:-x}'}, command: [a, b]}}"
    config = one_check("""\
    expression: |
      service.form.environment == "map" && service.form.command == "list"
        && service.written.environment.SOFT == "${SOFT:-x}" && service.environment.SOFT == "x"
    """)
    assert not violations(config, files)


def test_patterns_choose_files() -> None:
    files = {"prod/a.yaml": WEB, "test/b.yaml": WEB}
    found = results(one_check("expression: 'false'", 'files: ["prod/*.yaml"]'), files)["it"]
    assert [each.at.file for each in found.violations] == ["prod/a.yaml"]


def test_patterns_that_match_no_file_skip_the_contract() -> None:
    found = results(one_check("expression: 'false'", 'files: ["nowhere/*.yaml"]'), WEB)["it"]
    assert (found.status, found.why) == (CheckStatus.SKIPPED, "no file matches its `files`")


def test_a_select_that_selects_nothing_is_a_fault_of_the_contract() -> None:
    found = violations(one_check("expression: 'true'", "select: service.name == 'wbe'"), WEB)
    assert [(each.at.file, each.at.line) for each in found] == [("contracts.yaml", 4)]
    assert "selects nothing in any file it covers" in found[0].says


def test_unless_it_is_optional() -> None:
    assert status(one_check("expression: 'false'", "select: service.name == 'x'\noptional: true"), WEB) == "passed"


def test_packs_may_select_nothing() -> None:
    assert all(not each.violations for each in results("use: [model-serving]\n", WEB).values())


@pytest.mark.parametrize(
    ("each", "expression", "names"),
    [
        ("file", 'file.path == ""', ["compose.yaml"]),
        ("config", 'config.name == ""', ["compose.yaml", "compose.yaml"]),
        ("volume", 'volume.name == ""', ["compose.yaml"]),
        ("estate", "size(estate.files) == 0", ["contracts.yaml"]),
    ],
)
def test_what_a_contract_can_be_held_against(each: str, expression: str, names: list[str]) -> None:
    files = WEB + "volumes: {data: {}}\nconfigs: {a: {content: x}, b: {content: y}}\n"
    found = violations(one_check(f"expression: {expression}", f"each: {each}"), files)
    assert [violation.at.file for violation in found] == names


def test_an_estate_sees_all_files_that_the_contract_covers() -> None:
    files = {"prod/a.yaml": WEB, "prod/b.yaml": WEB, "test/c.yaml": WEB}
    config = one_check("expression: size(estate.files) == 2", 'each: estate\nfiles: ["prod/*.yaml"]')
    assert not violations(config, files)


def test_a_file_that_cannot_be_read_keeps_no_promise() -> None:
    files = {"good.yaml": WEB, "bad.yaml": "services:\n  web:\n    image: 'x\n"}
    found = violations(one_check("expression: 'true'"), files)
    assert [(each.at.file, each.at.line, each.stopped) for each in found] == [("bad.yaml", 3, True)]


def test_an_answer_that_is_neither_true_nor_false_is_no_pass() -> None:
    found = violations(one_check("expression: service.name"), WEB)
    assert [each.says for each in found] == ["check 1 cannot be told: it gives a text, not true or false"]


def test_an_expression_that_fails_is_no_pass() -> None:
    found = violations(one_check("expression: service.labels.none == 'x'"), WEB)
    assert [(each.says, each.stopped) for each in found] == [("check 1 cannot be told: there is no key `none`", True)]


def test_a_variable_that_fails_is_told_once() -> None:
    config = """\
    contracts:
      - id: it
        because: it matters
        variables:
          a: json(service.name)
          b: variables.a.x
        checks:
          - expression: variables.a == 1
          - expression: variables.b == 1
          - expression: service.image == "x"
    """
    assert [each.clause for each in violations(config, WEB)] == ["variable a", "3"]


def test_variables_build_on_each_other() -> None:
    config = one_check(
        "expression: variables.c == ['web', 'web!']",
        "variables:\n  a: service.name\n  b: variables.a + '!'\n  c: '[variables.a, variables.b]'",
    )
    assert not violations(config, WEB)


def test_a_when_that_does_not_hold_asks_nothing() -> None:
    config = one_check(
        "when: service.name == 'db'\nexpression: service.nothing.at.all == 1".replace("nothing", "labels")
    )
    assert not violations(config, WEB)


def test_each_element_of_a_loop_is_a_violation_of_its_own() -> None:
    config = one_check('for: n in [1, 2, 3]\nexpression: n == 2\nmessage: string(n) + " is wrong"')
    assert [each.says for each in violations(config, WEB)] == ["1 is wrong", "3 is wrong"]


def test_the_order_does_not_depend_on_the_order_of_maps() -> None:
    many = "services:\n" + "".join(f"  s{number}:\n    image: registry.example/x:1\n" for number in range(30))
    config = one_check("for: s in values(file.services)\nexpression: 'false'\nmessage: s.name", "each: file")
    found = [each.says for each in violations(config, many)]
    assert len(found) == 30
    assert found == sorted(found)
