"""Expressions and inputs that want all time or memory: an error within a second or two, never a hang."""

from __future__ import annotations

import time

import pytest

from tests.contracts.support import faults, one_check, violations

WEB = "services:\n  web:\n    image: registry.example/web:1\n"
TEN = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
NESTED = "true"
for letter in "abcdefghi":
    NESTED = f"{TEN}.all({letter}, {NESTED})"


@pytest.mark.parametrize(
    ("expression", "variables", "says"),
    [
        (NESTED, {}, "it was stopped after 1 s without an answer"),
        (
            "size(captures('" + "a" * 40 + "!', '(a+)+$')) == 0",
            {},
            "it was stopped after 1 s without an answer",
        ),
        (
            "size(variables.g) == 0",
            {
                "a": "'" + "x" * 1000 + "'",
                **{
                    name: " + ".join([f"variables.{before}"] * 100)
                    for before, name in zip("abcdef", "bcdefg", strict=True)
                },
            },
            "",
        ),
    ],
    ids=["nested-loops", "backtracking", "doubling"],
)
def test_what_would_not_end_is_ended(expression: str, variables: dict[str, str], says: str) -> None:
    told = "".join(
        f"\n  {name}: {text!r}" if "'" not in text else f'\n  {name}: "{text}"' for name, text in variables.items()
    )
    config = one_check(f'expression: "{expression}"', f"variables:{told}" if told else "")
    start = time.monotonic()
    found = violations(config, WEB)
    assert time.monotonic() - start < 5
    assert len(found) == 1
    assert found[0].stopped
    assert says in found[0].says
    assert found[0].at.file == "contracts.yaml"


def test_one_hostile_contract_does_not_stop_the_others() -> None:
    config = one_check(f'expression: "{NESTED}"') + one_check("expression: 'false'").removeprefix(
        "contracts:\n"
    ).replace("id: it", "id: other")
    files = "services:\n" + "".join(f"  s{number}:\n    image: registry.example/x:1\n" for number in range(5))
    start = time.monotonic()
    found = violations(config, files)
    assert time.monotonic() - start < 5, "stopped once, not once for every service"
    assert [each.contract for each in found].count("it") == 1
    assert [each.contract for each in found].count("other") == 5


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 900 + "1" + ")" * 900,
        "[" * 1500 + "]" * 1500,
        "!" * 3000,
        "a" * 3990,
        "'" * 3001,
        "[1].map(x, " * 300 + "1",
    ],
)
def test_a_monstrous_expression_is_refused_or_evaluated(expression: str) -> None:
    start = time.monotonic()
    told = faults(one_check(f"expression: >-\n  {expression}"))
    assert time.monotonic() - start < 2
    assert told


def test_a_long_message_is_cut() -> None:
    message = " + ".join(["service.image"] * 200)
    found = violations(one_check(f"expression: 'false'\nmessage: {message}"), WEB)
    assert len(found[0].says) == 601


def test_endless_violations_are_cut() -> None:
    found = violations(one_check("for: n in range(1000)\nexpression: 'false'"), WEB)
    assert len(found) == 50


def test_deep_data_is_refused() -> None:
    files = WEB + "    labels:\n      deep: '" + "[" * 500 + "]" * 500 + "'\n"
    found = violations(one_check("expression: json(service.labels.deep) != null"), files)
    assert "this is nested more than 100 levels deep" in found[0].says


def test_many_aliases_are_not_expanded() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n"
        for before, name in zip("abcdefg", "bcdefgh", strict=True)
    )
    files = WEB + "configs:\n  bomb:\n    content: |\n" + "".join(f"      {line}\n" for line in bomb.splitlines())
    start = time.monotonic()
    found = violations(one_check("expression: yaml(config.content) != null", "each: config"), files)
    assert time.monotonic() - start < 3
    assert "its aliases stand for more than" in found[0].says


def test_nothing_but_the_model_can_be_seen() -> None:
    for name in ("env", "os", "open", "import", "__import__", "request"):
        assert any(
            "unknown" in fault or "no CEL" in fault for fault in faults(one_check(f"expression: {name}('HOME') == ''"))
        )
    found = violations(one_check("expression: text('/etc/passwd') == ''"), WEB)
    assert "the repository has no file `/etc/passwd`" in found[0].says
