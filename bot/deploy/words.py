"""The causes of operations, as phrases without a full stop."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.model.service import Condition, Wait
from bot.model.text import code, codes, listed


def definition(fields: tuple[str, ...], *, again: bool) -> str:
    """Why a container is recreated, and that a one-shot runs anew with it."""
    if fields == ("image",):
        said = "its image changes"
    else:
        said = f"its definition changes: {codes(fields)}"
    return f"{said}; it runs again" if again else said


def owner(via: str, name: str) -> str:
    shared = "volumes" if via == "volumes_from" else f"{code(via)} namespace"
    return f"it shares the {shared} of {code(name)}, which is recreated"


def attachment(kind: str, moved: Iterable[tuple[str, str]]) -> str:
    pairs = [f"{code(old)} becomes {code(new)}" for old, new in moved]
    return f"its {kind} has another name: {listed(pairs)}"


def network(names: Collection[str]) -> str:
    plural = "s" if len(names) > 1 else ""
    verb = "are" if len(names) > 1 else "is"
    return f"its network{plural} {codes(names)} {verb} recreated: the same container is stopped and started again"


def volume(names: Collection[str], *, goes: bool) -> str:
    if goes:
        return f"its volume {codes(names)} is defined otherwise: it is deleted and made anew, empty"
    return f"the new definition of its volume {codes(names)} is ignored"


def dependency(name: str) -> str:
    return f"{code(name)} is recreated and it asks to be restarted then"


def config(keys: Collection[str], *, applied: bool) -> str:
    if applied:
        return f"its inline config {codes(keys)} changes, and it is started again with it"
    return f"only its inline config {codes(keys)} changes: it keeps running with the old text"


def one_shot(waiting: Collection[str]) -> str:
    if not waiting:
        return "it has ended, and every `up` runs it again"
    verb = "waits" if len(waiting) == 1 else "wait"
    return f"{codes(waiting)} {verb} for it to complete, and every `up` runs it again"


def scale(before: int, after: int) -> str:
    return f"{before} {'container' if before == 1 else 'containers'} before, {after} now"


def profile(names: Iterable[str]) -> str:
    return f"it is behind the profile {codes(names)} now, which the deploy does not enable: nothing stops it"


def gone(*, file: bool) -> str:
    what = "its file is gone" if file else "it is no longer in the file"
    return f"{what}, and nothing stops it"


ORPHAN = "it is not in the file: removed as an orphan before anything is created"
NEW = "new in the file"
ENABLED = "no longer behind a profile"
UNCHANGED = "nothing about it changes"
NOT_ASKED = "the command does not name it"
NEVER = "the deploy command recreates nothing"
FORCED = "the deploy command recreates it in any case"
DOWN = "the deploy command takes everything down first"
RESTARTED = "the deploy command restarts it"


def project(old: str) -> str:
    return f"it runs under another project name{_named(old)}, which this deploy does not look at"


def fresh_project(name: str) -> str:
    return f"nothing runs under the new project name{_named(name)} yet"


def _named(project: str) -> str:
    return f", {code(project)}" if project else ""


def not_hashed(fields: Iterable[str]) -> str:
    return f"only {codes(fields)} changes, which recreates nothing"


def conflict(things: list[str], holder: str) -> str:
    return f"{code(holder)} keeps running and holds {listed(things)}"


def start(waits: Iterable[Wait]) -> str:
    """When a service of a cold start is started."""
    parts = {
        Condition.COMPLETED: ("has completed successfully", "have completed successfully"),
        Condition.HEALTHY: ("is healthy", "are healthy"),
        Condition.STARTED: ("has started", "have started"),
    }
    by_condition: dict[Condition, list[str]] = {condition: [] for condition in parts}
    for wait in waits:
        by_condition[wait.condition].append(wait.service)
    said = [f"{codes(names)} {parts[condition][len(names) > 1]}" for condition, names in by_condition.items() if names]
    return f"once {listed(said)}" if said else "at once"
