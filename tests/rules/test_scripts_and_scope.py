"""Rules about scripts, inline configs, generated files, gone files and scope, beyond the examples of their pages."""

from __future__ import annotations

from textwrap import indent

import pytest

from bot.app import examine
from bot.change.mentions import MOST_GONE
from bot.model.finding import CheckStatus, Level
from bot.model.place import Place
from bot.model.settings import Generated, Settings
from tests.rules.deploy.reviewing import findings, only, reading

Files = dict[str, str]


def probe(script: str, name: str = "script") -> str:
    """A service that runs an inline script."""
    body = indent(script.strip("\n"), "      ")
    return (
        f"services:\n  engine: {{image: registry.example/engine:1}}\n"
        f"  probe: {{image: registry.example/probe:1, configs: [{{source: {name}, target: /probe.sh}}]}}\n"
        f"configs:\n  {name}:\n    content: |\n{body}\n"
    )


ASKS = "#!/bin/sh\nuntil curl -sf http://engine:8000/ready; do sleep 5; done\nwhile true; do\n  sleep 60\ndone\n"
SAYS = "  echo the hub has answered again\n"
CHECKS = f"#!/bin/sh\nwhile curl -sf http://hub.example/v1/models; do\n{SAYS}  sleep 60\ndone\n"
REPAIRED = CHECKS.replace("-sf", "-sf --max-time 10")


@pytest.mark.parametrize(
    "head",
    [
        {"prod/a.yaml": probe(REPAIRED), "prod/b.yaml": probe(REPAIRED)},
        {"prod/a.yaml": probe(CHECKS.replace("60", "90")), "prod/b.yaml": probe(CHECKS)},  # only a number
        {"prod/a.yaml": probe(CHECKS.replace(SAYS, "")), "prod/b.yaml": probe(CHECKS)},  # deleted, not replaced
    ],
    ids=["both", "a number", "deleted"],
)
def test_lines_that_changed_everywhere_or_are_a_files_own_are_left_alone(head: Files) -> None:
    base = {"prod/a.yaml": probe(CHECKS), "prod/b.yaml": probe(CHECKS)}
    assert findings("removed-pattern-remains", base, head) == []


@pytest.mark.parametrize(
    "other",
    [{"lab/b.yaml": probe(CHECKS)}, {"prod/b.yaml": probe(CHECKS, "another")}, {"prod/b.yaml": probe("sleep 1")}],
    ids=["another folder", "another config", "another script"],
)
def test_what_is_no_copy_is_not_looked_at(other: Files) -> None:
    base = {"prod/a.yaml": probe(CHECKS), **other}
    assert findings("removed-pattern-remains", base, {**base, "prod/a.yaml": probe(REPAIRED)}) == []


def test_a_copy_that_keeps_the_repaired_line_is_told_with_its_place() -> None:
    base = {"prod/a.yaml": probe(CHECKS), "prod/b.yaml": probe(CHECKS), "prod/c.yaml": probe(CHECKS)}
    found = only("removed-pattern-remains", base, {**base, "prod/a.yaml": probe(REPAIRED)})
    assert (found.at.file, found.at.line) == ("prod/b.yaml", 8)
    assert "`prod/b.yaml` and `prod/c.yaml`" in found.says


def test_a_new_file_that_brings_the_line_back_is_told() -> None:
    base = {"prod/a.yaml": probe(CHECKS)}
    found = only("removed-pattern-remains", base, {"prod/a.yaml": probe(REPAIRED), "prod/new.yaml": probe(CHECKS)})
    assert found.at.file == "prod/new.yaml"


def watches(*lines: str) -> str:
    """One service for each line, which its health check runs."""
    text = "services:\n"
    for number, line in enumerate(lines):
        text += f"  watch-{number}:\n    image: registry.example/tool:1\n    healthcheck:\n"
        text += (
            f"      test:\n        - CMD-SHELL\n        - |\n          set -e\n          {line}\n          echo alive\n"
        )
    return text


def test_the_other_services_of_the_file_are_looked_at_too() -> None:
    old, new = "curl -sf http://hub.example/alive", "curl -sf --max-time 5 http://hub.example/alive"
    assert findings("removed-pattern-remains", watches(old, old), watches(new, new)) == []
    found = only("removed-pattern-remains", watches(old, old), watches(new, old))
    assert "the healthcheck of `watch-0`" in found.says
    assert found.at.line == 18


