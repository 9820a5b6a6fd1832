"""A violation stands on the line that somebody must change."""

from __future__ import annotations

import pytest

from tests.contracts.support import lines, one_check, violations

FILE = """\
services:
  web:
    image: registry.example/web:1
    restart: always
    environment:
      - MODE=fast
      - APP_LOG_LEVEL=debug
    labels:
      app.metrics.port: "9090"
      app.logs: '{"source": "web", "tags": ["env:prod"]}'
    depends_on:
      db:
        condition: service_healthy
    configs:
      - source: settings
  db:
    image: registry.example/db:1
configs:
  settings:
    content: |
      # settings
      server:
        port: 80
      jobs:
        - name: first
          path: /a
        - name: second
          path: /b
        - name: second
          path: /b
"""
WEB = 'select: service.name == "web"'


@pytest.mark.parametrize(
    ("check", "line"),
    [
        ('expression: service.restart == "no"', 4),
        ("expression: service.environment.MODE == 'slow'", 6),
        ("expression: service.labels['app.metrics.port'] == '1'", 9),
        ("expression: json(service.labels['app.logs']).source == 'x'", 10),
        ("for: name in service.depends_on\nexpression: name != 'db'", 12),
        ("expression: service.depends_on.all(n, n != 'db')", 11),
        ("expression: service.name == 'x'", 2),
        ("expression: size(service.profiles) > 0", 2),
        ("expression: size(service.ports) > 0", 2),
        ("expression: service.depends_on.db.condition == 'service_started'\nat: service.labels", 8),
        ("expression: 'false'", 2),
    ],
)
def test_the_longest_path_of_the_expression_tells_the_line(check: str, line: int) -> None:
    assert lines(one_check(check, WEB), FILE) == [line]


@pytest.mark.parametrize(
    ("check", "line"),
    [
        # The key is missing: the line of the key that begins like it, else of what should hold it.
        ("expression: '\"APP_LOG_FORMAT\" in service.environment'\nat: service.environment.APP_LOG_FORMAT", 7),
        ("expression: '\"REGION\" in service.environment'\nat: service.environment.REGION", 5),
        ("expression: '\"app.metrics.path\" in service.labels'\nat: service.labels['app.metrics.path']", 9),
        ("expression: has(service.logging)\nat: service.logging.options", 2),
    ],
)
def test_what_is_missing_is_shown_where_it_would_stand(check: str, line: int) -> None:
    assert lines(one_check(check, WEB), FILE) == [line]


def test_the_first_path_that_leads_to_its_end_wins() -> None:
    check = """\
    expression: "false"
    at:
      - service.logging.driver
      - service.labels["app.logs"]
    """
    assert lines(one_check(check, WEB), FILE) == [10]


def test_an_index_may_be_computed() -> None:
    check = """\
    for: name in ["MODE", "APP_LOG_LEVEL"]
    expression: service.environment[name] == ""
    at: service.environment[name]
    """
    assert lines(one_check(check, WEB), FILE) == [6, 7]


class TestWithinATextOfSeveralLines:
    CONFIG = "each: config"

    def test_yaml_by_its_keys(self) -> None:
        contract = "each: config\nvariables:\n  parsed: yaml(config.content)"
        check = "expression: variables.parsed.server.port == 81\nat: variables.parsed.server.port"
        assert lines(one_check(check, contract), FILE) == [23]

    def test_an_element_of_a_list(self) -> None:
        check = "for: j in yaml(config.content).jobs\nexpression: j.path != '/a'\nat: j.path"
        assert lines(one_check(check, self.CONFIG), FILE) == [26]

    def test_equal_elements_are_told_apart(self) -> None:
        check = "for: j in yaml(config.content).jobs\nexpression: j.name != 'second'\nat: j.name"
        assert lines(one_check(check, self.CONFIG), FILE) == [27, 29]

    def test_what_is_missing_in_it(self) -> None:
        check = "for: j in yaml(config.content).jobs.filter(x, x.path == '/a')\nexpression: has(j.port)\nat: j.port"
        assert lines(one_check(check, self.CONFIG), FILE) == [25]

    def test_what_a_regular_expression_finds(self) -> None:
        check = "for: c in captures(config.content, 'path. (.*)')\nexpression: c['1'] == '/b'\nat: c"
        assert lines(one_check(check, self.CONFIG), FILE) == [26]

    def test_a_body_that_a_service_mounts(self) -> None:
        check = "for: j in yaml(service.bodies.settings).jobs\nexpression: j.path == '/b'\nat: j.path"
        assert lines(one_check(check, WEB), FILE) == [26]

    def test_a_text_that_cannot_be_read_is_told_at_its_line(self) -> None:
        broken = FILE.replace("        port: 80", "       port: 80\n        more: 1")
        found = violations(one_check("expression: yaml(config.content) != null", self.CONFIG), broken)
        assert [(each.at.line, each.stopped) for each in found] == [(24, True)]
        assert "this is no YAML" in found[0].says


def test_loops_within_loops() -> None:
    check = """\
    for:
      - s in values(file.services)
      - name in s.depends_on
    expression: name != "db"
    at: file.services[s.name].depends_on[name]
    """
    found = violations(one_check(check, "each: file"), FILE)
    assert [(each.at.line, each.service) for each in found] == [(12, "web")]


def test_a_service_behind_a_file_is_named() -> None:
    check = "for: s in values(file.services)\nexpression: s.restart == 'no'\nat: s.restart"
    found = violations(one_check(check, "each: file"), FILE)
    assert [(each.at.line, each.service) for each in found] == [(4, "web")]


def test_sections_of_a_file() -> None:
    assert lines(one_check("expression: '\"other\" in file.configs'", "each: file"), FILE) == [18]
    assert lines(one_check("expression: '\"data\" in file.volumes'", "each: file"), FILE) == [1]


def test_an_anchor_is_shown_where_the_value_was_written() -> None:
    shared = """\
    x-common: &common
      restart: always
    services:
      web:
        image: registry.example/web:1
        <<: *common
    """
    assert lines(one_check('expression: service.restart == "no"'), shared) == [2]
