"""`config-not-applied`, `stale-upstream` and `unannounced-recreate`: what a deploy does not, or does too much."""

from __future__ import annotations

import pytest

from bot.model.finding import Certainty, Level
from tests.deploy.estates import PATH
from tests.rules.deploy.reviewing import findings, only

SITE = """\
services:
  nginx:
    image: nginx:1
    configs: [{source: site, target: /etc/nginx/conf.d/default.conf}]
  engine:
    image: engine:1
    container_name: engine-main
configs:
  site:
    content: |
      server {
        listen 80;
        location / { proxy_pass http://engine-main:8000; }
      }
"""


@pytest.mark.parametrize("said", ["Deploy with --force-recreate nginx.", "compose/up with force_recreate: true"])
def test_who_forces_it_knows(said: str) -> None:
    assert findings("config-not-applied", SITE, SITE.replace("listen 80", "listen 81"), said) == []


@pytest.mark.parametrize("said", ["", "compose/up with `force_recreate: false`", "force_recreate=false"])
def test_who_does_not_force_it_is_told(said: str) -> None:
    found = only("config-not-applied", SITE, SITE.replace("listen 80", "listen 81"), said)
    assert (found.level, found.about, found.at.line) == (Level.WARNING, ("site",), 12)
    assert "`docker compose -f prod/pack.yaml up -d --force-recreate nginx`" in found.do


def test_the_same_config_in_two_files_is_one_finding() -> None:
    changed = SITE.replace("listen 80", "listen 81")
    found = only("config-not-applied", {PATH: SITE, "lab/b.yaml": SITE}, {PATH: changed, "lab/b.yaml": changed})
    assert "`site` changes in 2 files" in found.says
    assert "`docker compose up -d --force-recreate nginx`" in found.do


def test_telemetry_is_context() -> None:
    watch = SITE.replace(
        "  nginx:\n    image: nginx:1", "  otelcol:\n    image: otel/opentelemetry-collector-contrib:0.1"
    )
    assert only("config-not-applied", watch, watch.replace("listen 80", "listen 81")).level is Level.NOTE


def test_a_recreated_upstream_is_known_by_its_container_name() -> None:
    found = only("stale-upstream", SITE, SITE.replace("engine:1", "engine:2"))
    assert (found.level, found.about, found.at.line) == (Level.WARNING, ("nginx", "engine"), 13)


def test_several_servers_that_are_kept_are_spoken_of_as_several() -> None:
    two = {PATH: SITE, "lab/b.yaml": SITE.replace("  nginx:\n", "  edge:\n")}
    after = {path: text.replace("engine:1", "engine:2") for path, text in two.items()}
    found = only("stale-upstream", two, after)
    assert "`edge` and `nginx` are kept in 2 files while `engine` is recreated: they resolved that name" in found.says
    assert "when they started, and may answer 502, until they are reloaded" in found.says


def test_a_changed_server_config_is_stale_twice() -> None:
    after = SITE.replace("engine:1", "engine:2").replace("listen 80", "listen 81")
    assert only("stale-upstream", SITE, after).service == "nginx"


def test_nothing_is_stale_where_no_upstream_is_recreated() -> None:
    assert findings("stale-upstream", SITE, SITE.replace("listen 80", "listen 81")) == []


def test_a_server_that_reloads_itself_is_context() -> None:
    text = SITE.replace(
        "nginx:1",
        "nginx:1\n    command: /bin/sh -c 'while :; do sleep 6h; nginx -s reload; done & nginx -g \"daemon off;\"'",
    )
    found = only("stale-upstream", text, text.replace("engine:1", "engine:2"))
    assert found.level is Level.NOTE
    assert "up to 6h later" in found.says


def labelled(team: str, engines: int = 3) -> str:
    lines = [f"x-l: &l {{team: {team}}}", "services:"]
    lines.extend(
        f"  engine-{number}: {{image: vllm, command: vllm serve acme/tiny, labels: *l}}" for number in range(engines)
    )
    return "\n".join([*lines, ""])


def test_a_label_of_few_services_is_no_surprise() -> None:
    assert findings("unannounced-recreate", labelled("a", 2), labelled("b", 2)) == []


def test_a_real_change_beside_the_label_is_a_reason() -> None:
    assert findings("unannounced-recreate", labelled("a"), labelled("b").replace("image: vllm", "image: vllm:2")) == []


@pytest.mark.parametrize(
    "said", ["All engines are recreated.", "Needs a rolling restart", "Rolled out host by host: rollout tonight"]
)
def test_who_announces_it_knows(said: str) -> None:
    assert findings("unannounced-recreate", labelled("a"), labelled("b"), said) == []


def test_a_denial_is_no_announcement() -> None:
    assert only("unannounced-recreate", labelled("a"), labelled("b"), "No engine is restarted.").about == ("labels",)


def test_one_finding_counts_all_of_them() -> None:
    old, new = labelled("a", 5), labelled("b", 5)
    found = only("unannounced-recreate", {PATH: old, "lab/b.yaml": old}, {PATH: new, "lab/b.yaml": new})
    assert "for 10 engines in 2 files" in found.says
    assert found.at.line == 1 or found.at.line == 3


MOUNTED = "services:\n  proxy: {image: p, volumes: ['./proxy.toml:/etc/proxy.toml:ro', './data:/data']}\n"


def mounted(toml: str, text: str = MOUNTED, **more: str) -> dict[str, str]:
    return {"prod/a.yaml": text, "prod/proxy.toml": toml, **more}


def test_files_that_nobody_mounts_or_that_are_new_are_quiet() -> None:
    assert findings("config-not-applied", mounted("a"), mounted("a", **{"prod/other.toml": "x"})) == []
    assert findings("config-not-applied", {"prod/a.yaml": MOUNTED}, mounted("a")) == []
    profiled = MOUNTED.replace("{image", "{profiles: [x], image")
    assert findings("config-not-applied", mounted("a", profiled), mounted("b", profiled)) == []


def test_a_mounted_file_is_not_looked_into() -> None:
    found = only("config-not-applied", mounted("a\nb\n"), mounted("a\nc\n"))
    assert (found.level, found.certainty, found.about) == (
        Level.WARNING,
        Certainty.LIKELY,
        ("mounted", "prod/proxy.toml"),
    )
    assert (found.at.file, found.at.line) == ("prod/proxy.toml", 2)


def test_a_config_of_a_file_is_a_mounted_file() -> None:
    text = "services:\n  proxy: {image: p, configs: [c]}\nconfigs:\n  c: {file: ./proxy.toml}\n"
    assert only("config-not-applied", mounted("a", text), mounted("b", text)).service == "proxy"


def test_a_mounted_file_of_a_recreated_service_is_read_anew() -> None:
    assert findings("config-not-applied", mounted("a"), mounted("b", MOUNTED.replace("image: p", "image: q"))) == []
