"""`required-variable-added` and `unescaped-dollar`: what Compose fills in."""

from __future__ import annotations

import pytest

from bot.model.finding import Certainty, Level
from tests.rules.deploy.reviewing import findings, only

BASE = "services:\n  web:\n    image: w\n    environment: {A: '${A:?x}', B: '${B}'}\n"


@pytest.mark.parametrize("value", ["${NEW:-}", "${NEW}", "$${NEW:?x}", "${A:?again}"])
def test_nothing_new_is_required(value: str) -> None:
    assert findings("required-variable-added", BASE, BASE.replace("{A:", f"{{C: '{value}', A:", 1)) == []


def test_what_the_configuration_knows_is_set() -> None:
    after = BASE.replace("{A:", "{C: '${NEW:?x}', A:", 1)
    assert findings("required-variable-added", BASE, after, variables={"NEW": "1"}) == []
    assert only("required-variable-added", BASE, after, variables={"NEW": None}).about == ("NEW",)


def test_a_new_file_asks_for_its_variables_in_the_prerequisites() -> None:
    assert findings("required-variable-added", {"lab/a.yaml": BASE}, {"lab/a.yaml": BASE, "prod/b.yaml": BASE}) == []


def test_all_new_ones_are_one_finding_and_it_says_what_was_optional() -> None:
    after = BASE.replace("'${B}'", "'${B:?now}'") + "x-note: {c: '${C?too}'}\n"
    found = only("required-variable-added", BASE, after)
    assert found.about == ("B", "C")
    assert "(`B` could be left out before)" in found.says


def test_where_all_were_optional_they_are_not_named_twice() -> None:
    after = BASE.replace("'${B}'", "'${B:?now}'")
    assert "`B` is required now (it could be left out before)" in only("required-variable-added", BASE, after).says


def script(text: str) -> str:
    lines = "".join(f"        {line}\n" for line in text.split("\n"))
    return f"services:\n  web:\n    image: w\n    environment: {{GIVEN: fixed, PASSED: '${{PASSED}}'}}\n    entrypoint: [sh, -c]\n    command:\n      - |\n{lines}"


@pytest.mark.parametrize(
    "text",
    [
        "for port in 1 2; do echo $$port; done",
        "echo $(date) $1 $? $$((1 + 1))",
        "echo ${HOST_IP}",
        "echo ${level:-info}",
        "echo $PASSED",
        "echo $GRAFANA_URL",
    ],
)
def test_what_is_meant_for_the_shell_or_for_compose(text: str) -> None:
    assert findings("unescaped-dollar", script("true"), script(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "for port in 1 2; do echo $port; done",
        "COUNT=1\necho $COUNT",
        "export NAME=x; echo ${NAME}",
        "while read -r line; do echo $line; done",
    ],
)
def test_a_variable_that_the_script_sets_is_sure_to_be_lost(text: str) -> None:
    found = only("unescaped-dollar", script("true"), script(text))
    assert (found.level, found.certainty) == (Level.ERROR, Certainty.SURE)


def test_it_points_at_the_line() -> None:
    found = only("unescaped-dollar", script("true"), script("set -e\nfails=0\necho $fails"))
    assert found.at.line == 10
    assert "`$fails` in `web command`" in found.says
    assert found.do == "Double the dollar: `$$fails`."


@pytest.mark.parametrize("text", ["echo $GIVEN", "echo $lower_case"])
def test_what_the_container_sets_or_looks_like_a_script_is_likely(text: str) -> None:
    found = only("unescaped-dollar", script("true"), script(text))
    assert (found.level, found.certainty) == (Level.WARNING, Certainty.LIKELY)


def test_one_that_was_there_is_not_new() -> None:
    old = script("for port in 1 2; do echo $port; done")
    assert findings("unescaped-dollar", old, old.replace("1 2", "1 2 3")) == []


NGINX = "services:\n  web:\n    image: nginx\n    configs: [{source: site, target: /x}]\nconfigs:\n  site:\n    content: |\n      server { location / {\n        proxy_set_header Host $$host;\n      } }\n"


def test_nginx_needs_its_own_variables() -> None:
    found = only("unescaped-dollar", NGINX, NGINX.replace("$$host", "$host"))
    assert (found.level, found.about, found.at.line) == (Level.ERROR, ("config site", "host"), 9)


def test_a_health_check_is_read_too() -> None:
    text = "services:\n  web:\n    image: w\n    healthcheck: {test: [CMD-SHELL, 'age=1; [ $age -lt 3 ]']}\n"
    assert only("unescaped-dollar", text.replace("$age", "$$age"), text).about == ("web healthcheck", "age")
