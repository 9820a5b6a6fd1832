"""Sizes and durations as Compose writes them."""

from __future__ import annotations

import re

_SIZE = re.compile(r"(?P<number>\d+(?:\.\d+)?) ?(?P<unit>[kKmMgGtTpP]?)(?P<rest>[iI]?[bB]?)")
_LONGEST = 100  # characters; what is longer is no size or time that anybody means
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_DURATION = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w)")
_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
    "w": 604_800_000_000_000,
}


def size(text: str) -> str:
    """`1.5g` as "1610612736". Raises ValueError with Compose's words."""
    text = text.strip()
    if len(text) > _LONGEST:
        raise ValueError(f"invalid size: '{text[:_LONGEST]}…'")
    if re.fullmatch(r"-?\d+", text):
        return str(int(text))
    found = _SIZE.fullmatch(text)
    if found is None:
        suffix = re.sub(r"^[\d. ]+", "", text)
        raise ValueError(f"invalid suffix: '{suffix.lower()}'" if suffix != text else f"invalid size: '{text}'")
    return str(int(float(found["number"]) * 1024 ** _POWERS[found["unit"].lower()]))


def duration(text: str) -> str:
    """`90s` as "1m30s", `500ms` as it is, `1h` as "1h0m0s". Raises ValueError with Compose's words."""
    stripped = text.strip()
    sign = "-" if stripped.startswith("-") else ""
    rest = stripped.lstrip("+-")
    if rest == "0":
        return "0s"
    if len(rest) > _LONGEST:
        raise ValueError(f'time: invalid duration "{text[:_LONGEST]}…"')
    if not rest or not re.fullmatch(f"(?:{_DURATION.pattern})+", rest):
        missing = bool(re.fullmatch(r"[\d.]+", rest))
        raise ValueError(f'time: missing unit in duration "{text}"' if missing else f'time: invalid duration "{text}"')
    total = sum(round(float(number) * _NANOSECONDS[unit]) for number, unit in _DURATION.findall(rest))
    return sign + _spoken(total) if total else "0s"


def _spoken(total: int) -> str:
    if total < 1_000_000_000:
        for unit, length in (("ms", 1_000_000), ("µs", 1_000), ("ns", 1)):
            if total >= length:
                return f"{_trimmed(total / length)}{unit}"
    hours, rest = divmod(total, _NANOSECONDS["h"])
    minutes, rest = divmod(rest, _NANOSECONDS["m"])
    seconds = _trimmed(rest / 1_000_000_000)
    if hours:
        return f"{hours}h{minutes}m{seconds}s"
    return f"{minutes}m{seconds}s" if minutes else f"{seconds}s"


def _trimmed(number: float) -> str:
    return f"{number:.9f}".rstrip("0").rstrip(".")
