"""Scrape targets in the configurations of Prometheus and of OpenTelemetry collectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.model.facts import Embedded, Scrape
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode


def scrapes(bodies: Iterable[Embedded]) -> tuple[Scrape, ...]:
    """Every static target of every `scrape_configs` list, wherever it stands in a body."""
    return tuple(
        target
        for body in bodies
        if body.root is not None
        for configs in _lists(body.root)
        for job in configs.items
        if isinstance(job, MappingNode)
        for target in _targets(job)
    )


def _lists(root: Node) -> Iterator[SequenceNode]:
    stack, seen = [root], set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            stack.extend(reversed(node.items))
        elif isinstance(node, MappingNode):
            for pair in reversed(node.pairs):
                if pair.key.text == "scrape_configs" and isinstance(pair.value, SequenceNode):
                    yield pair.value
                else:
                    stack.append(pair.value)


def _targets(job: MappingNode) -> Iterator[Scrape]:
    name, path = _text(job.get("job_name")), _text(job.get("metrics_path")) or "/metrics"
    groups = job.get("static_configs")
    for group in groups.items if isinstance(groups, SequenceNode) else ():
        if not isinstance(group, MappingNode):
            continue
        labels = group.get("labels")
        stated = {
            pair.key.text: pair.value
            for pair in (labels.pairs if isinstance(labels, MappingNode) else ())
            if isinstance(pair.value, ScalarNode)
        }
        addresses = group.get("targets")
        for address in addresses.items if isinstance(addresses, SequenceNode) else ():
            if isinstance(address, ScalarNode):
                host, _, port = address.text.rpartition(":")
                yield Scrape(name, host or port, port if host else "", path, stated, address.at)


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, ScalarNode) else ""
