"""This run's findings in the light of the round before: new, still open, resolved, not re-checked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from bot.model.finding import Finding, Findings, Level, Status
from bot.model.pull import Pull, Trigger
from bot.model.review import (
    Activity,
    Ending,
    Ignore,
    Ignored,
    IgnoreRequest,
    Known,
    NotRechecked,
    Resolved,
    Round,
    Verdict,
    blocks,
)
from bot.rounds.memory import MAX_ROWS, Memory
from bot.rounds.state import recalled

# A person asked: the round's row then tells of that, also when nothing else changed.
ASKED = frozenset({("pull_request", "review_requested"), ("pull_request_target", "review_requested")})
ASKED_EVENTS = frozenset({"issue_comment", "workflow_dispatch"})


def advance(
    pull: Pull,
    run: Findings,
    verdict: Verdict,
    *,
    now: str = "",
    base_name: str = "",
    off: Collection[str] = (),
    conflicts: tuple[str, ...] = (),
    ignore: Sequence[IgnoreRequest] = (),
) -> Round:
    """The round that this run makes, or makes anew when the head has not moved.

    `now` is ISO 8601 in UTC, for runs whose trigger has no time; `off` are rules that the configuration
    switches off; `ignore` are wishes of this very run. Nothing here changes what blocks.
    """
    memory, note = recalled(pull.previous, pull.number)
    number = _number(memory, pull.head_sha)
    findings = tuple(_placed(finding, memory, number) for finding in run.findings)
    resolved, not_rechecked = _missing(memory, number, findings, run, off, conflicts)
    shown, ignored = _split(findings, memory, ignore)
    return Round(
        number=number,
        findings=shown,
        resolved=resolved,
        not_rechecked=not_rechecked,
        ignored=ignored,
        activity=_rows(memory, _row(number, pull, verdict, shown, now, base_name), findings),
        note=_note(memory, number, note),
    )


def _note(memory: Memory | None, number: int, unread: str) -> str:
    if unread:
        return f"What earlier rounds said is not known: {unread}."
    if memory is not None and memory.cut and memory.round != number:
        return "The round before had more findings than could be remembered: one that is called new may be older."
    return ""


def _number(memory: Memory | None, head: str) -> int:
    if memory is None:
        return 1
    # Folders have no commit: nothing then says that the head has not moved.
    return memory.round if head and memory.head == head else memory.round + 1


def _placed(finding: Finding, memory: Memory | None, number: int) -> Finding:
    """The finding with the round that first saw it. Within one round, what was new stays new."""
    before = _known(memory).get(finding.fingerprint)
    since = min(before.since, number) if before is not None else number
    return replace(finding, since=since, status=Status.OPEN if since < number else Status.NEW)


def _known(memory: Memory | None) -> dict[str, Known]:
    """By fingerprint, all that may still be true: what was resolved in an earlier round is new again."""
    if memory is None:
        return {}
    return {each.fingerprint: each for each in (*memory.open, *(each.known for each in memory.not_rechecked))}


def _missing(
    memory: Memory | None,
    number: int,
    findings: tuple[Finding, ...],
    run: Findings,
    off: Collection[str],
    conflicts: tuple[str, ...],
) -> tuple[tuple[Resolved, ...], tuple[NotRechecked, ...]]:
    """What was open and is not found any more, and whether that means something."""
    if memory is None:
        return (), ()
    here = {finding.fingerprint for finding in findings}
    resolved = [each for each in memory.resolved if memory.round == number and each.known.fingerprint not in here]
    done = {each.known.fingerprint for each in resolved}
    not_rechecked = []
    for known in _known(memory).values():
        if known.fingerprint in here or known.fingerprint in done:
            continue
        why = _why_not_seen(known, run, off, conflicts)
        if why:
            not_rechecked.append(NotRechecked(known, why))
        else:
            resolved.append(Resolved(known, _ending(known, run)))
    return tuple(resolved), tuple(not_rechecked)


def _why_not_seen(known: Known, run: Findings, off: Collection[str], conflicts: tuple[str, ...]) -> str:
    """A finding is gone only when its rule looked at everything; a gap may hide it wherever it is."""
    if known.rule in off:
        return "its rule is switched off"
    if any(crash.rule == known.rule for crash in run.crashes):
        return "its rule failed in this run"
    if run.gaps:
        return "this run could not read everything"
    if conflicts:
        return "what would land is not known while there are conflicts"
    return ""


def _ending(known: Known, run: Findings) -> Ending:
    left_out = {(rule, each.file) for rule, each in run.excluded}
    return Ending.EXCLUDED if (known.rule, known.file) in left_out else Ending.GONE


def _split(
    findings: tuple[Finding, ...], memory: Memory | None, asked: Sequence[IgnoreRequest]
) -> tuple[tuple[Finding, ...], tuple[Ignored, ...]]:
    """Findings to show, and those that somebody asked not to hear of. What blocks is always shown."""
    wishes = {wish.fingerprint: wish for wish in memory.ignores} if memory is not None else {}
    for finding in findings:
        for each in asked:
            if each.rule == finding.rule and each.path in ("", *_files(finding)):
                fingerprint = finding.fingerprint
                wishes[fingerprint] = Ignore(fingerprint, finding.rule, each.by, each.because, each.at)
    quiet = {finding.fingerprint for finding in findings if finding.fingerprint in wishes and not blocks(finding)}
    return (
        tuple(finding for finding in findings if finding.fingerprint not in quiet),
        tuple(Ignored(each, wishes[each.fingerprint]) for each in findings if each.fingerprint in quiet),
    )


def _files(finding: Finding) -> set[str]:
    return {finding.at.file, *(twin.file for twin in finding.twins)}


def _row(number: int, pull: Pull, verdict: Verdict, shown: tuple[Finding, ...], now: str, base_name: str) -> Activity:
    return Activity(
        round=number,
        verdict=verdict,
        blocking=sum(blocks(finding) for finding in shown),
        follow_ups=sum(finding.level is Level.WARNING and not finding.inherited for finding in shown),
        at=pull.trigger.at or now,
        commit=pull.head_sha,
        base=pull.base_ref or base_name,
        base_sha=pull.base_sha,
        trigger=pull.trigger,
    )


def _rows(memory: Memory | None, row: Activity, found: tuple[Finding, ...]) -> tuple[Activity, ...]:
    """One row for each round. When a round is run again and nothing is new, its row stays as it is: the
    same result must give the same comment."""
    if memory is None:
        return (row,)
    earlier = [each for each in memory.activity if each.round < row.round]
    before = next((each for each in memory.activity if each.round == row.round), None)
    if before is not None and not _asked(row.trigger) and _same(before, row) and _same_findings(memory, found):
        row = before
    return (*earlier, row)[-MAX_ROWS:]


def _asked(trigger: Trigger) -> bool:
    return trigger.event in ASKED_EVENTS or (trigger.event, trigger.action) in ASKED


def _same(before: Activity, now: Activity) -> bool:
    return replace(before, at=now.at, trigger=now.trigger) == now


def _same_findings(memory: Memory, found: tuple[Finding, ...]) -> bool:
    """Whether the run before found the same, as far as it is remembered."""
    before, now = {each.fingerprint for each in memory.open}, {finding.fingerprint for finding in found}
    return before <= now if memory.cut else before == now
