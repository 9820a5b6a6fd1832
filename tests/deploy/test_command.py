"""The deploy command: what its flags decide, wherever they stand."""

from __future__ import annotations

import pytest

from bot.deploy.command import Recreate, read_command


def test_the_usual_command_removes_orphans_and_recreates_what_differs() -> None:
    found = read_command("docker compose up -d --remove-orphans")
    assert found.orphans_go
    assert found.recreate is Recreate.DIVERGED
    assert not found.unknown
    assert found.services == ()


def test_without_the_flag_orphans_stay() -> None:
    assert not read_command("docker compose up -d").orphans_go
    assert not read_command("docker compose up -d --remove-orphans=false").orphans_go


@pytest.mark.parametrize(
    "text",
    [
        "docker-compose -f prod/a.yaml up --detach --remove-orphans",
        "sudo /usr/bin/docker --context host compose up -d --remove-orphans",
        "cd /srv && git pull && docker compose pull && docker compose up -d --remove-orphans",
        "COMPOSE_REMOVE_ORPHANS=1 docker compose up -d",
        "docker compose pull; docker compose up -d --remove-orphans; docker image prune -f",
    ],
)
def test_the_up_is_found_among_what_stands_around_it(text: str) -> None:
    found = read_command(text)
    assert not found.unknown
    assert found.orphans_go


def test_values_of_options_are_no_services() -> None:
    found = read_command("docker compose -p pack --env-file x.env up -t 60 --scale web=3 --pull always engine proxy")
    assert found.services == ("engine", "proxy")
    assert found.project == "pack"
    assert found.timeout == 60
    assert found.scale == {"web": 3}


def test_profiles_come_from_options_and_from_the_environment() -> None:
    found = read_command("COMPOSE_PROFILES=a,b docker compose --profile c up -d")
    assert found.profiles == {"a", "b", "c"}


def test_bundled_short_options() -> None:
    found = read_command("docker compose up -dy")
    assert found.volumes_go


def test_forced_recreation_and_none() -> None:
    assert read_command("docker compose up -d --force-recreate").recreate is Recreate.ALWAYS
    assert read_command("docker compose up -d --no-recreate").recreate is Recreate.NEVER


def test_forced_recreation_does_not_reach_what_named_services_depend_on() -> None:
    found = read_command("docker compose up -d --force-recreate engine")
    assert found.dependencies is Recreate.DIVERGED


def test_down_before_and_restart_after() -> None:
    found = read_command("docker compose down && docker compose up -d && docker compose restart nginx")
    assert found.down_first
    assert found.restarted == ("nginx",)


@pytest.mark.parametrize("text", ["make deploy", "", "docker stack deploy -c a.yaml pack", "docker compose pull"])
def test_a_command_without_up_is_said_to_be_unknown(text: str) -> None:
    assert "no `docker compose up`" in read_command(text).unknown


def test_an_open_quote_is_said() -> None:
    assert "quotation" in read_command("docker compose up -d 'engine").unknown
