"""Real JSON output, held against the schema that is published for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bot.model.change import FileStatus
from bot.model.facts import Role
from bot.model.finding import Certainty, CheckStatus, Level, Status
from bot.model.plan import PlanKind, PrerequisiteKind, Verb
from bot.model.review import ChangeKind, Ending, Needs, Verdict
from bot.review.as_json import as_json
from tests.review.stories import EVIL, STORIES, everywhere, twins_are_one_item

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "review.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from nodes(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from nodes(each)


@pytest.mark.parametrize("story", STORIES)
def test_every_story_fits_the_schema(story: str) -> None:
    VALIDATOR.validate(json.loads(as_json(STORIES[story]())))


@pytest.mark.parametrize("text", [EVIL, "\ud800", "\x00", ""])
def test_foreign_text_stays_data(text: str) -> None:
    out = as_json(everywhere(text))
    VALIDATOR.validate(json.loads(out))
    assert out.isascii()


def test_the_schema_is_strict() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    objects = [node for node in nodes(SCHEMA) if node.get("type") == "object" and "properties" in node]
    assert len(objects) > 20
    for node in objects:
        assert node["additionalProperties"] is False
        assert set(node["required"]) == set(node["properties"]), node


def test_the_schema_refuses_what_is_not_there() -> None:
    data = json.loads(as_json(twins_are_one_item()))
    for broken in ({**data, "more": 1}, {**data, "verdict": "maybe"}, {name: data[name] for name in list(data)[1:]}):
        assert not VALIDATOR.is_valid(broken)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("properties.verdict", [each.value for each in Verdict]),
        ("$defs.level", [each.word for each in Level]),
        ("$defs.finding.properties.certainty", [each.value for each in Certainty]),
        ("$defs.finding.properties.status", [each.value for each in Status]),
        ("$defs.change", [each.value for each in ChangeKind]),
        ("$defs.entry.properties.needs", [each.value for each in Needs]),
        ("properties.summary.properties.files.items.properties.status", [each.value for each in FileStatus]),
        ("properties.summary.properties.services.items.properties.role", [each.value for each in Role]),
        ("properties.resolved.items.properties.how", [each.value for each in Ending]),
        ("properties.plans.items.properties.kind", [each.value for each in PlanKind]),
        ("properties.plans.items.properties.operations.items.properties.action", [each.value for each in Verb]),
        ("properties.prerequisites.items.properties.kind", [each.value for each in PrerequisiteKind]),
        ("properties.checks.items.properties.status", [each.value for each in CheckStatus]),
    ],
)
def test_the_schema_lists_what_the_program_knows(path: str, values: list[str]) -> None:
    node: Any = SCHEMA
    for step in path.split("."):
        node = node[step]
    assert sorted(node["enum"]) == sorted(values)


def test_the_names_of_the_design_are_kept() -> None:
    data = json.loads(as_json(twins_are_one_item()))
    assert (data["schema"], data["tool"]["name"], data["verdict"], data["round"]) == (1, "compose-review", "pass", 1)
    first = data["findings"][0]
    assert {
        "rule",
        "level",
        "certainty",
        "status",
        "file",
        "line",
        "end_line",
        "service",
        "message",
        "do",
        "related",
        "fingerprint",
    } <= set(first)
    assert data["summary"]["services"][0]["detail"] == [
        "+ download quantlab/Meadow-2-Mini-INT4@9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d"
    ]
    assert data["stack"]["children"][0]["needs"] == "nothing-yet"
    assert data["plans"][0]["operations"][0]["action"] == "rerun"
