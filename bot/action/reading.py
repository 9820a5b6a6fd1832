"""The two trees of a pull request: from the checkout when it has the commits, else through the API."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.action.log import say
from bot.forge.client import Client
from bot.forge.landing import read_landing, read_span
from bot.local.failure import LocalError
from bot.local.source import read_local
from bot.model.pull import Pull
from bot.model.remote import Landing
from bot.ports import Reading


def read_trees(client: Client, folder: Path, pull: Pull, landing: Landing) -> Reading:
    """What would land, and the live base."""
    local = _from_checkout(folder, pull)
    if local is not None:
        return local
    return read_landing(client, pull, landing)


def read_group(client: Client, folder: Path, pull: Pull) -> Reading:
    """Base and head of a merge group, whose head is what will land."""
    return _from_checkout(folder, pull) or read_span(client, pull)


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
