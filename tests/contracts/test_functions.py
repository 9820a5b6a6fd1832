"""The functions that expressions may call."""

from __future__ import annotations

from typing import Any

import pytest

from bot.contracts.expressions import EvaluationFault, Scope, compile_expression
from bot.contracts.functions import Functions
from bot.model.contract import Expression
from bot.model.place import Place

FILES = {"notes/a.txt": b"hello\n", "big": b"x" * 2_000_000}


def value(text: str) -> Any:
    functions = Functions(FILES.get)
    scope = Scope(functions, functions.all())
    scope.set("map", {"b": 2, "a": 1})
    service = {"name": "web", "labels": {"x.y": "z"}}
    scope.set("service", service)
    for key, part in service.items():  # fields are asked for as names of their own
        scope.set(f"service_{key}", part)
    return scope.evaluate(compile_expression(Expression(text, Place.of_line("c.yaml", 1), "x"), ("service", "map"), ()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('get(service.labels, "x.y", "-")', "z"),
        ('get(service.labels, "none", "-")', "-"),
        ('get(service, ["labels", "x.y"])', "z"),
        ('get(service, ["labels", "x.y", "deeper"], "-")', "-"),
        ("get([1, 2], 1, 0)", 2),
        ("get([1, 2], 5, 0)", 0),
        ("keys(map)", ["a", "b"]),
        ("values(map)", [1, 2]),
        ('pairs(["a:1", "b:x:y", "c"], ":")', {"a": "1", "b": "x:y", "c": ""}),
        ('split("a,b", ",")', ["a", "b"]),
        ('["a", "b"].join("-")', "a-b"),
        ('lines("a\\nb")', ["a", "b"]),
        ('"ÄB".lower()', "äb"),
        ('upper("ab")', "AB"),
        ('trim("  a ")', "a"),
        ('replace("aba", "a", "x")', "xbx"),
        ("flatten([[1], [2, 3], 4])", [1, 2, 3, 4]),
        ("unique([2, 1, 2, true])", [2, 1, True]),
        ('duplicates(["a", "b", "a", "a"])', ["a"]),
        ("sort([3, 1, 2])", [1, 2, 3]),
        ("range(3)", [0, 1, 2]),
        ('in_bytes("768m")', 768 * 1024**2),
        ('in_bytes("1.5g") > in_bytes("1g")', True),
        ('in_seconds("1m30s")', 90.0),
        ('show(["a", 1, null, true])', "a, 1, nothing, true"),
        ("show([])", "nothing"),
        ('json("{\\"a\\": [1, 2.5, null]}").a', [1, 2.5, None]),
        ('is_json("{") || is_json("[]")', True),
        ('yaml("a: 0x1\\nb: yes\\nc: 010\\nd: ~\\ne: 1.5\\nf: \\"1\\"")', {"a": 1, "b": "yes", "c": "010", "d": None, "e": 1.5, "f": "1"}),
        ('yaml("x: &x {a: 1, b: 2}\\ny: {<<: *x, b: 3}").y', {"a": 1, "b": 3}),
        ('is_yaml("a: [")', False),
        ('nginx("server { listen 81 ssl; location / { proxy_pass http://web:8000/v1; } }").servers[0].listen[0].port', "81"),
        ('nginx("proxy_pass http://web:8000/v1;").passes[0].host', "web"),
        ('nginx("proxy_pass http://$up;").passes[0].literal', False),
        ('nginx("upstream pool { server a:1; server b:2; }").upstreams[0].servers', ["a:1", "b:2"]),
        ('is_nginx("server {")', False),
        ('captures("a=1\\nb=2", "(?P<key>\\\\w)=(\\\\d)").map(c, c.key + c["2"] + string(c.line))', ["a11", "b22"]),
        ('text("notes/a.txt")', "hello\n"),
        ('sha256("notes/a.txt")', "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"),
        ('duration("1m30s") > duration("1m")', True),
    ],
)  # fmt: skip
def test_what_a_function_gives(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('json("{a}")', "json(): this is no JSON: expecting property name enclosed in double quotes at character 2"),
        ('json("[1,]")', "json(): this is no JSON: expecting value at character 4"),
        ('json("NaN")', "json(): this is no JSON: `NaN` is no JSON value"),
        ('yaml("a: b: c")', "yaml(): this is no YAML: mapping values are not allowed in this context"),
        ('yaml("a: 1\\na: 2")', 'yaml(): this is no YAML: mapping key "a" is already defined at line 1'),
        ('yaml("--- 1\\n--- 2")', "yaml(): this holds 2 YAML documents, not one"),
        ('nginx("server {")', 'nginx(): this is no nginx configuration: the block "server" is not closed'),
        ('captures("a", "(")', "captures(): `(` is no regular expression"),
        ('text("nowhere")', "text(): the repository has no file `nowhere` that can be read"),
        ('text("../secret")', "text(): the repository has no file `../secret` that can be read"),
        ('text("big")', "text(): `big` has 2,000,000 bytes; at most 1,000,000 are read"),
        ('in_bytes("much")', "in_bytes(): `much` is no size"),
        ('in_seconds("soon")', "in_seconds(): `soon` is no duration"),
        ('split("a", "")', "split(): the separator is empty"),
        ("split(1, 2)", "split() cannot be called with a number, a number"),
        ("json(1)", "json() cannot be called with a number"),
        ("range(1000000)", "range(): needs a number from 0 to 100,000"),
        ("1 / 0 == 0", "it divides by zero"),
        ("service.labels.none", "there is no key `none`"),
        ('service.name + 1 == ""', "Unsupported operation: string + int"),
    ],
)
def test_what_a_function_refuses(text: str, says: str) -> None:
    with pytest.raises(EvaluationFault) as found:
        value(text)
    assert says in str(found.value)
