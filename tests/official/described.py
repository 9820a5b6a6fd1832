"""GitHub's description of its REST API, asked for one route at a time."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

FOLDER = Path(os.environ.get("COMPOSE_REVIEW_OFFICIAL", Path(__file__).parents[2] / ".cache" / "official"))


def described(name: str) -> Path:
    """One of the fetched files; skips the test, with the reason, where it is not there."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"no {path}: `make test` fetches it where npm is installed")
    return path


@cache
def _document() -> Any:
    return json.loads((FOLDER / "openapi.json").read_text())


def there() -> bool:
    return (FOLDER / "openapi.json").is_file()


def request_faults(method: str, route: str, query: dict[str, str], body: Any) -> list[str]:
    """Why GitHub would not take a request: unknown parameters, a body of another shape."""
    operation = _operation(method, route)
    if operation is None:
        return [f"{method} {route}: not described"]
    known = {each["name"] for each in _parameters(operation) if each["in"] == "query"}
    faults = [f"{method} {route}: no parameter {name}" for name in query if name not in known]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None:
        faults += _faults(f"{method} {route}", content["schema"], body if body is not None else {})
    elif body is not None:
        faults.append(f"{method} {route}: takes no body")
    return faults


def answer_faults(method: str, route: str, status: int, answer: Any) -> list[str]:
    """Why an answer is none that GitHub gives."""
    operation = _operation(method, route) or {"responses": {}}
    response = _resolved(operation["responses"].get(str(status)))
    if response is None:
        # Limits and server faults hold for every route and are described for none.
        return [] if status in (401, 403, 404, 429) or status >= 500 else [f"{method} {route}: no answer {status}"]
    content = response.get("content", {}).get("application/json")
    if content is None:
        return [] if answer is None else [f"{method} {route}: {status} has no body"]
    return _faults(f"{method} {route} {status}", content["schema"], answer)


def completed(method: str, route: str, status: int, answer: Any) -> Any:
    """Our answer laid over GitHub's own example of it: everything that is not told by the state is there too."""
    operation = _operation(method, route)
    response = _resolved(operation["responses"].get(str(status))) if operation else None
    content = (response or {}).get("content", {}).get("application/json", {})
    example = next((_resolved(each)["value"] for each in content.get("examples", {}).values()), None)
    return answer if example is None else _laid_over(example, answer)


def _laid_over(example: Any, answer: Any) -> Any:
    if isinstance(example, dict) and isinstance(answer, dict):
        return {**example, **{key: _laid_over(example.get(key), value) for key, value in answer.items()}}
    if isinstance(example, list) and isinstance(answer, list) and example:
        return [_laid_over(example[0], each) for each in answer]
    return answer


def _operation(method: str, route: str) -> Any:
    return _document()["paths"].get(route, {}).get(method.lower())


def _parameters(operation: Any) -> list[Any]:
    return [_resolved(each) for each in operation.get("parameters", ())]


def _resolved(node: Any) -> Any:
    while isinstance(node, dict) and "$ref" in node:
        here = _document()
        for step in node["$ref"].removeprefix("#/").split("/"):
            here = here[step.replace("~1", "/").replace("~0", "~")]
        node = here
    return node


def _faults(where: str, schema: Any, instance: Any) -> list[str]:
    validator = _validator(json.dumps(schema, sort_keys=True))
    return [
        f"{where}: {error.message[:200]} at {list(error.instance_path)}" for error in validator.iter_errors(instance)
    ]


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.Draft202012Validator(_plain(json.loads(schema), ()))


def _plain(node: Any, above: tuple[str, ...]) -> Any:
    """OpenAPI 3.0's dialect as JSON Schema: references put in their place, `nullable` spelled out."""
    if isinstance(node, list):
        return [_plain(each, above) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        if node["$ref"] in above:
            return {}  # a shape that holds itself: one turn of it is enough
        return _plain(_resolved(node), (*above, node["$ref"]))
    found = {key: _plain(value, above) for key, value in node.items() if key not in ("example", "examples", "nullable")}
    if node.get("nullable"):
        return {"anyOf": [found, {"type": "null"}]}
    return found
