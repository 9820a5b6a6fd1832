"""The cold start: from nothing to head, in start order."""

from __future__ import annotations

from bot.deploy import words
from bot.deploy.gates import edges, gate_edges, gates
from bot.deploy.mermaid import graph
from bot.deploy.state import State
from bot.model.plan import Operation, Plan, PlanKind, Reason, Verb
from bot.model.project import Project


def cold(base: Project | None, head: State) -> Plan:
    """Every service in the order it starts, with what it is started after; the gates as a graph where they changed."""
    operations = tuple(
        Operation(name, Verb.CREATE, words.start(head.waits(name)), service.at, reason=Reason.NEW)
        for name, service in head.services.items()
        if name in head.asked
    )
    found = gates(base, head)
    changed = gate_edges(base) != gate_edges(head.project)
    return Plan(
        path=head.project.path,
        kind=PlanKind.COLD,
        command=head.command.text,
        operations=operations,
        project=head.said_name,
        together=head.project.together,
        profile=head.profile,
        removes_orphans=head.command.orphans_go,
        gates=found,
        graph=graph(found, head, edges(base), mark=base is not None) if changed else "",
    )
