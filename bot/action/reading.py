"""The two trees of a pull request: from the checkout when it has the commits, else through the API."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from bot.action.log import say
from bot.forge.client import Client
from bot.forge.errors import ForgeError
from bot.forge.landing import read_landing, read_span
from bot.forge.prefetch import likely
from bot.forge.trees import Blobs, ForgeTree
from bot.local.failure import LocalError
from bot.local.git_tree import tree_of
from bot.local.repository import Repository
from bot.local.source import read_local
from bot.model.pull import Pull
from bot.model.remote import Landing
from bot.ports import Reading, Tree


def read_trees(client: Client, folder: Path, pull: Pull, landing: Landing) -> Reading:
    """What would land, and the live base."""
    local = _from_checkout(folder, pull)
    if local is not None:
        return local
    return read_landing(client, pull, landing)


def read_group(client: Client, folder: Path, pull: Pull) -> Reading:
    """Base and head of a merge group, whose head is what will land."""
    return _from_checkout(folder, pull) or read_span(client, pull)


def read_commit(client: Client, folder: Path, repository: str, commit: str) -> Tree | None:
    """The tree of one commit: out of the checkout, else through the API; None when it cannot be read."""
    try:
        clone = Repository(folder) if (folder / ".git").exists() else None
        if clone is not None and clone.has(commit):
            return tree_of(clone.store, commit)
    except LocalError as error:
        say(f"The checkout is not used ({error}).")
    try:
        blobs = Blobs(client, repository)
        tree = ForgeTree(client, repository, commit, blobs)
        blobs.many(likely(tree.entries.values()))
    except ForgeError as error:
        say(f"{commit[:12]} could not be read: {error}")
        return None
    return tree


def _from_checkout(folder: Path, pull: Pull) -> Reading | None:
    """None when the clone lacks a commit, or the commits between the two: then it could answer wrongly."""
    if not (folder / ".git").exists() or not pull.base_sha or not pull.head_sha:
        return None
    try:
        reading = read_local(base=pull.base_sha, head=pull.head_sha, repo=folder)
    except LocalError as error:
        say(f"The checkout is not used ({error}); files are read through the API instead.")
        return None
    if reading.gaps:
        return None
    return replace(reading, pull=pull, base_name=pull.base_ref, head_name=pull.head_ref)
