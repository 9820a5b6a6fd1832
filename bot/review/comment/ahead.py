"""What happens next: the deploy, what it needs, and the stack."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.review import Review, StackEntry
from bot.model.text import codes
from bot.review import deploy
from bot.review.engine import rendered
from bot.review.escape import NOTHING, Safe, block, emphasised, ours, prose
from bot.review.links import Links
from bot.review.shed import Items, Name, Part, Whole

MAX_DANGERS = 3
MAX_GRAPHS = 3


def deployment(review: Review, links: Links) -> Iterator[Part]:
    rows = deploy.rows(review.plans)
    if not rows:
        return
    columns = deploy.columns(rows)
    shown = [
        {
            "subject": prose(
                deploy.subject(row, [links.name(plan.path) for plan in row.plans]),
                links.in_summary(table=True),
                table=True,
            ),
            "cells": [row.cells[name] for name in columns],
            "kept": row.kept,
            "causes": deploy.causes(row),
        }
        for row in rows
    ]
    commands = {row.plan.command for row in rows}
    command = commands.pop() if len(commands) == 1 else None
    text = rendered(
        "deploy",
        rows=shown,
        columns=columns,
        command=command,
        targeted=review.targeted,
        dangers=deploy.dangers(rows)[:MAX_DANGERS],
    )
    yield Whole(Name.DEPLOY, text, (ours("The deploy plan is in the job summary"),))
    told = [row for row in shown if row["causes"]]
    if told:
        yield Whole(Name.CAUSES, rendered("causes", rows=told), (NOTHING,))
    pictures = [
        {"files": prose(codes([links.name(path) for path in paths])), "picture": block(graph.strip(), "mermaid")}
        for graph, paths in deploy.graphs(review.plans).items()
    ][:MAX_GRAPHS]
    if pictures:
        yield Whole(Name.GATES, rendered("gates", pictures=pictures), (NOTHING,))


def prerequisites(review: Review, links: Links) -> Iterator[Part]:
    lines = tuple(
        rendered("prerequisite", text=prose(text), places=links.places(each.at for each in found))
        for text, found in deploy.needs(review.prerequisites).items()
    )
    if lines:
        yield Items(Name.PREREQUISITES, rendered("heading", heading=ours("Before the deploy")), lines)


def stack(review: Review, links: Links) -> Iterator[Part]:  # noqa: ARG001 - one signature for all parts
    if review.stack.parent or review.stack.children or review.stack.say:
        yield Whole(Name.STACK, _stack(review, True), (_stack(review, False),))


def _stack(review: Review, whole: bool) -> Safe:
    """With commands and picture, or the sentences alone."""
    found = review.stack
    entries = [*([found.parent] if found.parent else []), *found.children]

    def entry(each: StackEntry) -> dict[str, object]:
        commands = block("\n".join(each.commands), "sh") if each.commands and whole else None
        return {"number": each.number, "say": emphasised(each.say, found.numbers), "commands": commands}

    return rendered(
        "stack",
        say=emphasised(found.say, found.numbers),
        entries=[entry(each) for each in entries],
        picture=block(found.picture, "mermaid") if found.picture and whole else None,
    )
