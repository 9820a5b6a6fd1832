"""The review as SARIF 2.1.0, for code scanning and editors.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bot.model.finding import Finding, Gap, Level, Status
from bot.model.place import Place
from bot.model.review import Ignored, Review, Verdict
from bot.review.escape import address, visible
from bot.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "composeReview/v1"
ROOT = "SRCROOT"


def sarif(review: Review, pages: Mapping[str, str] | None = None) -> str:
    """`pages` are the rules' pages (Markdown) by id, for viewers that show help."""
    return json.dumps(log(review, pages or {}), indent=2) + "\n"


def log(review: Review, pages: Mapping[str, str]) -> dict[str, Any]:
    shown = [*review.findings, *(each.finding for each in review.ignored)]
    rules = sorted({each.rule for each in shown})
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "compose-review",
                "version": VERSION,
                "semanticVersion": VERSION,
                "rules": [_rule(rule, shown, pages) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [_invocation(review)],
        "results": [
            *(_result(each, rules) for each in review.findings),
            *(_suppressed(each, rules) for each in review.ignored),
        ],
        "properties": {"verdict": review.verdict.value, "round": review.round},
    }
    if review.head_sha and review.repository.full_name:
        server = f"{review.repository.server}/{address(review.repository.full_name)}"
        run["versionControlProvenance"] = [{"repositoryUri": server, "revisionId": review.head_sha}]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str, found: Iterable[Finding], pages: Mapping[str, str]) -> dict[str, Any]:
    titles = [each.title for each in found if each.rule == rule and each.title]
    level = max(each.level for each in found if each.rule == rule)
    described: dict[str, Any] = {
        "id": rule,
        "name": "".join(part.capitalize() for part in rule.split("-")),
        "shortDescription": _message(titles[0] if titles else rule),
        "defaultConfiguration": {"level": level.word},
        "properties": {"tags": ["compose"], "problem.severity": _severity(level)},
    }
    if rule in pages:
        described["help"] = {"text": pages[rule], "markdown": pages[rule]}
    return described


def _severity(level: Level) -> str:
    """What GitHub's code scanning calls a level."""
    return "recommendation" if level is Level.NOTE else level.word


def _result(found: Finding, rules: list[str]) -> dict[str, Any]:
    return {
        "ruleId": found.rule,
        "ruleIndex": rules.index(found.rule),
        "level": found.level.word,
        "message": _message(f"{found.title}. {found.says} {found.do}"),
        "locations": [{"physicalLocation": _physical(found.at)}],
        "relatedLocations": [
            {"id": number, "physicalLocation": _physical(each.at), "message": _message(each.says)}
            for number, each in enumerate(found.related, start=1)
        ],
        "partialFingerprints": {FINGERPRINT: found.fingerprint},
        "baselineState": "new" if found.status is Status.NEW else "unchanged",
        "properties": {
            "certainty": found.certainty.value,
            "since": found.since,
            "inherited": found.inherited,
            "service": found.service,
        },
    }


def _suppressed(ignored: Ignored, rules: list[str]) -> dict[str, Any]:
    by = f"{ignored.ignore.because} ({ignored.ignore.by})"
    return {
        **_result(ignored.finding, rules),
        "suppressions": [{"kind": "external", "status": "accepted", "justification": visible(by)}],
    }


def _message(text: str) -> dict[str, str]:
    """Plain text. Brackets would make a link of it (SARIF 3.11.6), so they are escaped, as is the escape."""
    plain = visible(text)
    return {"text": plain.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]") or "(no text)"}


def _physical(at: Place) -> dict[str, Any]:
    region: dict[str, int] = {"startLine": at.line, "endLine": at.end_line}
    if at.column > 1:
        region["startColumn"] = at.column
    return {"artifactLocation": {"uri": address(at.file), "uriBaseId": ROOT}, "region": region}


def _invocation(review: Review) -> dict[str, Any]:
    """A run that did not see everything was not successful, whatever it found."""
    notes = [_notification(f"{gap.what}: {gap.why}", gap) for gap in review.gaps]
    notes += [_notification(f"{path} does not merge with the live base") for path in review.conflicts]
    notes += [_notification(f"rule {each.rule} failed on {each.subject}: {each.error}") for each in review.crashes]
    return {
        "executionSuccessful": review.verdict is not Verdict.INCOMPLETE,
        "toolExecutionNotifications": notes,
    }


def _notification(text: str, gap: Gap | None = None) -> dict[str, Any]:
    note: dict[str, Any] = {"level": "error", "message": _message(text)}
    if gap is not None and gap.at is not None:
        note["locations"] = [{"physicalLocation": _physical(gap.at)}]
    return note
