"""Rules about engines, downloads and GPUs, in other spellings than their pages use: near misses first."""

from __future__ import annotations

import pytest

from tests.rules.deploy.reviewing import findings

EMPTY = "services:\n  lone: {image: l}\n"
SHA = "1" * 40


def gpus(name: str, ids: str, more: str = "") -> str:
    return (
        f"  {name}:\n    image: vllm/vllm-openai@sha256:{'a' * 64}\n    command: --model acme/{name} {more}\n"
        f"    shm_size: 8g\n"
        f"    deploy: {{resources: {{reservations: {{devices: [{{driver: nvidia, device_ids: {ids}, capabilities: [gpu]}}]}}}}}}\n"
    )


def two(one: str, other: str) -> str:
    return f"services:\n{one}{other}"


def fetching(script: str, more: str = "") -> str:
    return f"services:\n  fetch:\n    image: tool\n    restart: 'no'\n    entrypoint: [sh, -c]\n    command: ['{script}']\n{more}"


def plain(name: str, body: str) -> str:
    return f"  {name}:\n    image: i\n    {body}\n"


ENGINE = "  engine:\n    image: vllm/vllm-openai\n    command: --model acme/large --served-model-name large\n    ports: ['8000']\n"


def proxy(name: str, backend: str = "http://engine:8000") -> str:
    return f"services:\n{ENGINE}  proxy:\n    image: registry.example/llm-proxy\n    environment: ['MODEL_NAME={name}', 'BACKEND_URL={backend}']\n"


QUIET = {
    "gpu-overlap": [
        two(gpus("a", "['0', '1']"), gpus("b", "['2', '3']")),
        two(gpus("a", "['0']"), gpus("b", "['0']").replace("    shm_size", "    profiles: [spare]\n    shm_size")),
    ],
    "parallelism-mismatch": [
        two(gpus("a", "['0', '1']", "--tensor-parallel-size 2"), ""),
        two(gpus("a", "['0', '1', '2', '3']", "-tp 2 -pp 2"), ""),
        two(gpus("a", "['0', '1']", "-tp $${TP}"), ""),
    ],
    "port-clash": [
        two(plain("a", "ports: ['8000:80']"), plain("b", "ports: ['8001:80']")),
        two(plain("a", "ports: ['127.0.0.1:8000:80']"), plain("b", "ports: ['127.0.0.2:8000:80']")),
        two(plain("a", "ports: ['8000:80/tcp']"), plain("b", "ports: ['8000:80/udp']")),
    ],
    "unpinned-download": [
        fetching(f"hf download acme/mini --revision {SHA}"),
        fetching("echo hf download acme/mini"),
    ],
    "offline-downloader": [
        fetching(f"hf download acme/mini --revision {SHA}"),
        "services:\n  engine: {image: vllm/vllm-openai, command: --model acme/mini, environment: {HF_HUB_OFFLINE: '1'}}\n",
    ],
    "served-name-mismatch": [proxy("large"), proxy("other", "http://elsewhere:8000")],
    "number-coerced": [
        two(plain("a", "environment: {V: '1.10', N: 4, T: true}"), ""),
        two(plain("a", "environment: ['V=1.10', 'M=0777']"), ""),
    ],
    "shared-memory-lost": [
        two(gpus("a", "['0', '1']", "-tp 2"), ""),
        two(gpus("a", "['0', '1']", "-tp 2").replace("shm_size: 8g", "ipc: host"), ""),
    ],
}
LOUD = {
    "gpu-overlap": [
        two(gpus("a", "['0', '1']"), gpus("b", "['1', '2']")),
        two(gpus("a", "['0']"), gpus("b", "[\"0\"]")),
    ],
    "parallelism-mismatch": [
        two(gpus("a", "['0', '1']", "--tensor-parallel-size 4"), ""),
        two(gpus("a", "['0']", "-tp=2"), ""),
    ],
    "port-clash": [
        two(plain("a", "ports: ['8000:80']"), plain("b", "ports: [{target: 81, published: '8000'}]")),
        two(plain("a", "ports: ['8000:80']"), plain("b", "ports: ['127.0.0.1:8000:80']")),
    ],
    "unpinned-download": [
        fetching("hf download acme/mini"),
        fetching("set -e; huggingface-cli download acme/mini --revision main"),
    ],
    "offline-downloader": [
        fetching(f"hf download acme/mini --revision {SHA}", "    environment: {HF_HUB_OFFLINE: 1}\n"),
        fetching(f"hf download acme/mini --revision {SHA}", "    environment: ['HF_HUB_OFFLINE=true']\n"),
    ],
    "served-name-mismatch": [proxy("small"), proxy("acme/small")],
    "number-coerced": [
        two(plain("a", "environment: {V: 1.10}"), ""),
        two(plain("a", "labels: {mode: 0777}"), ""),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in QUIET.items() for text in texts])
def test_quiet(rule: str, text: str) -> None:
    assert findings(rule, EMPTY, text) == []


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in LOUD.items() for text in texts])
def test_loud(rule: str, text: str) -> None:
    (found,) = findings(rule, EMPTY, text)
    assert found.says
    assert found.do


def test_shared_memory_that_is_taken_away_is_missed() -> None:
    before = two(gpus("a", "['0', '1']", "-tp 2"), "")
    (found,) = findings("shared-memory-lost", before, before.replace("    shm_size: 8g\n", ""))
    assert found.service == "a"


@pytest.mark.parametrize("rule", [*LOUD])
def test_what_base_had_is_not_new(rule: str) -> None:
    text = LOUD[rule][0]
    assert findings(rule, text, f"# a comment\n{text}") == []
