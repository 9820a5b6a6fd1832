"""What a service serves, is for, is made of and talks to."""

from __future__ import annotations

import pytest

from bot.model.facts import Role
from tests.facts.reading import facts, serving

SNAPSHOT = "/root/.cache/huggingface/hub/models--acme--large/snapshots/abc"


@pytest.mark.parametrize(
    "service",
    [
        "image: redis\ncommand: redis-server --save 60",
        "image: registry.example/app",
        "image: registry.example/app\ncommand: run --port 8000",
        "image: registry.example/app\nenvironment: {MODEL_NAME: ''}",
        "image: registry.example/app\nenvironment: {MODEL_NAME: '${MODEL:-}'}",
        "image: registry.example/app\ncommand: sh -c 'echo --model acme/large'",
    ],
)
def test_what_serves_no_model(service: str) -> None:
    assert facts(service).servings == ()


@pytest.mark.parametrize(
    ("service", "engine", "repository", "revision", "names", "parallel"),
    [
        ("image: vllm/vllm-openai\ncommand: --model acme/large --served-model-name a b -tp 4", "vllm", "acme/large", None, ("a", "b"), 4),
        ("image: vllm/vllm-openai\ncommand: [--model=acme/large, --revision=abc, --tp=2, --pp=2, --dp=2]", "vllm", "acme/large", "abc", (), 8),
        ("image: vllm/vllm-openai\nentrypoint: [vllm, serve]\ncommand: acme/large --trust-remote-code", "vllm", "acme/large", None, (), None),
        ("image: own\ncommand: python3 -m sglang.launch_server --model-path acme/large --tp 8 --dp 8 --enable-dp-attention", "sglang", "acme/large", None, (), 8),
        (f"image: own\ncommand: bash -c 'exec python3 -m sglang.launch_server --model-path {SNAPSHOT}'", "sglang", "acme/large", "abc", (), None),
        ("image: ghcr.io/huggingface/text-generation-inference\ncommand: --model-id acme/large --num-shard 2", "tgi", "acme/large", None, (), 2),
        ("image: ghcr.io/huggingface/text-generation-inference\nenvironment: [MODEL_ID=acme/large]", "tgi", "acme/large", None, ("acme/large",), None),
        ("image: ghcr.io/ggml-org/llama.cpp:server\ncommand: -m /models/x.gguf --alias small", "llama.cpp", None, None, ("small",), None),
        ("image: nvcr.io/nvidia/tritonserver:24.01-py3\ncommand: tritonserver --model-repository=/models", "triton", None, None, (), None),
        ("image: ollama/ollama\ncommand: serve", "ollama", None, None, (), None),
    ],
)  # fmt: skip
def test_engines(
    service: str,
    engine: str,
    repository: str | None,
    revision: str | None,
    names: tuple[str, ...],
    parallel: int | None,
) -> None:
    found = serving(facts(service))
    assert (found.engine, found.repository, found.revision) == (engine, repository, revision)
    assert (found.names, found.parallel) == (names, parallel)


def test_a_number_that_is_none_is_not_guessed() -> None:
    assert serving(facts("image: vllm/vllm-openai\ncommand: --model a/b -tp ${TP}")).parallel is None
    assert serving(facts('image: vllm/vllm-openai\ncommand: [--model, a/b, -tp, "²"]')).parallel is None


@pytest.mark.parametrize(
    ("service", "role"),
    [
        ("image: registry.example/app", Role.OTHER),
        ("image: postgres:16", Role.DATABASE),
        ("image: nginx:1.27", Role.WEB_SERVER),
        ("image: caddy", Role.WEB_SERVER),
        ("image: prom/prometheus", Role.TELEMETRY),
        ("image: otel/opentelemetry-collector-contrib", Role.TELEMETRY),
        ("image: ghcr.io/berriai/litellm", Role.PROXY),
        ("image: registry.example/app\nenvironment: {MODEL_NAME: a/b, BACKEND: 'http://engine:8000'}", Role.PROXY),
        ("image: own\nrestart: 'no'\ncommand: hf download a/b", Role.DOWNLOADER),
        ("image: own\nprofiles: [maintenance]\ncommand: hf cache delete", Role.MAINTENANCE),
        ("image: vllm/vllm-openai\ncommand: --model a/b", Role.ENGINE),
    ],
)
def test_roles(service: str, role: Role) -> None:
    assert facts(service).role is role


@pytest.mark.parametrize(
    ("text", "name", "tag", "digest", "known"),
    [
        ("nginx", "docker.io/library/nginx", None, None, True),
        ("nginx:1.27", "docker.io/library/nginx", "1.27", None, True),
        ("localhost:5000/app:v1", "localhost:5000/app", "v1", None, True),
        (f"ghcr.io/acme/app:v1@sha256:{'a' * 64}", "ghcr.io/acme/app", "v1", f"sha256:{'a' * 64}", True),
        ("ghcr.io/acme/app@sha256:abc", None, None, None, False),
        ("ghcr.io/acme/app@md5:abc", None, None, None, False),
        ("Not An Image", None, None, None, False),
        ("ghcr.io/Acme/App", None, None, None, False),
        ("a" * 64, None, None, None, False),
    ],
)
def test_images(text: str, name: str | None, tag: str | None, digest: str | None, known: bool) -> None:
    found = facts(f"image: '{text}'").image
    assert found is not None
    assert (found.known, found.text) == (known, text)
    if known:
        assert (found.name, found.tag, found.digest) == (name, tag, digest)


def hosts(service: str, more: str = "") -> list[tuple[str, str | None]]:
    return [(each.host, each.port) for each in facts(service, more).upstreams]


@pytest.mark.parametrize(
    "service",
    [
        "image: a\nenvironment: {NAME: 'just text: 80'}",
        "image: a\nenvironment: {URL: 'http://127.0.0.1:80/'}",
        "image: a\nenvironment: {URL: 'unix:///run/x.sock'}",
        "image: a\nenvironment: {TIME: '10:30'}",
    ],
)
def test_what_is_no_address(service: str) -> None:
    assert hosts(service) == []


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ("image: a\nenvironment: {URL: 'http://engine:8000/v1'}", [("engine", "8000")]),
        ("image: a\nenvironment: {DATABASE_URL: 'postgres://u:p@db:5432/x'}", [("db", "5432")]),
        ("image: a\nenvironment: {REDIS_HOST: 'cache:6379'}", [("cache", "6379")]),
        ("image: a\ncommand: [--backend, 'http://engine:8000']", [("engine", "8000")]),
        ("image: a\nlabels: {target: 'http://engine:8000/metrics'}", [("engine", "8000")]),
        ("image: a\nhealthcheck: {test: [CMD, curl, 'http://other:80/']}", [("other", "80")]),
    ],
)
def test_addresses(service: str, expected: list[tuple[str, str | None]]) -> None:
    assert hosts(service) == expected


NGINX = """\
configs:
  site:
    content: |
      upstream pool { server one:8000; server two:8000; }
      server {
        # proxy_pass http://old:1;
        location / { proxy_pass http://pool; }
        location /b { proxy_pass http://three:8000/x; }
        location /c { set $$to http://four:8000; proxy_pass $$to; }
      }
"""


def test_an_nginx_config_names_its_upstreams_and_which_are_looked_up_once() -> None:
    service = "image: nginx\nconfigs: [{source: site, target: /etc/nginx/conf.d/site.conf}]"
    found = {each.host: each.literal for each in facts(service, NGINX).upstreams}
    assert found == {"one": True, "two": True, "three": True, "four": False}
