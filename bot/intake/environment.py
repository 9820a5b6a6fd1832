"""What a workflow's runner tells a job: the event, where to write, which GitHub this is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from bot.intake.inputs import InputError, Inputs, inputs_of

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
API_URL = "https://api.github.com"
SERVER_URL = "https://github.com"
# GitHub caps a payload at 25 MB; more than that is not one.
MAX_EVENT_BYTES = 32 * 1024 * 1024


class Surroundings(Struct, frozen=True):
    """`folder` is the checkout, if there is one. `run` rises with every run of the repository."""

    event: str
    payload: Mapping[str, Any]
    repository: str
    inputs: Inputs
    api_url: str = API_URL
    server_url: str = SERVER_URL
    folder: Path = Path()
    run: int = 0
    attempt: int = 1
    output: Path | None = None
    summary: Path | None = None
    # One unit of waiting, in seconds: the pause between two writes and the base of every back-off.
    pace: float = 1.0
    environment: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Surroundings({self.event!r} of {self.repository!r})"  # the environment holds the token

    @property
    def run_url(self) -> str:
        """The page of this run, empty outside of a workflow."""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run}" if self.run else ""


def surroundings_of(environment: Mapping[str, str]) -> Surroundings:
    """Read the environment and the event. InputError names all that is missing or wrong."""
    faults: list[str] = []
    event = _required(environment, "GITHUB_EVENT_NAME", faults)
    repository = _required(environment, "GITHUB_REPOSITORY", faults)
    if repository and not _REPOSITORY.fullmatch(repository):
        faults.append("GITHUB_REPOSITORY must be `owner/name`")
    payload = _payload(environment, faults)
    inputs = Inputs()
    try:
        inputs = inputs_of(environment)
    except InputError as error:
        faults.append(str(error))
    api_url = _url(environment, "GITHUB_API_URL", API_URL, faults)
    server_url = _url(environment, "GITHUB_SERVER_URL", SERVER_URL, faults)
    if faults:
        raise InputError("\n".join(faults))
    return Surroundings(
        event=event,
        payload=payload,
        repository=repository,
        inputs=inputs,
        api_url=api_url,
        server_url=server_url,
        folder=Path(environment.get("GITHUB_WORKSPACE") or "."),
        run=_count(environment, "GITHUB_RUN_ID", 0),
        attempt=_count(environment, "GITHUB_RUN_ATTEMPT", 1),
        output=_file(environment, "GITHUB_OUTPUT"),
        summary=_file(environment, "GITHUB_STEP_SUMMARY"),
        pace=_pace(environment),
        environment=dict(environment),
    )


def _required(environment: Mapping[str, str], name: str, faults: list[str]) -> str:
    found = environment.get(name, "")
    if not found:
        faults.append(f"{name} is not set: this command runs inside a GitHub workflow")
    return found


def _payload(environment: Mapping[str, str], faults: list[str]) -> Mapping[str, Any]:
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        faults.append("GITHUB_EVENT_PATH is not set: this command runs inside a GitHub workflow")
        return {}
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_EVENT_BYTES + 1)
        if len(data) > MAX_EVENT_BYTES:
            raise ValueError(f"it is larger than {MAX_EVENT_BYTES:,} bytes")
        payload = json.loads(data.decode("utf-8-sig") or "{}")
    except OSError as error:
        faults.append(f"the event file cannot be read: {error.strerror}")
    except (ValueError, RecursionError) as error:
        faults.append(f"the event file is not JSON: {error}")
    else:
        if isinstance(payload, dict):
            return payload
        faults.append("the event file must hold a JSON object")
    return {}


def _url(environment: Mapping[str, str], name: str, default: str, faults: list[str]) -> str:
    found = environment.get(name) or default
    parts = urlsplit(found)
    if parts.scheme not in ("https", "http") or not parts.hostname or not found.isprintable():
        faults.append(f"{name} must be the address of a server")
    return found.rstrip("/")


def _count(environment: Mapping[str, str], name: str, default: int) -> int:
    found = environment.get(name, "")
    return int(found) if re.fullmatch(r"\d{1,18}", found, re.ASCII) else default


def _file(environment: Mapping[str, str], name: str) -> Path | None:
    return Path(environment[name]) if environment.get(name) else None


def _pace(environment: Mapping[str, str]) -> float:
    """`COMPOSE_REVIEW_PACE`, for servers of one's own that have no limits, and for tests."""
    found = environment.get("COMPOSE_REVIEW_PACE", "")
    return float(found) if re.fullmatch(r"\d(\.\d{1,4})?", found, re.ASCII) else 1.0
