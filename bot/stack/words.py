"""Phrases of the table that several of its rows say."""

from __future__ import annotations

from bot.model.text import code, counted
from bot.stack.names import label
from bot.stack.situation import Situation

MAX_OWN = 12

WAY_BACK = (
    "Note `git rev-parse {branch}` first. If it stops: solve, `git {tool} --continue`, then run the `git push` line; "
    "to give up, `git {tool} --abort`{reset}."
)


def own(here: Situation) -> str:
    """The child's own commits, for its author to check: the one thing that Git cannot know for sure."""
    cut = here.cut
    if cut is None or not cut.own:
        return ""
    shown = [f"{code(f'{each.sha[:7]} {_subject(each.subject)}')}" for each in reversed(cut.own[:MAX_OWN])]
    more = f" and {len(cut.own) - MAX_OWN} more" if len(cut.own) > MAX_OWN else ""
    verb = "Its own commit is" if len(cut.own) == 1 else "Its own commits are"
    return f"{verb} {', '.join(shown)}{more}: please check."


def way_back(here: Situation) -> str:
    cut = here.cut
    if cut is None or here.child.head_repository:
        return ""
    tool = "cherry-pick" if cut.merges else "rebase"
    reset = (
        f", then `git reset --hard` to what you noted ({code(here.child.head_ref)} stands elsewhere by then)"
        if cut.merges
        else ""
    )
    return WAY_BACK.format(branch=here.child.head_ref, tool=tool, reset=reset)


def in_a_fork(here: Situation) -> str:
    if not here.child.head_repository or here.cut is None:
        return ""
    step = f"git rebase --onto {here.trunk} {here.cut.commit}"
    return f"Its head is in a fork: there, after a fetch of this repository, {code(step)} is the step to take."


def carried(here: Situation) -> str:
    count = len(here.cut.parents) if here.cut is not None else 0
    return counted(count, "commit")


def parent(here: Situation) -> str:
    return label(here.parent) if here.parent is not None else "its parent"


def _subject(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
