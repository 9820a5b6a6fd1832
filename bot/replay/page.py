"""The table of a replay as text, Markdown or JSON, with every hit where it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bot.replay.run import Replayed
from bot.replay.table import Table
from bot.review.escape import code, plain, visible

SCHEMA = 1


def terminal(results: Sequence[Replayed], table: Table, hits: bool) -> str:
    return "".join(f"{line}\n" for line in (*_hits(results, hits), *_unseen(results), *_rows(table), *_sums(table)))


def _hits(results: Sequence[Replayed], wanted: bool) -> Iterator[str]:
    for each in results if wanted else ():
        for finding in each.findings:
            if not finding.inherited:
                yield plain(
                    f"{each.pull.name} {finding.level.word} {finding.rule} {finding.at}: {visible(finding.says)}"
                )


def _unseen(results: Sequence[Replayed]) -> Iterator[str]:
    for each in results:
        for gap in each.gaps:
            yield plain(f"{each.pull.name} not looked at: {gap.what}: {gap.why}")
        for crash in each.crashes:
            yield plain(f"{each.pull.name} rule {crash.rule} failed on {crash.subject}: {crash.error}")


def _rows(table: Table) -> Iterator[str]:
    yield f"{'rule':<28} {'level':<8} {'hits':>5} {'pull requests':>14} {'share':>6}"
    for row in table.rows:
        yield f"{row.rule:<28} {row.level.word:<8} {row.hits:>5} {row.pulls:>14} {row.share:>6.0%}"
    if not table.rows:
        yield "no rule has anything to say"


def _sums(table: Table) -> Iterator[str]:
    yield ""
    yield (
        f"{table.pulls} pull requests, {table.blocked} with an error; warnings and errors of one: "
        f"median {table.loud:g}, 90th percentile {table.loudest}"
    )
    yield f"not looked at: {table.gaps}; failed rules: {table.crashes}; one review: {table.seconds:.2f} s (median)"


def markdown(results: Sequence[Replayed], table: Table, hits: bool) -> str:
    lines = ["| rule | level | hits | pull requests | share |", "|---|---|---|---|---|"]
    lines += [f"| `{row.rule}` | {row.level.word} | {row.hits} | {row.pulls} | {row.share:.0%} |" for row in table.rows]
    lines += [*_sums(table)]
    unseen = [f"- {code(line)}" for line in _unseen(results)]
    told = [f"- {code(line)}" for line in _hits(results, hits)]
    return "\n".join([*lines, *(["", *unseen] if unseen else []), *(["", *told] if told else [])]) + "\n"


def as_json(results: Sequence[Replayed], table: Table, hits: bool) -> str:
    found = {
        "schema": SCHEMA,
        "pulls": table.pulls,
        "with_errors": table.blocked,
        "warnings_and_errors": {"median": table.loud, "percentile_90": table.loudest},
        "rules": [
            {
                "rule": row.rule,
                "level": row.level.word,
                "hits": row.hits,
                "pulls": row.pulls,
                "share": round(row.share, 4),
            }
            for row in table.rows
        ],
        "gaps": [{"pull": each.pull.name, "what": gap.what, "why": gap.why} for each in results for gap in each.gaps],
        "crashes": [
            {"pull": each.pull.name, "rule": crash.rule, "error": crash.error}
            for each in results
            for crash in each.crashes
        ],
    }
    if hits:
        found["hits"] = [
            {
                "pull": each.pull.name,
                "rule": finding.rule,
                "level": finding.level.word,
                "file": finding.at.file,
                "line": finding.at.line,
                "message": finding.says,
                "fingerprint": finding.fingerprint,
            }
            for each in results
            for finding in each.findings
            if not finding.inherited
        ]
    return json.dumps(found, indent=2, ensure_ascii=True) + "\n"
