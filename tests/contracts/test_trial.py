"""`contracts test`: mutants, what notices them, and contracts that notice nothing."""

from __future__ import annotations

from bot.contracts.mutate_text import Operator, altered, line_mutants, text_mutants
from bot.contracts.trial import Trial, put_to_test
from tests.contracts.support import loaded, one_check, state

FILES = """\
services:
  fetch:
    image: registry.example/uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        get model-a --revision 1111111111111111111111111111111111111111
        get model-b --revision 2222222222222222222222222222222222222222
  web:
    image: registry.example/web:1
    labels:
      app.logs: '[{"source": "web", "tags": ["env:prod"]}]'
    environment:
      - MODE=fast
      - HOST=${HOST:-}
    configs: [conf]
  model-x:
    image: registry.example/model:1
configs:
  conf:
    content: |
      server:
        port: 80
        hosts: [a, b]
"""


def tried(config: str, files: str = FILES) -> Trial:
    found = loaded(config)
    assert not found.problems, found.problems
    return put_to_test(found.contracts, state(files))


def survivors(trial: Trial) -> list[str]:
    return [f"{each.mutant.operator} {each.mutant.says}" for each in trial.survivors]


def test_a_check_that_can_fail_is_shown_to() -> None:
    trial = tried(one_check('id: quiet\nexpression: service.restart == "no"', 'select: service.name == "fetch"'))
    assert trial.tallies["it"].checks == {"quiet": 2}
    assert not trial.vacuous()
    assert set(survivors(trial)) == {"drop fetch", "drop fetch: restart"}, "no is the default; a service may go"


def test_one_that_cannot_is_vacuous() -> None:
    trial = tried(one_check("id: always\nexpression: service.name == service.name"))
    assert trial.vacuous() == (("it", ""),)


def test_so_is_a_check_beside_others() -> None:
    config = one_check('id: real\nexpression: service.image != ""') + "      - id: hollow\n        expression: 'true'\n"
    assert tried(config).vacuous() == (("it", "hollow"),)


def test_a_contract_that_covers_no_file_is_not_tried() -> None:
    trial = tried(one_check("expression: 'true'", 'files: ["nowhere/*"]'))
    assert trial.tallies == {}
    assert not trial.vacuous()


def test_what_survives_is_told_with_its_line() -> None:
    trial = tried(one_check('expression: service.environment.MODE != ""', 'select: service.name == "web"'))
    found = [(each.mutant.operator.value, each.mutant.at.line, each.mutant.service) for each in trial.survivors]
    assert found == [("drop", 11, "web"), ("alter", 16, "web")]


def test_only_what_a_contract_looks_at_is_mutated() -> None:
    trial = tried(one_check('expression: service.environment.MODE != ""', 'select: service.name == "web"'))
    assert {(each.mutant.field, each.mutant.key) for each in trial.outcomes} == {
        ("services", "web"),
        ("environment", "MODE"),
        ("environment", ""),
    }


def test_commands_lose_lines_repeat_them_and_change_revisions() -> None:
    config = one_check(
        'expression: captures(service.command[0], "get (.*)").map(c, c["1"]) == ['
        '"model-a --revision 1111111111111111111111111111111111111111",'
        '"model-b --revision 2222222222222222222222222222222222222222"]',
        'select: service.name == "fetch"',
    )
    trial = tried(config)
    killed = {each.mutant.operator for each in trial.outcomes if each.killed_by}
    assert killed >= {Operator.DROP, Operator.DUPLICATE, Operator.ALTER, Operator.REORDER}


def test_a_service_that_waits_for_one_more_is_noticed() -> None:
    config = one_check(
        "for: n in service.depends_on\nexpression: '!n.startsWith(\"model-\")'", 'select: service.name == "web"'
    )
    trial = tried(config)
    assert [each.mutant.operator for each in trial.outcomes if each.killed_by] == [Operator.ADD]


def test_a_default_that_is_lost_is_noticed() -> None:
    config = one_check('expression: service.written.environment.HOST == "${HOST:-}"', 'select: service.name == "web"')
    trial = tried(config)
    assert {each.mutant.operator for each in trial.outcomes if each.killed_by} == {Operator.ALTER, Operator.DROP}


