"""Durations as Compose writes them."""

from __future__ import annotations

import re

_PART = re.compile(r"(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(text: str | None, default: float) -> float:
    """`1m30s` as 90.0; the default where nothing, or nothing readable such as a variable, is written."""
    if not text or len(text) > 100 or not re.fullmatch(f"(?:{_PART.pattern})+", text):
        return default
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))


def spoken(amount: float) -> str:
    """`90.0` as `1m30s`; whole seconds."""
    rest = round(amount)
    parts = []
    for unit, size in (("h", 3600), ("m", 60), ("s", 1)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
