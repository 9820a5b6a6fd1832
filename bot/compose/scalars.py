"""Plain scalars as Docker Compose reads them: neither YAML 1.1 nor 1.2, but what its parser does."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC, datetime

from bot.model.node import ScalarNode, Style

Typed = None | bool | int | float | str

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = {".inf": "inf", ".Inf": "inf", ".INF": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan", ".NaN": "nan"}
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?:\s*(?:Z|[-+]\d{2}:?\d{2}))?)?")
_TEXT_TAGS = {"!", "tag:yaml.org,2002:str", "!!str"}


def typed(node: ScalarNode) -> Typed:
    """A scalar's value. Quoted and block scalars are text; so is everything with a tag of its own."""
    if node.tag is not None and node.tag not in ("!reset", "!override"):
        return _tagged(node)
    return plain(node.text) if node.style is Style.PLAIN else node.text


def _tagged(node: ScalarNode) -> Typed:
    tag = node.tag or ""
    if tag in _TEXT_TAGS:
        return node.text
    if tag.endswith(":binary"):
        try:
            return base64.b64decode(node.text, validate=False).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return node.text
    return plain(node.text)


_MAX_DIGITS = 308  # a number that is longer fits no float


def plain(text: str) -> Typed:
    """`yes` and `1:30` are text, `0777` is octal, `1e3` a number, `2024-01-02` a time."""
    if text in _NULL:
        return None
    first = text[0]
    if first not in "0123456789+-.tTfF":
        return text
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        number = text.replace("_", "").lower()
        sign = -1 if number.startswith("-") else 1
        digits = number.lstrip("+-")
        base = {"0b": 2, "0o": 8, "0x": 16}.get(digits[:2], 8 if digits.startswith("0") and len(digits) > 1 else 10)
        if len(digits) > _MAX_DIGITS:
            return text
        found = sign * int(digits[2:] if digits[:2] in ("0b", "0o", "0x") else digits, base)
        return found if -(2**63) <= found < 2**64 or base != 10 else float(found)  # as Go's reader has it
    if _FLOAT.fullmatch(text):
        return float(text)
    if text in _SPECIAL:
        return float(_SPECIAL[text])
    return _time(text) or text


def _time(text: str) -> str | None:
    """A date or time as Go prints it; None when it is neither."""
    if not _DATE.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text.replace(" ", "T", 1) if "T" not in text.upper() else text)
    except ValueError:
        return None
    zoned = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return f"{zoned:%Y-%m-%d %H:%M:%S} +0000 UTC"


def spelled(value: Typed) -> str:
    """A value as Compose writes it where it wants text: `1.10` as "1.1", `1e3` as "1000"."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    return str(value)


def _float(value: float) -> str:
    """Go's shortest form: with an exponent below 1e-4 and from 1e6 on."""
    if value != value or value in (float("inf"), float("-inf")):
        return {"inf": "+Inf", "-inf": "-Inf"}.get(str(value), "NaN")
    if value == 0:
        return "-0" if str(value).startswith("-") else "0"
    exponent = f"{value:e}".split("e")[1]
    digits = repr(value)
    power = int(exponent)
    if -4 <= power < 6:
        return f"{value:.20f}".rstrip("0").rstrip(".") if "e" in digits else digits.removesuffix(".0")
    mantissa = _mantissa(digits)
    return f"{mantissa}e{'+' if power >= 0 else '-'}{abs(power):02d}"


def _mantissa(digits: str) -> str:
    """The shortest digits that read back as the same number, with the point after the first."""
    sign = "-" if digits.startswith("-") else ""
    figures = digits.lstrip("-").split("e")[0].replace(".", "").strip("0")
    return sign + figures[0] + (f".{figures[1:]}" if len(figures) > 1 else "")
