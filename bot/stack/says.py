"""What the rows of the table say: the verdict, what a merge would do now, why, and what is the author's own."""

from __future__ import annotations

from bot.model.text import code, counted
from bot.stack import words
from bot.stack.names import label
from bot.stack.situation import Situation


def lost(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    count = f"its {counted(len(here.cut.own), 'commit')}" if here.cut is not None and here.cut.own else "its commits"
    verb = "is" if here.cut is not None and len(here.cut.own) == 1 else "are"
    return (
        f"**{label(here.child)} is merged into {a}, and {count} {verb} not on {t}.** Nothing takes them there: "
        f"{words.parent(here)} had ended before. Do not delete {a} or {code(here.child.head_ref)} until they are."
    )


def closed_by_deletion(here: Situation) -> str:
    then = ""
    if here.cut is not None and here.landed is not None:
        then = "Then it needs nothing more." if here.landed else "Then it needs a rebase, which its next review tells."
    return words.joined(
        f"**Reopen it before you push**: it was closed because {code(here.child.base_ref)} was deleted, and after a push "
        "GitHub refuses for ever.",
        then,
    )


def retarget_only(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    return words.joined(
        f"**Retarget only: {words.parent(here)} is merged.** This still targets {a}, and merging it now would land it there, "
        f"not on {t}. No rebase: it already stands on what landed. Checks that do not start by themselves afterwards do "
        "when it is closed and reopened.",
        words.approvals(here),
    )


def retarget_and_merge(here: Situation) -> str:
    t = code(here.trunk)
    return words.joined(
        f"**Retarget, then merge {t} in once: {words.parent(here)} is merged.** This still targets "
        f"{code(here.child.base_ref)}, and merging it now would land it there, not on {t}. {t} was merged into this branch "
        f"before, so that a retarget alone would show the files of {words.parent(here)} again.",
        words.approvals(here),
    )


def rebase_and_retarget(here: Situation) -> str:
    a, t = code(here.child.base_ref), code(here.trunk)
    count = len(here.cut.own) if here.cut else 0
    return words.joined(
        f"**Retarget and rebase: {words.parent(here)} is merged.** This still targets {a}: merging it now would put "
        f"{counted(count, 'commit')} on {a}, not on {t}.",
        f"{words.parent(here)} landed as new commits, so {words.no_plain_rebase(here)}.",
        f"This replays only its own {counted(count, 'commit')}." if here.cut and here.cut.merges else "",
        words.own(here),
        words.way_back(here),
        words.approvals(here),
    )


def still_carries(here: Situation) -> str:
    one = here.cut is not None and len(here.cut.parents) == 1
    return words.joined(
        f"**Rebase: it still carries {words.carried(here)} of {words.parent(here)}, which is merged.** The base is right; "
        f"merged like this, {'that commit lands' if one else 'those commits land'} a second time.",
        f"{words.parent(here)} landed as new commits, so {words.no_plain_rebase(here)}.",
        words.own(here),
        words.way_back(here),
    )


def rewritten(here: Situation) -> str:
    one = here.cut is not None and len(here.cut.parents) == 1
    return words.joined(
        f"**Rebase: {words.parent(here)} was pushed by force.** {words.carried(here)} of its old version {'is' if one else 'are'} "
        f"still in here. The base stays {code(here.child.base_ref)}.",
        words.own(here),
        words.way_back(here),
    )


def grown(here: Situation) -> str:
    does_not = "The two do not merge as they are." if here.clashes else ""
    one = here.grown == 1
    return words.joined(
        f"{words.parent(here)} has {counted(here.grown, 'new commit')} that {'is' if one else 'are'} not in here.",
        does_not,
    )


def parent_closed(here: Situation) -> str:
    return words.joined(
        f"**{words.parent(here)} was closed without a merge.** Either take its {words.carried(here)} over by changing the base "
        f"to {code(here.trunk)} alone, or keep only what is this pull request's own, with the commands.",
        words.own(here),
        words.way_back(here),
    )


def contains(here: Situation) -> str:
    count = len(here.cut.own) if here.cut else 0
    fork = here.parent is not None and bool(here.parent.head_repository)
    more = (
        "A fork's branch cannot be its base: review and merge that one first."
        if fork
        else f"To show only its own, set its base to {code(here.parent.head_ref) if here.parent else ''}."
    )
    own = f"the last {counted(count, 'commit')} {'is' if count == 1 else 'are'} its own" if count else "none is its own"
    return f"It contains {words.carried(here)} of {words.parent(here)}; {own}. {more}"


def stacked(here: Situation) -> str:
    empty = here.cut is not None and not here.cut.own
    return words.joined(
        f"It is stacked on {words.parent(here)}, which is open: merge that one first.",
        "It has no commits of its own yet." if empty else "",
    )


def stale_base(here: Situation) -> str:
    wait = " Switch auto-merge off before." if here.child.auto_merge else ""
    return (
        f"It is stacked on {words.parent(here)} and up to date, but GitHub still lists commits of {words.parent(here)} in it: "
        f"setting the base to {code(here.trunk)} and back makes GitHub look again.{wait}"
    )


def tool_made(here: Situation) -> str:
    on = f" and stand on {label(here.parent)}" if here.parent is not None else ""
    return f"Its branches were made by a stacking tool{on}: land it with that tool, not with the merge button."
