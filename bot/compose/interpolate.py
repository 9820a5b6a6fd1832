"""Phase 3, interpolate: the variables of a text, and then the casts of typed fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.compose.context import Context, Unset
from bot.compose.template import InvalidTemplate, Required, Substitution, Use, substitute
from bot.model.project import ProblemKind, VariableUse
from bot.model.value import Value

Path = tuple[str, ...]

_TRUE = {"true", "y", "yes", "on"}
_FALSE = {"false", "n", "no", "off"}
_PLAIN_TRUE = {"true", "false"}
_INTEGER = re.compile(r"[-+]?[0-9]{1,19}")

# Fields that are numbers or booleans whatever quotes the author wrote. `*` stands for any one step.
_CASTS: Mapping[str, type] = {
    "services.*.healthcheck.retries": int,
    "services.*.healthcheck.disable": bool,
    "services.*.deploy.replicas": int,
    "services.*.deploy.update_config.parallelism": int,
    "services.*.deploy.update_config.max_failure_ratio": float,
    "services.*.deploy.rollback_config.parallelism": int,
    "services.*.deploy.rollback_config.max_failure_ratio": float,
    "services.*.deploy.restart_policy.max_attempts": int,
    "services.*.deploy.placement.max_replicas_per_node": int,
    "services.*.deploy.resources.limits.pids": int,
    "services.*.deploy.resources.reservations.generic_resources.*.discrete_resource_spec.value": int,
    "services.*.ports.*.target": int,
    "services.*.init": bool,
    "services.*.attach": bool,
    "services.*.build.no_cache": bool,
    "services.*.build.pull": bool,
    "services.*.build.privileged": bool,
    "services.*.post_start.*.privileged": bool,
    "services.*.pre_stop.*.privileged": bool,
    "services.*.privileged": bool,
    "services.*.read_only": bool,
    "services.*.stdin_open": bool,
    "services.*.tty": bool,
    "services.*.volumes.*.read_only": bool,
    "services.*.volumes.*.bind.create_host_path": bool,
    "services.*.volumes.*.volume.nocopy": bool,
    "services.*.cpu_percent": float,
    "services.*.cpu_count": int,
    "services.*.cpu_quota": int,
    "services.*.cpu_period": int,
    "services.*.cpu_rt_period": int,
    "services.*.cpu_rt_runtime": int,
    "services.*.oom_kill_disable": bool,
    "services.*.oom_score_adj": int,
    "services.*.pids_limit": int,
    "services.*.mem_swappiness": int,
    "services.*.scale": int,
    "services.*.depends_on.*.required": bool,
    "services.*.depends_on.*.restart": bool,
    "networks.*.external": bool,
    "networks.*.internal": bool,
    "networks.*.attachable": bool,
    "networks.*.enable_ipv4": bool,
    "networks.*.enable_ipv6": bool,
    "volumes.*.external": bool,
    "secrets.*.external": bool,
    "configs.*.external": bool,
}
_Step = dict[str, Any]  # the table as a tree: a type at its leaves


def _tree(patterns: Mapping[str, type]) -> _Step:
    root: _Step = {}
    for pattern, kind in patterns.items():
        *parents, last = pattern.split(".")
        here = root
        for step in parents:
            here = here.setdefault(step, {})
        here[last] = kind
    return root


_TREE = _tree(_CASTS)


def interpolated(value: Value, context: Context, path: Sequence[str]) -> Value:
    """A text with its variables replaced; the text itself where Compose refuses it, which is then a problem."""
    text = value.as_text
    try:
        keep = context.unset is Unset.KEEP
        done = substitute(text, context.variables.get, keep) if context.variables else _without_variables(text, keep)
    except InvalidTemplate:
        says = (
            f"invalid interpolation format for {'.'.join(path)}.\nYou may need to escape any $ with another $.\n{text}"
        )
        context.refuse(ProblemKind.INTERPOLATION, says, value.at, "template", *path)
        return value
    except Required as error:
        says = f"error while interpolating {'.'.join(path)}: {error}"
        context.refuse(ProblemKind.INTERPOLATION, says, value.at, "required", *path)
        _note(error.uses, value, text, context)
        return value
    for name in done.blank:
        context.warn(f'"The \\"{name}\\" variable is not set. Defaulting to a blank string."')
    _note(done.uses, value, text, context)
    unknown = tuple(dict.fromkeys(done.unknown)) if done.unknown else ()
    return Value(done.text, value.at, value.key_at, unknown, value.source)


@lru_cache(maxsize=4096)  # labels and scripts say the same in many services
def _without_variables(text: str, keep: bool) -> Substitution:
    return substitute(text, lambda name: None, keep)  # noqa: ARG005


def _note(uses: Sequence[Use], value: Value, text: str, context: Context) -> None:
    if not uses:
        return
    place = value.placer() if value.at.end_line > value.at.line else None
    for use in uses:
        at = place(max(text.find(use.name), 0)) if place is not None else value.at
        default = use.operand if use.operator.endswith("-") else None
        presence = use.operand if use.operator.endswith("+") else None
        context.uses.append(VariableUse(use.name, use.operator.endswith("?"), default, at, presence))


def cast(value: Value, context: Context) -> Value:
    """A document with its typed fields cast, whatever quotes the author wrote."""
    return _below(value, _TREE, context, ())


def _below(value: Value, tree: Any, context: Context, path: Path) -> Value:
    if not isinstance(tree, dict):
        return _cast(value, tree, context, path) if isinstance(value.data, str) and not value.unknown else value
    changes: dict[Any, Value] = {}
    for key, inner in _children(value):
        below = tree.get(key, tree.get("*"))
        if below is not None:
            new = _below(inner, below, context, (*path, str(key)))
            if new is not inner:
                changes[key] = new
    if not changes:
        return value
    if isinstance(value.data, dict):
        return Value({**value.data, **changes}, value.at, value.key_at)
    return Value(tuple(changes.get(index, inner) for index, inner in _children(value)), value.at, value.key_at)


def _children(value: Value) -> Iterable[tuple[Any, Value]]:
    if isinstance(value.data, dict):
        return value.data.items()
    return enumerate(value.data) if isinstance(value.data, tuple) else ()


def _cast(value: Value, kind: type, context: Context, path: Path) -> Value:
    text = value.as_text
    try:
        data = _boolean(text, context) if kind is bool else _number(text, kind)
    except ValueError:
        fault = f"invalid boolean: {text}" if kind is bool else f'strconv.Atoi: parsing "{text}": invalid syntax'
        says = f"error while interpolating {'.'.join(path)}: failed to cast to expected type: {fault}"
        context.refuse(ProblemKind.INTERPOLATION, says, value.at, "cast", *path)
        return value
    return Value(data, value.at, value.key_at, (), value.source)


def _number(text: str, kind: type) -> int | float:
    """As Go reads one: without blanks around it and without `_` in it."""
    if kind is int and not _INTEGER.fullmatch(text):
        raise ValueError(text)
    if "_" in text or text != text.strip():
        raise ValueError(text)
    return float(text) if kind is float else int(text)


def _boolean(text: str, context: Context) -> bool:
    lowered = text.lower()
    if lowered not in _TRUE | _FALSE:
        raise ValueError(text)
    if lowered not in _PLAIN_TRUE:
        meant = "true" if lowered in _TRUE else "false"
        context.warn(f'"\\"{lowered}\\" for boolean is not supported by YAML 1.2, please use `{meant}`"')
    return lowered in _TRUE