def test_labels_of_json_are_mutated_inside() -> None:
    config = one_check(
        "for: t in [\"env\"]\nexpression: t in pairs(json(service.labels['app.logs'])[0].tags, ':')",
        'select: service.name == "web"',
    )
    killed = [f"{each.mutant.operator} {each.mutant.kind[-1]}" for each in tried(config).outcomes if each.killed_by]
    assert "drop $[*].tags[env]" in killed
    assert "drop $[*].tags" in killed


def test_texts_of_yaml_are_mutated_by_key() -> None:
    config = one_check(
        "expression: yaml(config.content).server.port == 80", "each: config\nselect: config.name == 'conf'"
    )
    trial = tried(config)
    killed = {(each.mutant.operator.value, each.mutant.at.line) for each in trial.outcomes if each.killed_by}
    assert {("drop", 25), ("alter", 25), ("drop", 24)} <= killed


def test_transitions_are_tried_with_the_file_as_base() -> None:
    trial = tried(one_check("expression: base != null && service.image == base.image", 'select: service.name == "web"'))
    assert trial.tallies["it"].killed > 0


def test_what_the_tree_breaks_already_counts_for_nothing() -> None:
    trial = tried(one_check("id: broken\nexpression: service.restart == 'always'", 'select: service.name == "web"'))
    assert trial.vacuous() == (("it", ""),)


def test_two_processes_find_what_one_does() -> None:
    found = loaded(one_check('expression: service.image.startsWith("registry.example/")'))
    one = put_to_test(found.contracts, state(FILES), jobs=1, each=3)
    two = put_to_test(found.contracts, state(FILES), jobs=2, each=3)
    assert [each.killed_by for each in one.outcomes] == [each.killed_by for each in two.outcomes]


def test_progress_is_told() -> None:
    found = loaded(one_check('expression: service.image != ""'))
    heard: list[tuple[int, int]] = []
    trial = put_to_test(found.contracts, state(FILES), tick=lambda done, of: heard.append((done, of)))
    assert heard[-1] == (len(trial.outcomes), len(trial.outcomes))


def test_how_a_value_is_altered() -> None:
    assert altered("true") == "false"
    assert altered("${HOST:-local}") == "${HOST}"
    assert altered("${HOST}") == "${HOST:-changed}"
    assert altered("get x --revision 1111111111111111") == "get x --revision 1111111111111110"
    assert altered("port 80") == "port 81"
    assert altered("fast") == "fastx"
    assert altered("--") == "--x"


def test_lines_are_dropped_doubled_altered_and_swapped() -> None:
    text = "#!/bin/sh\none 1 \\\n  --flag a\n# comment\ntwo\n"
    found = {(each.operator.value, each.apply(text)) for each in line_mutants(text)}
    assert ("drop", "#!/bin/sh\none 1 \\\n  --flag a\n# comment\n") in found
    assert ("duplicate", "#!/bin/sh\none 1 \\\n  --flag a\n# comment\ntwo\ntwo\n") in found
    assert ("alter", "#!/bin/sh\none 1\n  --flag a\n# comment\ntwo\n") in found
    assert ("alter", "#!/bin/sh\none 1 \\\n  --flag ax\n# comment\ntwo\n") in found
    assert ("reorder", "#!/bin/sh\none 1 \\\ntwo\n# comment\n  --flag a\n") in found


def test_yaml_is_mutated_by_whole_keys_and_elements() -> None:
    text = "a:\n  b: 1\n  c: [x, y]\nd:\n  - e: 1\n    f: 2\n  - g\n"
    found = {(each.operator.value, each.apply(text)) for each in text_mutants(text)}
    assert ("drop", "d:\n  - e: 1\n    f: 2\n  - g\n") in found
    assert ("drop", 'a:\n  b: 1\n  c: ["x"]\nd:\n  - e: 1\n    f: 2\n  - g\n') in found
    assert ("duplicate", "a:\n  b: 1\n  c: [x, y]\nd:\n  - e: 1\n    f: 2\n  - e: 1\n    f: 2\n  - g\n") in found
    assert ("alter", "a:\n  b: 2\n  c: [x, y]\nd:\n  - e: 1\n    f: 2\n  - g\n") in found
