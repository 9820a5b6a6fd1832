"""The audits of many repositories as one page. One that left no usable report is on it, and is no pass."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from bot.exit import Exit
from bot.model.review import Verdict
from bot.review.escape import code

MAX_RULES = 15
_SIGNS = {Verdict.PASS: "✅ pass", Verdict.FAIL: "❌ fail", Verdict.INCOMPLETE: "⚠️ incomplete"}


class Row(Struct, frozen=True):
    """One repository; `why` is set where there is nothing to count."""

    name: str
    verdict: Verdict
    counts: tuple[int, ...] = ()  # projects, errors, warnings, contracts that are not kept
    rules: Counter[str] = field(default_factory=Counter)
    why: str = ""


def rows_of(folder: Path, expected: Iterable[str]) -> list[Row]:
    """Every report below a folder, and every repository that should have one."""
    rows = [_row(path) for path in sorted(folder.rglob("*.json")) if path.is_file() and not path.is_symlink()]
    known = {row.name for row in rows}
    rows += [Row(name, Verdict.INCOMPLETE, why="left no report") for name in expected if name not in known]
    order = (Verdict.INCOMPLETE, Verdict.FAIL, Verdict.PASS)
    return sorted(rows, key=lambda row: (order.index(row.verdict), [-count for count in row.counts[1:]], row.name))


def exit_code(rows: Sequence[Row]) -> Exit:
    verdicts = {row.verdict for row in rows}
    if Verdict.INCOMPLETE in verdicts or not rows:
        return Exit.INCOMPLETE
    return Exit.FINDINGS if Verdict.FAIL in verdicts else Exit.REVIEWED


def page(rows: Sequence[Row]) -> Iterator[str]:
    """Markdown. Names are foreign; everything else is a number or a word of ours."""
    total = Counter(row.verdict for row in rows)
    told = ", ".join(f"{total[verdict]} {verdict.value}" for verdict in Verdict if total[verdict])
    yield f"### Compose audit: {len(rows)} repositories" + (f" ({told})" if told else "")
    yield ""
    yield "| repository | verdict | projects | errors | warnings | contracts not kept |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in rows:
        cells = [str(count) for count in row.counts] if row.counts else [row.why, "", "", ""]
        yield f"| {code(row.name, table=True)} | {_SIGNS[row.verdict]} | {' | '.join(cells)} |"
    rules = sum((row.rules for row in rows), Counter())
    if rules:
        yield ""
        yield "| rule | findings | repositories |"
        yield "|---|---:|---:|"
        for rule, count in sorted(rules.items(), key=lambda item: (-item[1], item[0]))[:MAX_RULES]:
            yield f"| {code(rule, table=True)} | {count} | {sum(rule in row.rules for row in rows)} |"


def _row(path: Path) -> Row:
    try:
        found = json.loads(path.read_bytes())
        return _counted(found)
    except OSError as error:
        return Row(path.stem, Verdict.INCOMPLETE, why=f"its report cannot be read: {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Row(path.stem, Verdict.INCOMPLETE, why="its report is none of ours")


def _counted(found: Any) -> Row:
    if found["kind"] != "audit" or found["schema"] != 1:
        raise ValueError
    broken = sum(each["status"] == "failed" for each in found["contracts"])
    counts = tuple(int(found[name]) for name in ("projects", "errors", "warnings"))
    rules = Counter(str(each["rule"]) for each in found["findings"])
    return Row(str(found["name"]), Verdict(found["verdict"]), (*counts, broken), rules)
