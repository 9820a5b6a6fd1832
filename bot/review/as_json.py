"""The review as JSON: a contract with the outside, written down in `docs/review.schema.json`."""

from __future__ import annotations

import json
from typing import Any

from bot.model.finding import Finding
from bot.model.place import Place
from bot.model.plan import Plan
from bot.model.review import Activity, Known, Review, Stack, StackEntry, StatementLine, Summary
from bot.version import VERSION

SCHEMA = 1


def as_json(review: Review) -> str:
    """Indented, in the order of the page; characters beyond ASCII are escaped, so that any log can hold it."""
    return json.dumps(data(review), indent=2) + "\n"


def data(review: Review) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "tool": {"name": "compose-review", "version": VERSION},
        "verdict": review.verdict.value,
        "round": review.round,
        "repository": review.repository.full_name or None,
        "pull_request": review.number,
        "draft": review.draft,
        "base": review.base_sha or review.base_name,
        "base_name": review.base_name,
        "head": review.head_sha or review.head_name,
        "head_name": review.head_name,
        "summary": _summary(review.summary),
        "findings": [finding(each) for each in review.findings],
        "resolved": [{**_known(each.known), "how": each.ending.value} for each in review.resolved],
        "not_rechecked": [{**_known(each.known), "why": each.why} for each in review.not_rechecked],
        "ignored": [
            {**finding(each.finding), "by": each.ignore.by, "because": each.ignore.because, "at": each.ignore.at}
            for each in review.ignored
        ],
        "excluded": [
            {"rule": rule, "file": each.file, "said_in": each.said_in, "quote": each.quote}
            for rule, each in review.excluded
        ],
        "plans": [plan_data(each) for each in review.plans],
        "prerequisites": [
            {"kind": each.kind.value, "text": each.text, "file": each.at.file, "line": each.at.line}
            for each in review.prerequisites
        ],
        "stack": stack_json(review.stack),
        "checks": [
            {"name": each.name, "status": each.status.value, "detail": each.detail, "why": each.why}
            for each in review.checks
        ],
        "gaps": [{"what": each.what, "why": each.why, **_optional(each.at)} for each in review.gaps],
        "conflicts": list(review.conflicts),
        "crashes": [{"rule": each.rule, "subject": each.subject, "error": each.error} for each in review.crashes],
        "inherited": review.inherited,
        "activity": [_row(each) for each in review.activity],
        "note": review.note or None,
    }


def finding(found: Finding) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "level": found.level.word,
        "certainty": found.certainty.value,
        "status": found.status.value,
        "since": found.since,
        "inherited": found.inherited,
        **_place(found.at),
        "service": found.service,
        "title": found.title,
        "message": found.says,
        "do": found.do,
        "related": [{**_place(each.at), "message": each.says} for each in found.related],
        "twins": [_place(twin) for twin in found.twins],
        "fingerprint": found.fingerprint,
    }


def _place(at: Place) -> dict[str, Any]:
    return {"file": at.file, "line": at.line, "end_line": at.end_line}


def _optional(at: Place | None) -> dict[str, Any]:
    return {"file": None, "line": None} if at is None else {"file": at.file, "line": at.line}


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "text": summary.text,
        "files": [
            {
                "path": each.path,
                "status": each.status.value,
                "comments_only": each.comments_only,
                "old_path": each.old_path or None,
                "name": each.name or each.path,
            }
            for each in summary.files
        ],
        "services": [
            {
                "file": each.file,
                "service": each.service,
                "role": each.role.value,
                "change": each.change.value,
                "fields": list(each.fields),
                "detail": list(each.detail),
            }
            for each in summary.services
        ],
        "resources": [
            {"file": each.file, "kind": each.kind, "name": each.name, "change": each.change.value}
            for each in summary.resources
        ],
        "statements": [_statement(each) for each in summary.statements],
    }


def _statement(line: StatementLine) -> dict[str, Any]:
    return {"said_in": line.said_in, "quote": line.quote, "holds": line.holds, **_optional(line.at)}


def _known(known: Known) -> dict[str, Any]:
    return {
        "rule": known.rule,
        "fingerprint": known.fingerprint,
        "message": known.title,
        "level": known.level.word,
        "since": known.since,
        "file": known.file or None,
    }


def plan_data(plan: Plan) -> dict[str, Any]:
    return {
        "file": plan.path,
        "kind": plan.kind.value,
        "before": plan.before or None,
        "command": plan.command,
        "project": plan.project or None,
        "profile": plan.profile or None,
        "unknown": plan.unknown or None,
        "dangers": [danger.says for danger in plan.dangers],
        "operations": [
            {
                "service": each.service,
                "action": each.verb.value,
                "cause": each.cause,
                "changed": each.changed,
                "stop_seconds": each.stop_seconds,
                **_optional(each.at),
            }
            for each in plan.operations
        ],
    }


def stack_json(stack: Stack) -> dict[str, Any]:
    return {
        "say": stack.say,
        "blocks": stack.blocks,
        "parent": _entry(stack.parent) if stack.parent else None,
        "children": [_entry(each) for each in stack.children],
    }


def _entry(entry: StackEntry) -> dict[str, Any]:
    return {"number": entry.number, "needs": entry.needs.value, "say": entry.say, "commands": list(entry.commands)}


def _row(row: Activity) -> dict[str, Any]:
    trigger = row.trigger
    return {
        "round": row.round,
        "status": row.verdict.value,
        "blocking": row.blocking,
        "follow_ups": row.follow_ups,
        "at": row.at,
        "commit": row.commit,
        "base": row.base,
        "base_sha": row.base_sha,
        "trigger": {
            "event": trigger.event,
            "action": trigger.action,
            "actor": trigger.actor,
            "requested": trigger.requested,
        },
    }
