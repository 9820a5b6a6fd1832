"""What `audit` prints: JSON for programs and for the summary of many, lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.audit.run import Audit
from bot.contracts.report import check_data, check_lines
from bot.model.finding import Level
from bot.model.settings import FailOn
from bot.model.text import counted
from bot.review.as_json import finding
from bot.version import VERSION

SCHEMA = 1


def audit_data(audit: Audit, name: str, fail_on: FailOn) -> dict[str, Any]:
    """`name` is what the summary calls this tree."""
    services = sum(len(project.services) for project in audit.estate.projects.values())
    return {
        "schema": SCHEMA,
        "kind": "audit",
        "tool": {"name": "compose-review", "version": VERSION},
        "name": name,
        "verdict": audit.verdict(fail_on).value,
        "projects": len(audit.estate.projects),
        "services": services,
        "errors": audit.count(Level.ERROR),
        "warnings": audit.count(Level.WARNING),
        "notes": audit.count(Level.NOTE),
        "findings": [finding(each) for each in audit.findings],
        **check_data(audit.contracts),
        "gaps": [{"what": each.what, "why": each.why} for each in audit.found.gaps],
        "crashes": [{"rule": each.rule, "subject": each.subject, "error": each.error} for each in audit.found.crashes],
    }


def audit_lines(audit: Audit) -> Iterator[str]:
    for each in audit.findings:
        yield f"{each.level.word:<8} {each.at}  {each.title} ({each.rule})"
        yield f"    {each.says}"
        yield f"    {each.do}"
        for twin in each.twins:
            yield f"    the same at {twin}"
    if audit.contracts:
        yield ""
        yield from check_lines(audit.contracts)
    for gap in audit.found.gaps:
        yield f"not seen: {gap.what}: {gap.why}"
    for crash in audit.found.crashes:
        yield f"rule {crash.rule} failed on {crash.subject}: {crash.error}"
    yield ""
    projects = counted(len(audit.estate.projects), "Compose project")
    yield f"{projects}, {counted(len(audit.findings), 'finding')}"
