"""What a service is for, from its image, its commands, what it serves and its name, in this order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from bot.model.facts import Command, Download, ImageRef, Role, Serving, Upstream
from bot.model.service import Service

_IMAGES: Sequence[tuple[re.Pattern[str], Role]] = (
    (
        re.compile(
            r"(?:^|/)(?:postgres|postgresql|pgvector|timescaledb|mysql|mariadb|mongo|redis|valkey|clickhouse|cassandra|elasticsearch|opensearch|qdrant|milvus|weaviate|memcached|etcd|influxdb|neo4j)[\w-]*$"
        ),
        Role.DATABASE,
    ),
    (
        re.compile(
            r"prometheus|grafana|otel|opentelemetry|dcgm|exporter|cadvisor|datadog|vector$|fluent|loki|tempo|jaeger|telegraf|alertmanager|promtail|collector"
        ),
        Role.TELEMETRY,
    ),
    (re.compile(r"(?:^|/)(?:nginx|openresty|caddy|traefik|haproxy|envoy|httpd|apache)[\w-]*$"), Role.WEB_SERVER),
    (re.compile(r"litellm|(?:^|[/_-])proxy|-proxy|router|gateway"), Role.PROXY),
)
_NAMES: Sequence[tuple[re.Pattern[str], Role]] = (
    (re.compile(r"registrar|registrator|register"), Role.REGISTRAR),
    (re.compile(r"download|prefetch|fetch-model|model-init"), Role.DOWNLOADER),
    (
        re.compile(
            r"(?:^|[-_])(?:otel|otelcol|dcgm|prometheus|grafana|metrics|exporter|telemetry|monitoring|datadog|loki)"
        ),
        Role.TELEMETRY,
    ),
    (re.compile(r"(?:^|[-_])(?:nginx|caddy|traefik|haproxy|envoy|edge|ingress)(?:$|[-_])"), Role.WEB_SERVER),
    (re.compile(r"(?:^|[-_])(?:proxy|router|gateway|litellm)(?:$|[-_])"), Role.PROXY),
    (re.compile(r"cleanup|backup|maintenance|migrate|prune|evict"), Role.MAINTENANCE),
    (re.compile(r"(?:^|[-_])(?:engine|vllm|sglang|llama|tgi|inference|model)(?:$|[-_])"), Role.ENGINE),
    (re.compile(r"(?:^|[-_])(?:db|database|postgres|redis|mysql|mongo)(?:$|[-_])"), Role.DATABASE),
)
_UPKEEP = re.compile(r"maintenance|cleanup|backup|manual|ops|tools?")
_REGISTERING = re.compile(r"/(?:un)?register(?:/|$|\b)")


class Known(Protocol):
    """The facts that tell a role. They are asked in turn: the later ones cost more."""

    @property
    def image(self) -> ImageRef | None: ...
    @property
    def commands(self) -> tuple[Command, ...]: ...
    @property
    def downloads(self) -> tuple[Download, ...]: ...
    @property
    def servings(self) -> tuple[Serving, ...]: ...
    @property
    def upstreams(self) -> tuple[Upstream, ...]: ...


def role(service: Service, known: Known) -> Role:
    """The first that tells: what it does, what its image is, what it is called."""
    if any(serving.engine or serving.model for serving in known.servings):
        return Role.ENGINE
    if known.downloads and service.restart in ("no", "on-failure"):
        return Role.DOWNLOADER
    if any(_UPKEEP.fullmatch(profile) for profile in service.profiles) and not service.ports:
        return Role.MAINTENANCE
    if _registers(service, known):
        return Role.REGISTRAR
    repository = known.image.repository if known.image is not None else ""
    by_image = next((role for pattern, role in _IMAGES if pattern.search(repository)), None)
    if by_image is not None:
        return by_image
    by_name = next((role for pattern, role in _NAMES if pattern.search(service.name)), None)
    if by_name is not None:
        return by_name
    if known.servings and known.upstreams:
        return Role.PROXY  # it stands for a model and talks to somebody who serves it
    return Role.ENGINE if service.reservations and not known.servings else Role.OTHER


def _registers(service: Service, known: Known) -> bool:
    """A loop of requests that announce an endpoint somewhere."""
    if "regist" in service.name:
        return True
    asked = (word.text for command in known.commands if command.name == "curl" for word in command.argv)
    return any(_REGISTERING.search(text) for text in asked) or (
        _speaks_of_it(service) and any(_REGISTERING.search(upstream.path) for upstream in known.upstreams)
    )


def _speaks_of_it(service: Service) -> bool:
    """Whether the word stands anywhere: most services need not be read for addresses then."""
    texts = (value.as_text for _, value in service.value.walk())
    return any("register" in text for text in (*service.bodies.values(), *texts))
