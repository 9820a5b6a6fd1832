"""Phrases of the table that several of its rows say."""

from __future__ import annotations

from bot.model.pull import PullState
from bot.model.text import code, counted, listed
from bot.stack.commands import in_line, printable
from bot.stack.names import label, may_be_printed
from bot.stack.situation import Situation

MAX_OWN = 12


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
    """How to get out of the block of commands, or why there is none."""
    cut = here.cut
    if here.child.head_repository:
        return _in_a_fork(here)
    if not printable(here):
        return "A branch has a name that is not safe to paste, so no commands are shown."
    if cut is None:
        return ""
    picked = cut.merges and bool(cut.own)
    tool = "cherry-pick" if picked else "rebase"
    skip = " A commit that is there already is passed with `git cherry-pick --skip`." if picked else ""
    reset = ", then `git reset --hard` to what you noted" if picked else ""
    line = in_line(here)
    branches = " ".join(each.head_ref for each in (here.child, *line))
    along = f" {listed([label(each) for each in line])} {'moves' if len(line) == 1 else 'move'} along." if line else ""
    return (
        f"Note {code(f'git rev-parse {branches}')} first. If it stops: solve, `git {tool} --continue`, then run the "
        f"`git push` line; to give up, `git {tool} --abort`{reset}.{skip}{along}"
    )


def _in_a_fork(here: Situation) -> str:
    if here.cut is None or here.cut.merges or not may_be_printed(here.trunk):
        return "Its head is in a fork, so the rebase is to be made there."
    step = f"git rebase --onto {here.trunk} {here.cut.commit}"
    return f"Its head is in a fork: there, after a fetch of this repository, {code(step)} is the step to take."


def approvals(here: Situation) -> str:
    count = here.child.approvals
    if count is None:
        return "A change of the base can dismiss approvals."
    if not count:
        return ""
    which = "the approval" if count == 1 else f"the {count} approvals"
    return f"Changing the base can dismiss {which} here."


def no_plain_rebase(here: Situation) -> str:
    """A command that must not be run is named only where its name is safe to read as one."""
    plain = f"a plain {code(f'git rebase origin/{here.trunk}')}" if may_be_printed(here.trunk) else "a plain rebase"
    return f"{plain} would replay {carried(here)} of it again, or bring back what was reverted"


def carried(here: Situation) -> str:
    count = len(here.cut.parents) if here.cut is not None else 0
    return counted(count, "commit")


def parent(here: Situation) -> str:
    return label(here.parent) if here.parent is not None else "its parent"


def could_not_tell(here: Situation) -> str:
    number = here.parent.number if here.parent is not None else 0
    fetch = ["git fetch --unshallow origin"]
    fetch += [f"git fetch origin refs/pull/{number}/head"] if number else []
    state = here.parent.state if here.parent is not None else PullState.OPEN
    ended = {PullState.MERGED: "is merged", PullState.CLOSED: "was closed without a merge"}.get(state, "is open")
    return (
        f"{parent(here)} {ended}. Whether a rebase is needed could not be told: commits of the two could not be seen. "
        f"In a clone, {' and '.join(map(code, fetch))} {'get' if number else 'gets'} them."
    )


def joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _subject(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
