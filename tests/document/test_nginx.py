"""nginx's grammar: what it takes stays quiet, what it refuses is named with its place."""

from __future__ import annotations

from pathlib import Path

import crossplane
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.document.nginx import fault


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# } nothing but { a comment\n",
        "server { listen 80; location / { return 200 'a;b}'; } }",
        'location ~ "^/a{2}$" { return 200; }',
        "location ~ ^/v(1|2)$ { return 200; }",
        "log_format main '$a'\n  '$b';",
        "map $a $b { default 1; '' 2; \"~x;y\" 3; }",
        "proxy_cache_path /x\n  keys_zone=a:1m;",
        "proxy_set_header Host $host\n  always;",
        'add_header X "a\\"b" always;',
        "set $a ${b}c;",
        "location ~ a\\ b\\;c { return 200; }",
        "content_by_lua_block {\n  if x then y = {1} end\n}\nserver {}",
        "${EVERYTHING}\nserver { ${MORE}\n  listen ${PORT}\n}",  # a template: what it becomes, nobody knows
    ],
)
def test_what_nginx_reads_has_no_fault(text: str) -> None:
    assert fault(text) is None


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("server {\n  listen 80;\n", 1, 'the block "server" is not closed'),
        ("server {\n  location / {\n    root /a;\n}\n", 1, 'the block "server" is not closed'),
        ("server {\n  listen 80\n}\n", 2, '"listen" is not ended by ";"'),
        ("server {\n  listen 80\n  server_name a;\n}\n", 2, '"listen" is not ended by ";"'),
        (
            "server {\n  proxy_set_header A\n    b\n  proxy_pass http://c;\n}",
            3,
            '"proxy_set_header" is not ended by ";"',
        ),
        ("server { listen 80; }\n}\n", 2, '"}" closes no block'),
        ("server { listen 80; };", 1, '";" ends nothing'),
        ("{ listen 80; }", 1, '"{" stands without the name of a block'),
        ("a b;\nx 'abc;\n", 2, "a quote (') is not closed"),
        ("worker_processes 1", 1, '"worker_processes" is not ended by ";"'),
    ],
)
def test_what_nginx_refuses_is_named_with_its_place(text: str, line: int, says: str) -> None:
    found = fault(text)
    assert found is not None
    assert (found.says, text.count("\n", 0, found.offset) + 1) == (says, line)


# The library takes nameless blocks, empty statements, and directives it does not know without their `;`.
_OURS_ALONE = ("ends nothing", "without the name", "is not ended")

words = st.sampled_from(["a", "'c d'", '"{;}"', "~^/x", "80"])
statements = st.lists(words, min_size=1, max_size=3).map(lambda found: f"name {' '.join(found)};")
blocks = st.recursive(
    statements,
    lambda inner: st.lists(inner, max_size=3).map(lambda found: "block x {\n" + "\n".join(found) + "\n}"),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=blocks, cut=st.integers(0, 40), sign=st.sampled_from(["", "{", ";", " ", "\n}\n"]))
def test_it_agrees_with_another_reading_of_the_grammar(tmp_path: Path, text: str, cut: int, sign: str) -> None:
    """Well-formed texts, and those with one character replaced."""
    edited = text[:cut] + sign + text[cut + 1 :]
    path = tmp_path / "nginx.conf"
    path.write_text(edited)
    theirs = crossplane.parse(str(path), single=True, check_ctx=False, check_args=False)["status"]
    assert fault(text) is None
    found = fault(edited)
    if found is None or not any(says in found.says for says in _OURS_ALONE):
        assert (found is None) == (theirs == "ok")
