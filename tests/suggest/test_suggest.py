"""Mined conventions as contracts: they load, they hold, and they name exactly those who go without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.run import compose_review

COLLECTOR = """\
configs:
  collect:
    content: |
      receivers: {otlp: {}, filelog: {}}
      exporters: {debug: {}}
      service: {pipelines: {logs: {receivers: [filelog], exporters: [debug]}}}
  door:
    content: |
      server {
        listen 80;
        location = /health { return 200; }
        location ~ ^/v1/  { proxy_pass http://engine:8000; }
      }
"""


def pack(index: int, labels: str = "{team: a, 'odd \"label\"': b}", receivers: str = "{otlp: {}, filelog: {}}") -> str:
    return (
        f"services:\n  engine-{index}:\n    image: vllm/vllm-openai:v{index}\n    command: --model acme/m{index}\n"
        f"    init: true\n    labels: {labels}\n    logging: {{options: {{max-size: 10m}}}}\n"
        f"  collector-{index}:\n    image: otel/opentelemetry-collector:1\n"
        "    configs: [{source: collect, target: /etc/otel.yaml}]\n"
        f"  door-{index}:\n    image: nginx:1\n    configs: [{{source: door, target: /etc/nginx/conf.d/default.conf}}]\n"
        + COLLECTOR.replace("{otlp: {}, filelog: {}}", receivers, 1)
    )


def tree(folder: Path, packs: dict[str, str]) -> Path:
    for name, text in packs.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "tree"


def alike(count: int) -> dict[str, str]:
    return {f"prod/{index}.yaml": pack(index) for index in range(count)}


def suggest(where: Path, *more: object) -> str:
    ran = compose_review("contracts", "suggest", where, *more)
    assert ran.code == 0
    return ran.out


@pytest.mark.parametrize("count", [0, 1, 3])
def test_fewer_than_four_peers_have_no_conventions(tmp_path: Path, count: int) -> None:
    where = tree(tmp_path, {"README.md": "x", **alike(count)})
    assert suggest(where).startswith("# Nothing")
    assert json.loads(suggest(where, "--format", "json")) == {"contracts": [], "left": 0}


def test_what_peers_do_not_share_is_no_convention(tmp_path: Path) -> None:
    packs = {f"prod/{index}.yaml": pack(index, labels=f"{{own-{index}: x}}") for index in range(5)}
    found = suggest(tree(tmp_path, packs))
    assert "own-" not in found
    assert '"init"' in found


def test_what_all_share_is_a_contract_that_loads_and_holds(tmp_path: Path) -> None:
    where = tree(tmp_path, alike(5))
    config = tmp_path / "suggested.yaml"
    config.write_text(suggest(where))
    assert "mostly" not in config.read_text()
    for word in ("team", "max-size", "filelog", "logs", "/etc/otel.yaml", '"= /health"', '"~ ^/v1/"'):
        assert word in config.read_text()
    assert "# 5 of 5" in config.read_text()
    ran = compose_review("contracts", "check", "--config", config, where, "--format", "json")
    assert ran.code == 0
    statuses = {each["status"] for each in json.loads(ran.out)["contracts"]}
    assert statuses == {"passed"}


def test_who_goes_without_is_named_by_the_text_and_by_the_contract(tmp_path: Path) -> None:
    packs = {
        **alike(7),
        "prod/7.yaml": pack(7, labels="{'odd \"label\"': b}"),
        "prod/8.yaml": pack(8, receivers="{otlp: {}}"),
    }
    where = tree(tmp_path, packs)
    config = tmp_path / "suggested.yaml"
    config.write_text(suggest(where))
    assert "# 8 of 9; not engine-7 (prod/7.yaml:2" in config.read_text()
    ran = compose_review("contracts", "check", "--config", config, where, "--format", "json", "--fail-on", "warning")
    assert ran.code == 1
    broken = {
        (each["id"], violation["file"], violation["message"])
        for each in json.loads(ran.out)["contracts"]
        for violation in each["violations"]
    }
    assert broken == {
        ("engines-in-prod-mostly", "prod/7.yaml", "engine-7 lacks the label team"),
        ("files-in-prod-mostly", "prod/8.yaml", "prod/8.yaml lacks the receiver filelog"),
    }
    assert compose_review("contracts", "check", "--config", config, where).code == 0  # they only warn


def test_none_of_them_is_vacuous(tmp_path: Path) -> None:
    where = tree(tmp_path, alike(4))
    config = tmp_path / "suggested.yaml"
    config.write_text(suggest(where))
    assert compose_review("contracts", "test", "--config", config, where, "--jobs", "1").code == 0


def test_what_is_stated_already_is_not_suggested_again(tmp_path: Path) -> None:
    where = tree(tmp_path, alike(5))
    config = tmp_path / "suggested.yaml"
    config.write_text(suggest(where))
    assert suggest(where, "--config", config).startswith("# Nothing")


def test_support_is_told_as_data(tmp_path: Path) -> None:
    found = json.loads(suggest(tree(tmp_path, alike(5)), "--format", "json"))
    engines = next(each for each in found["contracts"] if each["id"] == "engines-in-prod")
    assert engines["level"] == "error"
    assert {"kind": "the label", "name": "team", "having": 5, "peers": 5, "without": []} in engines["support"]
