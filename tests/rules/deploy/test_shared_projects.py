"""`shared-project-orphans` and `project-renamed`: what a project's name decides."""

from __future__ import annotations

from bot.model.finding import Level
from tests.rules.deploy.reviewing import findings, only

RULE = "shared-project-orphans"
A, B = "services:\n  a: {image: i}\n", "services:\n  b: {image: i}\n"


def test_variants_of_the_standard_name_belong_together() -> None:
    assert findings(RULE, {"compose.yaml": A}, {"compose.yaml": A, "compose.prod.yaml": B}) == []


def test_a_name_of_its_own_keeps_them_apart() -> None:
    assert findings(RULE, {"prod/a.yaml": A}, {"prod/a.yaml": A, "prod/b.yaml": "name: b\n" + B}) == []


def test_a_change_of_a_file_that_shared_its_name_before_is_no_news() -> None:
    old = {"prod/a.yaml": A, "prod/b.yaml": B}
    assert findings(RULE, old, {**old, "prod/b.yaml": B.replace("i}", "j}")}) == []


def test_a_second_file_of_one_folder() -> None:
    found = only(RULE, {"prod/a.yaml": A}, {"prod/a.yaml": A, "prod/b.yaml": B})
    assert (found.level, found.at.file, found.about) == (Level.WARNING, "prod/b.yaml", ("prod",))
    assert "stops and removes `a`" in found.says


def test_two_folders_of_one_name() -> None:
    assert only(RULE, {"x/prod/a.yaml": A}, {"x/prod/a.yaml": A, "y/prod/b.yaml": B}).level is Level.WARNING


def test_a_file_that_loses_its_own_name() -> None:
    old = {"prod/a.yaml": A, "prod/b.yaml": "name: b\n" + B}
    assert only(RULE, old, {"prod/a.yaml": A, "prod/b.yaml": B}).about == ("prod",)


def test_it_is_a_note_where_it_is_meant() -> None:
    old, new = {"prod/a.yaml": A}, {"prod/a.yaml": A, "prod/b.yaml": B}
    assert only(RULE, old, new, one_file_per_host=True).level is Level.NOTE
    assert only(RULE, old, new, deploy="docker compose up -d").level is Level.NOTE
    three = {"prod/a.yaml": A, "prod/c.yaml": A.replace("a:", "c:"), "prod/d.yaml": A.replace("a:", "d:")}
    assert only(RULE, three, {**three, "prod/b.yaml": B}).level is Level.NOTE


NAMED = "services:\n  web: {image: i, container_name: web, volumes: ['data:/data']}\nvolumes:\n  data: {}\n"


def test_a_volume_with_a_name_of_its_own_is_no_twin() -> None:
    text = NAMED.replace("data: {}", "data: {name: kept}")
    found = only("project-renamed", text, "name: serving\n" + text)
    assert "start anew" not in found.says


def test_a_renamed_project_says_what_stays_what_fails_and_what_starts_empty() -> None:
    found = only("project-renamed", NAMED, "name: serving\n" + NAMED)
    assert found.about == ("prod", "serving")
    assert "1 container of the old name keeps running (`web`)" in found.says
    assert "`web` cannot start beside them" in found.says
    assert "The volumes `data` start anew, empty" in found.says
    assert (found.at.line, found.level) == (1, Level.WARNING)


def test_a_renamed_project_is_not_said_again_by_the_rule_of_volumes() -> None:
    assert findings("volume-left-behind", NAMED, "name: serving\n" + NAMED) == []
