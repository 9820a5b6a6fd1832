"""`cache-eviction-hazard`: cleaning that a person starts and aims is quiet, the rest is not."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.rules.deploy.reviewing import findings, only

RULE = "cache-eviction-hazard"
ENGINE = """\
services:
  engine:
    image: vllm/vllm-openai
    command: --model /cache/hub/models--acme--mini/snapshots/1111111111111111111111111111111111111111
    volumes: [cache:/cache]
"""


def with_sweeper(body: str) -> str:
    return f"{ENGINE}  sweeper:\n    image: tool\n    volumes: [cache:/cache]\n{indent(body, '    ')}\nvolumes: {{cache: {{}}}}\n"


BASE = f"{ENGINE}volumes: {{cache: {{}}}}\n"


@pytest.mark.parametrize(
    "body",
    [
        "profiles: [maintenance]\nenvironment: ['M=${M:-}']\ncommand: sh -c 'rm -rf /cache/hub/models--$$M'",
        "profiles: [maintenance]\nenvironment: ['M=${M:?}']\ncommand: sh -c 'rm -rf /cache/hub/models--$$M'",
        "profiles: [maintenance]\ncommand: hf cache prune",
        "command: sh -c 'rm -rf /tmp/work && serve'",
        "command: sh -c 'rm -rf /cache/hub/.locks; serve'",
        "command: sh -c 'rm -f /cache/state.json; serve'",
        "command: sh -c 'rm -rf /cache/hub/models--acme--other && hf download acme/other'",
        "command: hf cache scan",
        "command: echo rm -rf /cache/hub/models--acme--mini",
    ],
)
def test_quiet(body: str) -> None:
    assert findings(RULE, BASE, with_sweeper(body)) == []


def test_what_base_had_is_not_new() -> None:
    text = with_sweeper("command: hf cache prune")
    assert findings(RULE, text, text.replace("image: tool", "image: tool:2")) == []


@pytest.mark.parametrize(
    "command",
    [
        "sh -c 'rm -rf /cache/hub/models--acme--old'",
        "sh -c 'rm -rf /cache/*'",
        "find /cache -mtime +30 -delete",
        "hf cache delete model/acme/old",
        "[huggingface-cli, delete-cache]",
    ],
)
def test_with_every_deploy(command: str) -> None:
    found = only(RULE, BASE, with_sweeper(f"command: {command}"))
    assert found.about == ("sweeper", "always")


@pytest.mark.parametrize("environment", ["['M=${M:-acme--old}']", "{M: acme--old}"])
def test_with_a_default(environment: str) -> None:
    body = f"profiles: [maintenance]\nenvironment: {environment}\ncommand: sh -c 'rm -rf /cache/hub/models--$$M'"
    assert only(RULE, BASE, with_sweeper(body)).about == ("sweeper", "default")


def test_what_an_engine_reads() -> None:
    body = "profiles: [maintenance]\ncommand: sh -c 'rm -rf /cache/hub/models--acme--mini'"
    found = only(RULE, BASE, with_sweeper(body))
    assert found.about == ("sweeper", "acme/mini")
    assert [each.at.line for each in found.related] == [4]