@pytest.mark.parametrize(
    "script",
    [
        ASKS.replace("//engine:", "//${HOST_IP}:"),  # the only one moved
        ASKS.replace(":8000", ":8001"),
        ASKS + "# once http://engine:8000/health\n",
        ASKS.replace("//engine:", "//hub.example:"),
    ],
)
def test_an_address_that_moved_whole_or_by_its_port_is_left_alone(script: str) -> None:
    assert findings("half-moved-address", probe(ASKS), probe(script.replace("${", "$${"))) == []


def test_an_address_that_moved_on_one_line_is_told_at_the_other() -> None:
    twice = ASKS.replace("sleep 60", "curl -sf http://engine:8000/v1/models || exit 1")
    moved = twice.replace("//engine:8000/ready", "//$${HOST_IP}:8000/ready")
    found = only("half-moved-address", probe(twice), probe(moved))
    assert found.at.line == 10
    assert "`http://engine:8000/v1/models`" in found.says


def test_an_inline_config_that_was_broken_before_is_no_news() -> None:
    broken = probe("#!/bin/sh\nif true; then\n")
    assert findings("invalid-embedded-config", broken, broken.replace("probe:1", "probe:2")) == []


@pytest.mark.parametrize(
    ("target", "body", "level", "line"),
    [
        ("/etc/nginx/conf.d/a.conf", "server {\n  listen 80\n}", Level.ERROR, 9),
        ("/etc/a.yaml", "a: 1\n a: 2", Level.ERROR, 9),
        ("/etc/a.json", '{"a": [1}', Level.ERROR, 8),
        ("/probe.sh", "while true; do\n  sleep 1\n", Level.WARNING, 9),
    ],
)
def test_an_inline_config_that_breaks_is_told_as_surely_as_it_is_known(
    target: str, body: str, level: Level, line: int
) -> None:
    before = probe("a: 1").replace("/probe.sh", "/notes.txt")
    found = only("invalid-embedded-config", before, probe(body).replace("/probe.sh", target))
    assert (found.level, found.at.line) == (level, line - 1)


MADE = (
    Generated(files=("prod/made.yaml",), sources=("prod/main.yaml",), command="make it", at=Place.of_line("conf", 1)),
)


def pair(main: str, made: str) -> Files:
    text = "services:\n  engine:\n    image: registry.example/engine:%s\n"
    return {"prod/main.yaml": text % main, "prod/made.yaml": text % made + "    labels: {tier: canary}\n"}


def test_without_a_word_in_the_configuration_no_file_is_generated() -> None:
    assert findings("generated-file-drift", pair("1", "1"), pair("2", "1")) == []


def test_a_generated_file_that_carries_the_change_is_left_alone() -> None:
    assert findings("generated-file-drift", pair("1", "1"), pair("2", "2"), generated=MADE) == []
    other = {**pair("1", "1"), "prod/other.yaml": "services: {a: {image: a}}\n"}
    assert findings("generated-file-drift", pair("1", "1"), other, generated=MADE) == []


def test_a_source_that_went_ahead_names_the_command() -> None:
    found = only("generated-file-drift", pair("1", "1"), pair("2", "1"), generated=MADE)
    assert found.at.file == "prod/made.yaml"
    assert "`make it`" in found.do


ENGINES = {
    f"prod/{name}.yaml": f"services:\n  {name}:\n    image: vllm/vllm-openai:1\n    command: acme/{name}-model\n"
    for name in ("meadow", "brook")
}
MOVED = {path: text.replace("openai:1", "openai:2") for path, text in ENGINES.items()}


@pytest.mark.parametrize(
    "body",
    [
        "",  # nothing is said at all
        "Faster start.",  # nobody is named
        "meadow-model and brook-model start faster.",
        "meadow and the rest: all engines move.",
        "Moves prod/meadow.yaml and prod/brook.yaml.",
    ],
)
def test_a_text_that_speaks_of_all_or_of_none_announces_enough(body: str) -> None:
    assert findings("unannounced-scope", ENGINES, MOVED, body) == []


def test_labels_need_no_announcement() -> None:
    head = {**MOVED, "prod/brook.yaml": ENGINES["prod/brook.yaml"] + "    labels: {a: b}\n"}
    assert findings("unannounced-scope", ENGINES, head, "meadow-model starts faster.") == []


def test_an_engine_that_the_text_leaves_out_is_told() -> None:
    found = only("unannounced-scope", ENGINES, MOVED, "meadow-model starts faster.")
    assert found.service == "brook"
    assert "`prod/brook.yaml`" in found.says


CALLS = """\
services:
  proxy:
    image: registry.example/proxy:1
    environment: {BACKEND_URL: "http://engine:%s"}
  engine:
    image: %s
    command: acme/mini %s
"""
VLLM = "vllm/vllm-openai:1"


