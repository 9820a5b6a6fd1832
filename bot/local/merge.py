"""What would land: head merged into base, simulated in the private store."""

from __future__ import annotations

from msgspec import Struct

from bot.local.git import GitFailed
from bot.local.git_tree import GitTree, tree_of
from bot.local.repository import Repository
from bot.model.finding import Gap
from bot.ports import Entry

_CONFLICTS = 1
_USAGE = 129  # `merge-tree --write-tree` is there since Git 2.38


class Landing(Struct, frozen=True):
    """The tree that a merge would leave, as far as it can be told.

    Of a file in conflict head's own side stands in the tree, never text with conflict markers: the merge
    is for the author to make, and head is what the author wrote.
    """

    tree: GitTree
    conflicts: tuple[str, ...] = ()
    gap: Gap | None = None


def landing(repository: Repository, base: str, head: str) -> Landing:
    """Merge two commits, given by their full names. Nothing is written into the repository."""
    store = repository.store
    common = repository.merge_bases(base, head)
    if base in common or head in common:
        return Landing(tree_of(store, head if base in common else base))
    if not common:
        why = "base and head have no commit in common, so Git cannot merge them"
        return Landing(tree_of(store, head), gap=_untold(why))
    try:
        told = store.run(
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
            base,
            head,
            accept=(0, _CONFLICTS),
        )
    except GitFailed as error:
        why = f"the simulated merge failed: {error.answer.says}"
        if error.answer.code == _USAGE:
            why = "it takes Git 2.38 or newer to simulate the merge"
        return Landing(tree_of(store, head), gap=_untold(why))
    tree, *names = told.out.split(b"\0")[:-1]
    merged = tree_of(store, tree.decode())
    if told.code != _CONFLICTS:
        return Landing(merged)
    conflicts = tuple(dict.fromkeys(name.decode("utf-8", "surrogateescape") for name in names if name))
    return Landing(GitTree(store, _with_own_side(merged, tree_of(store, head), conflicts)), conflicts)


def _with_own_side(merged: GitTree, own: GitTree, conflicts: tuple[str, ...]) -> dict[str, Entry]:
    """The merged entries, with those of head for every path in conflict (none where head has none)."""
    entries = {path: merged.entries[path] for path in merged.entries.keys() - set(conflicts)}
    entries.update((path, own.entries[path]) for path in conflicts if path in own.entries)
    return dict(sorted(entries.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape")))


def _untold(why: str) -> Gap:
    return Gap("what would land", f"{why}; head is reviewed as it is")
