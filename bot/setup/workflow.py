"""The workflow that runs the action: the one to write, and what is wrong with one that is there."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from bot.document.parse import DocumentError, parse
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode, scalars
from bot.model.remote import CONTEXT

ACTION = "compose-review/compose-review@v0"
PULL_REQUEST, TARGET, FINISHED, QUEUE = "pull_request", "pull_request_target", "workflow_run", "merge_group"
# What a review waits for: without these a pull request keeps the status of what it was before.
TYPES = ("opened", "reopened", "synchronize", "edited", "ready_for_review")
FILTERS = ("paths", "paths-ignore", "branches", "branches-ignore")
WRITES = ("pull-requests", "statuses")


def workflow(forks: bool, action: str = ACTION) -> str:
    name = "forks" if forks else "same-repository"
    text = (files("bot.setup") / "workflows" / f"{name}.yaml").read_text(encoding="utf-8")
    return text.replace(ACTION, action)


def parsed(path: str, data: bytes) -> MappingNode | None:
    """None for what GitHub would not take for a workflow either."""
    try:
        roots = parse(path, data).roots
    except DocumentError:
        return None
    return roots[0] if roots and isinstance(roots[0], MappingNode) else None


def runs_us(root: MappingNode) -> bool:
    """Whether a step uses the action, or a step's script calls the command."""
    return any(
        "compose-review" in step.text and (step.text.startswith("./") or "@" in step.text or " action" in step.text)
        for step in scalars(root.get("jobs") or root)
    )


def has_queue(root: MappingNode) -> bool:
    return QUEUE in _names(root.get("on"))


def faults(root: MappingNode, queue: bool) -> Iterator[str]:
    """What would keep the required status from being posted, or the review from being made. Sentences of ours."""
    triggers = root.get("on")
    named = _names(triggers)
    if not named & {PULL_REQUEST, TARGET, FINISHED}:
        yield f"it runs on none of `{PULL_REQUEST}`, `{TARGET}` and `{FINISHED}`: nothing is reviewed"
    for name in (PULL_REQUEST, TARGET):
        settings = triggers.get(name) if isinstance(triggers, MappingNode) else None
        if name not in named:
            continue
        for filter_ in FILTERS:
            if isinstance(settings, MappingNode) and settings.get(filter_) is not None:
                yield f"`{name}` has `{filter_}`: where they keep it from running, `{CONTEXT}` stays pending for ever"
        types = _names(settings.get("types")) if isinstance(settings, MappingNode) else set()
        missing = [each for each in TYPES if each not in (types or {"opened", "reopened", "synchronize"})]
        if missing:
            yield f"`{name}` lacks the types {', '.join(f'`{each}`' for each in missing)}"
    if queue and QUEUE not in named:
        yield f"other workflows run on `{QUEUE}`, this one does not: the merge queue would wait for `{CONTEXT}`"
    granted = _granted(root)
    if named & {PULL_REQUEST, TARGET, FINISHED}:
        for name in WRITES:
            if granted is not None and name not in granted:
                yield f"no job has the permission `{name}: write`"


def _granted(root: MappingNode) -> set[str] | None:
    """Permissions to write, of the workflow or of any job; None when everything may be written."""
    jobs = root.get("jobs")
    inner = [pair.value for pair in jobs.pairs] if isinstance(jobs, MappingNode) else []
    found: set[str] = set()
    for node in (root, *inner):
        permissions = node.get("permissions") if isinstance(node, MappingNode) else None
        if isinstance(permissions, ScalarNode) and permissions.text == "write-all":
            return None
        if isinstance(permissions, MappingNode):
            pairs = permissions.pairs
            found |= {
                each.key.text for each in pairs if isinstance(each.value, ScalarNode) and each.value.text == "write"
            }
    return found


def _names(node: Node | None) -> set[str]:
    """The names a workflow gives as one word, as a list, or as keys."""
    if isinstance(node, ScalarNode):
        return {node.text}
    if isinstance(node, SequenceNode):
        return {item.text for item in node.items if isinstance(item, ScalarNode)}
    return {pair.key.text for pair in node.pairs} if isinstance(node, MappingNode) else set()