@pytest.mark.parametrize(
    "after",
    [
        CALLS % ("8001", VLLM, "--port 8001"),
        CALLS % ("${PORT}", VLLM, "--port 8001"),
        CALLS % ("8000", "registry.example/thing:1", ""),  # where it listens, nobody says
        CALLS % ("8000", VLLM, "--port 8001 --metrics-port 8000"),
        CALLS % ("8000", VLLM, "--port 8001") + '    expose: ["8000"]\n',
    ],
)
def test_a_port_that_is_listened_on_or_not_known_is_left_alone(after: str) -> None:
    assert findings("dangling-reference", CALLS % ("8000", VLLM, "--port 8000"), after) == []


def test_a_port_that_was_wrong_before_is_no_news() -> None:
    wrong = CALLS % ("9000", VLLM, "--port 8000")
    assert findings("dangling-reference", wrong, wrong.replace("proxy:1", "proxy:2")) == []


def test_a_port_that_moved_away_from_its_caller_is_told_at_the_caller() -> None:
    found = only("dangling-reference", CALLS % ("8000", VLLM, "--port 8000"), CALLS % ("8000", VLLM, "--port 8001"))
    assert found.at.line == 4
    assert "on port `8000`" in found.says
    assert "listens on `8001`" in found.says


def test_a_port_that_nginx_gave_up_is_told() -> None:
    door = CALLS % ("80", "nginx:1", "") + "    configs: [{source: site, target: /etc/nginx/conf.d/a.conf}]\n"
    before = door + "configs:\n  site:\n    content: |\n      server { listen 80; }\n"
    assert findings("dangling-reference", before, before.replace("listen 80", "listen 0.0.0.0:80")) == []
    found = only("dangling-reference", before, before.replace("listen 80", "listen 8080"))
    assert "listens on `8080`" in found.says


WEB = "services:\n  web:\n    image: registry.example/web:1\n"
SCRIPT = {"scripts/check.sh": "echo ok\n"}


def naming(line: str, path: str = ".github/workflows/check.yml") -> Files:
    return {"compose.yaml": WEB, path: f"on: push\n{line}\n"}


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({**naming("# sh scripts/check.sh"), **SCRIPT}, naming("# sh make check")),
        ({**naming("# other/check.sh"), **SCRIPT}, naming("# other/check.sh")),  # another folder's
        ({**naming("# check.sh"), **SCRIPT, "b/check.sh": "x"}, {**naming("# check.sh"), "b/check.sh": "x"}),
        ({**naming("# x", "CHANGES.md"), **SCRIPT}, naming("# x", "CHANGES.md")),
        (naming("# scripts/check.sh"), naming("# scripts/check.sh")),  # it never was there
        (naming("# x") | SCRIPT, naming("# instead of scripts/check.sh")),  # written by this change
        ({**naming("# recheck.sh check.sh.old"), **SCRIPT}, naming("# recheck.sh check.sh.old")),
    ],
)
def test_names_that_lead_elsewhere_or_were_just_written_are_left_alone(base: Files, head: Files) -> None:
    assert findings("dangling-reference", base, head) == []


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("# sh scripts/check.sh", ".github/workflows/check.yml"),
        ("# ${ROOT}/scripts/check.sh", "run.sh"),
        ("# ./check.sh --all", "scripts/all.sh"),
        ("# ../scripts/check.sh", "other/all.sh"),
        ("# see check.sh", "compose.override.yaml"),
    ],
)
def test_a_file_that_is_gone_and_still_named_is_told_with_the_line(line: str, path: str) -> None:
    base = naming(line, path)
    found = only("dangling-reference", {**base, **SCRIPT}, base)
    assert (found.at.file, found.at.line) == (path, 2)
    assert "this change deletes" in found.says


def test_a_file_that_moved_is_told_with_its_new_place() -> None:
    base = naming("# sh scripts/check.sh")
    text = "".join(f"echo {number}\n" for number in range(20))
    found = only("dangling-reference", {**base, "scripts/check.sh": text}, {**base, "tools/check.sh": text})
    assert "It is now `tools/check.sh`" in found.says


def test_a_clean_up_of_many_files_is_looked_at_as_far_as_it_is_said() -> None:
    scripts = {f"scripts/{number}.sh": f"echo {number}\n" for number in range(MOST_GONE + 5)}
    base = naming("# sh scripts/0.sh") | scripts
    examined = examine(reading(base, naming("# sh scripts/0.sh")), Settings())
    assert [each.rule for each in examined.findings.findings] == ["dangling-reference"]
    (skipped,) = (each for each in examined.findings.checks if each.status is CheckStatus.SKIPPED)
    assert skipped.why == "55 files are renamed or deleted; looked for were the first 50"
