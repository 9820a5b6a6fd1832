"""Small words for prose: foreign text as code, lists that stay short."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RUN = re.compile(r"`+")
# A word that no page reads as anything but a word: no mark of Markdown, no address, no mention.
_WORD = re.compile(r"[(]?\w[\w'%-]*(?:[.:/]\w+)*[)]?[.,;:!?]?[)]?")

_ADDRESS = re.compile(r"_|www\.|\.\w{2,}/|://|^\W*gh-\d|^\W*[0-9a-f]{7,40}\W*$", re.IGNORECASE)
# Words that no shell expands; a name that starts with a dash would be read as an option.
_COPYABLE = re.compile(r"[A-Za-z0-9._/=:-]+(?: (?:--?[a-z-]+|[A-Za-z0-9._/][A-Za-z0-9._/=:-]*))*")


def code(text: str) -> str:
    """Text that we did not write, as a Markdown code span that ends where it ends.

    Every page relies on this: what stands between backticks in a finding is foreign, all else is ours.
    """
    flat = " ".join(text.split())
    longest = max((len(run) for run in _RUN.findall(flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") or not flat else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def quoted(text: str) -> str:
    """Prose that we did not write: plain words stay as they are, every other word becomes a code span."""
    return " ".join(_safe(word) for word in text.split())


def _safe(word: str) -> str:
    if re.fullmatch(r"`[^`]+`[.,;:]?", word) or (_WORD.fullmatch(word) and not _ADDRESS.search(word)):
        return word
    end = word[-1] if len(word) > 1 and word[-1] in ".,;:!?" else ""
    return code(word.removesuffix(end)) + end


def codes(names: Iterable[str], limit: int = 4) -> str:
    """Several foreign names: "`a`, `b` and `c`", or "`a`, `b` and 7 more"."""
    return listed([code(name) for name in names], limit)


def command(*words: str) -> str | None:
    """A command line for people to copy; None when a word of ours or of others is not plain enough for that."""
    text = " ".join(words)
    return code(text) if _COPYABLE.fullmatch(text) else None


def listed(parts: list[str], limit: int = 4) -> str:
    """Several of our own phrases as a list."""
    if len(parts) > limit:
        return f"{', '.join(parts[: limit - 1])} and {len(parts) - limit + 1} more"
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
