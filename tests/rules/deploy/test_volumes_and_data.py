"""`volume-left-behind`, `volume-redefined` and `stateful-major-upgrade`: what becomes of data."""

from __future__ import annotations

import pytest

from bot.model.finding import Level
from tests.rules.deploy.reviewing import findings, only

BASE = "services:\n  db:\n    image: {}\n    volumes: ['data:/var/lib/data']\nvolumes:\n  data: {{}}\n"
PG = BASE.format("postgres:15-alpine")


@pytest.mark.parametrize(
    "after",
    [
        PG.replace("data:/var", "fast:/var").replace("data: {}", "fast: {name: prod_data}"),
        PG.replace("data:/var", "nfs:/var").replace(
            "data: {}", "nfs: {driver_opts: {type: nfs, device: ':/x', o: addr=1}}"
        ),
        PG.replace("data:/var", "./data:/var").replace("volumes:\n  data: {}\n", ""),
        PG.replace("['data:/var/lib/data']", "['data:/var/lib/data', 'more:/more']").replace(
            "data: {}", "data: {}\n  more: {}"
        ),
    ],
)
def test_data_that_is_still_reached_or_comes_from_elsewhere_is_quiet(after: str) -> None:
    assert findings("volume-left-behind", PG, after) == []


def test_a_volume_that_moves_to_another_target_is_kept() -> None:
    after = PG.replace("['data:/var/lib/data']", "['data:/elsewhere', 'more:/var/lib/data']").replace(
        "data: {}", "data: {}\n  more: {}"
    )
    assert findings("volume-left-behind", PG, after) == []


def test_a_new_key_at_the_same_target() -> None:
    found = only("volume-left-behind", PG, PG.replace("data:/var", "store:/var").replace("data: {}", "store: {}"))
    assert found.about == ("data", "store")
    assert "`db` gets the new, empty volume `prod_store` where `prod_data` was" in found.says
    assert "`name: prod_data`" in found.do


def test_a_volume_that_others_still_use_stays_where_it_is() -> None:
    before = PG.replace("volumes:\n  data", "  job: {image: j, volumes: ['data:/d']}\nvolumes:\n  data")
    after = before.replace("data:/var", "store:/var").replace("data: {}", "data: {}\n  store: {}")
    assert "its data stays where it is" in only("volume-left-behind", before, after).says


def test_a_definition_is_ignored_or_destroys() -> None:
    after = PG.replace("data: {}", "data: {labels: {a: b}}")
    quiet = only("volume-redefined", PG, after)
    assert (quiet.level, quiet.about) == (Level.WARNING, ("data", "labels"))
    loud = only("volume-redefined", PG, after, deploy="docker compose up -d -y")
    assert loud.level is Level.ERROR
    assert "deletes the volume" in loud.says


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("postgres:15-alpine", "postgres:15.8"),
        ("postgres:15", "postgres:latest"),
        ("postgres@sha256:" + "a" * 64, "postgres@sha256:" + "b" * 64),
        ("acme/api:1", "acme/api:2"),
        ("postgres:15", "acme/postgres-exporter:17"),
        ("pgvector/pgvector:0.7.0-pg16", "pgvector/pgvector:0.8.0-pg16"),
        ("redis:7.2", "redis:7.4"),
    ],
)
def test_no_major_version_moves(old: str, new: str) -> None:
    assert findings("stateful-major-upgrade", BASE.format(old), BASE.format(new)) == []


@pytest.mark.parametrize(
    ("old", "new", "level"),
    [
        ("postgres:15-alpine", "postgres:17-alpine", Level.ERROR),
        ("postgres:17", "pgvector/pgvector:pg18", Level.ERROR),
        ("timescale/timescaledb:2.17.2-pg16", "timescale/timescaledb:2.17.2-pg17", Level.ERROR),
        ("mysql:5.7", "mysql:8.4", Level.WARNING),
        ("mongo:7", "mongo:6", Level.ERROR),
        (
            "docker.elastic.co/elasticsearch/elasticsearch:7.17.1",
            "docker.elastic.co/elasticsearch/elasticsearch:8.1.0",
            Level.WARNING,
        ),
    ],
)
def test_a_major_version_moves_over_the_data(old: str, new: str, level: Level) -> None:
    assert only("stateful-major-upgrade", BASE.format(old), BASE.format(new)).level is level


def test_data_in_a_folder_of_the_host_is_kept_too() -> None:
    before = "services:\n  db: {image: 'postgres:15', volumes: ['/srv/pg:/var/lib/postgresql/data']}\n"
    assert only("stateful-major-upgrade", before, before.replace(":15", ":16")).service == "db"


def test_without_data_there_is_nothing_to_lose() -> None:
    before = "services:\n  db: {image: 'postgres:15'}\n"
    assert findings("stateful-major-upgrade", before, before.replace(":15", ":16")) == []
