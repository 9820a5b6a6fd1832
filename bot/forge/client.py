"""GitHub's API through PyGithub's requester: one place that counts calls, waits, retries and names errors.

PyGithub's own retries are switched off: they repeat a POST blindly and no setting bounds how long all
of them wait together. Here a request that changes nothing, or that may be repeated, is repeated; one that
creates something is repeated only after a look at whether the first try has created it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

import requests
from github import Auth, Github, GithubException, RateLimitExceededException

from bot.forge.errors import ForgeError, Missing, Refused, Rejected, Unreachable
from bot.forge.waiting import Patience

T = TypeVar("T")
_TIMEOUT = 15
_LIMIT_WORDS = ("rate limit", "abuse detection", "secondary", "too quickly")


class _Fault(StrEnum):
    LIMITED = "limited"  # nothing was done: ask again later
    BROKEN = "broken"  # the server failed or the line broke: whether anything was done is not known


class _Failed(Exception):
    def __init__(self, fault: _Fault, says: str, headers: Mapping[str, str]) -> None:
        super().__init__(says)
        self.fault, self.headers = fault, headers


class Client:
    """`calls` counts requests that were sent, repeated ones too."""

    def __init__(self, token: str, api_url: str, patience: Patience) -> None:
        self._github = Github(
            auth=Auth.Token(token),
            base_url=api_url,
            timeout=_TIMEOUT,
            retry=None,
            lazy=True,
            seconds_between_requests=None,
            seconds_between_writes=None,
        )
        self._patience = patience
        self._last_write = 0.0
        self.calls = 0

    def rest(self, seconds: float) -> bool:
        """Wait, as far as this run may still wait."""
        return self._patience.rest(seconds)

    def get(self, path: str, **parameters: Any) -> Any:
        return self._steady("GET", path, parameters=parameters)

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        """Repeated freely: a second time it sets what it has set."""
        return self._steady("PATCH", path, body=body)

    def delete(self, path: str) -> None:
        """Missing is raised when it is gone already."""
        self._steady("DELETE", path)

    def create(self, path: str, body: Mapping[str, Any], made: Callable[[], T | None] | None = None) -> Any | T:
        """POST something new. `made` looks whether a try whose answer was lost has made it, and returns it.

        Without `made`, a lost answer is not followed by a second try: Unreachable is raised.
        """
        tries = 0
        while True:
            tries += 1
            try:
                return self._send("POST", path, body=body)
            except _Failed as failed:
                found = made() if made is not None and failed.fault is _Fault.BROKEN else None
                if found is not None:
                    return found
                again = failed.fault is _Fault.LIMITED or made is not None
                if not (again and self._wait(failed, tries)):
                    raise Unreachable(f"POST {path}: {failed}") from None

    def again(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST something that may be said twice without harm, such as a status or a reaction."""
        return self._steady("POST", path, body=body)

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """A query's data. An error entry raises, also beside data: half an answer is none."""
        answer = self._steady(
            "POST", self._github.requester.graphql_url, body={"query": query, "variables": dict(variables)}
        )
        errors = answer.get("errors") if isinstance(answer, dict) else None
        if errors:
            raise _graphql_error(errors)
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, dict):
            raise Unreachable("POST /graphql: the answer holds no data")
        return data

    def _steady(
        self,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        tries = 0
        while True:
            tries += 1
            try:
                return self._send(method, path, parameters=parameters, body=body)
            except _Failed as failed:
                if not self._wait(failed, tries):
                    raise Unreachable(f"{method} {path}: {failed}") from None

    def _wait(self, failed: _Failed, tries: int) -> bool:
        if failed.fault is _Fault.LIMITED:
            return self._patience.after_limit(tries, failed.headers, time.time())
        return self._patience.after_failure(tries)

    def _send(
        self,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        if method != "GET" and path != self._github.requester.graphql_url:
            self._space_writes()
        self.calls += 1
        began = time.monotonic()
        try:
            _, answer = self._github.requester.requestJsonAndCheck(
                method, path, parameters=dict(parameters or {}), input=dict(body) if body is not None else None
            )
        except GithubException as error:
            raise _named(error, f"{method} {path}") from None
        except requests.exceptions.RequestException as error:
            self._patience.spend(time.monotonic() - began)
            raise _Failed(_Fault.BROKEN, type(error).__name__, {}) from None
        except ValueError:
            raise _Failed(_Fault.BROKEN, "the answer is not JSON", {}) from None
        except AssertionError:
            raise _Failed(_Fault.BROKEN, "the answer points to another server", {}) from None
        return answer

    def _space_writes(self) -> None:
        """A second between writes, as GitHub asks."""
        left = self._last_write + self._patience.pace - time.monotonic()
        if left > 0:
            time.sleep(left)
        self._last_write = time.monotonic()


def _named(error: GithubException, asked: str) -> Exception:
    headers = {key.lower(): value for key, value in (error.headers or {}).items()}
    says = _message(error)
    limited = isinstance(error, RateLimitExceededException) or any(word in says.lower() for word in _LIMIT_WORDS)
    if error.status == 429 or (error.status == 403 and (limited or "retry-after" in headers)):
        return _Failed(_Fault.LIMITED, f"{error.status} {says}", headers)
    if error.status in (401, 403):
        return Refused(f"{asked}: {error.status} {says}")
    if error.status in (404, 410):
        return Missing(f"{asked}: {error.status} {says}")
    if error.status >= 500 or error.status < 400:
        return _Failed(_Fault.BROKEN, f"{error.status} {says}", headers)
    return Rejected(f"{asked}: {error.status} {says}")


def _message(error: GithubException) -> str:
    """The answer's own sentence, with what it says about single fields, on one short line."""
    data = error.data if isinstance(error.data, dict) else {}
    parts = [str(data.get("message", "") if data else error.data or "")]
    details = data.get("errors")
    if isinstance(details, list):
        parts += [str(each.get("message") or each.get("code") or "") for each in details if isinstance(each, dict)]
    return " ".join(" ".join(part for part in parts if part).split())[:300]


def _graphql_error(errors: Any) -> ForgeError:
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    says = f"POST /graphql: {' '.join(str(first.get('message', '')).split())[:300]}"
    kind = first.get("type")
    if kind == "NOT_FOUND":
        return Missing(says)
    if kind in ("FORBIDDEN", "INSUFFICIENT_SCOPES"):
        return Refused(says)
    return Rejected(says)
