"""Options of a command line: `--name value`, `--name=value`, switches, and what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.model.facts import Flag, Word

_NUMBER = re.compile(r"-\d")


def is_option(text: str) -> bool:
    return text.startswith("-") and len(text) > 1 and not _NUMBER.match(text)


def options(words: Sequence[Word]) -> dict[str, tuple[Flag, ...]]:
    """Every option by name. A word that does not look like an option is the value of the option before it."""
    found: dict[str, list[Flag]] = {}
    for index, word in enumerate(words):
        if not is_option(word.text):
            continue
        name, sign, value = word.text.partition("=")
        following = words[index + 1].text if index + 1 < len(words) else None
        if not sign:
            value_of = following if following is not None and not is_option(following) else None
            found.setdefault(name, []).append(Flag(name, value_of, word.at))
        else:
            found.setdefault(name, []).append(Flag(name, value, word.at))
    return {name: tuple(flags) for name, flags in found.items()}


def several(words: Sequence[Word], name: str) -> tuple[str, ...]:
    """All values that follow an option, up to the next one."""
    found: list[str] = []
    for index, word in enumerate(words):
        if word.text.startswith(f"{name}="):
            found.append(word.text.partition("=")[2])
        elif word.text == name:
            for following in words[index + 1 :]:
                if is_option(following.text):
                    break
                found.append(following.text)
    return tuple(found)


def beside(words: Sequence[Word], switches: frozenset[str] = frozenset()) -> list[Word]:
    """The words that are neither options nor values of options; `switches` take no value."""
    found = []
    for index, word in enumerate(words):
        before = words[index - 1].text if index else ""
        if not is_option(word.text) and not (is_option(before) and "=" not in before and before not in switches):
            found.append(word)
    return found
