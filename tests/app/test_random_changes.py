"""Whatever a change holds, a review comes out of it: no rule crashes and every page can be made."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.app import review
from bot.model.pull import Pull
from bot.model.review import Review
from bot.model.settings import Settings
from bot.ports import Reading
from bot.review.as_json import as_json
from bot.review.comment.page import markdown
from bot.review.github import annotate
from bot.review.sarif import sarif
from bot.review.terminal import terminal
from tests.support.memory_tree import MemoryTree

ROOT = Path(__file__).parents[2]
POOL = sorted((ROOT / "tests/cases").rglob("*.y*ml")) + sorted((ROOT / "bot/demo").rglob("*.yaml"))
ROUNDS = 40

# Values that some reader, some day, takes for what they are not.
_ODD = """
null ~ [] {} [~] {a: ~} 0 -1 true 1.10 0x1F 1_000 .inf .nan 1e999 ² '' '@' ':' '::' 'a:b:c:d' - *a '&a b' | > '!reset null' 
'!override []' ${A} ${A:-b} ${A:?c} ${ $$ 2026-01-01 a@sha256:1 service: container: file:///x 8080-8079:80 [::1]:80:80 10g
"""
VALUES = [*_ODD.split(), "9" * 400 + "g", "9" * 5_000, "é", "\u202e", "\x85"]
_SAID = """
every each all no not only except other than files services engines unaffected unchanged also now downloads exactly once comments 
prod/a.yaml `prod/b.yaml` web api org/name org/name@abc #12 @bot <!-- --> ``` | * ( ) , . ; : ’ “ … \u202e <img ::error:: ##[group] 
[x](javascript:1) $(id) https://x.y/z ~165 GiB TP4 TP-99999999999999999999
"""
WORDS = [*_SAID.split(), "\n", "\n\n", "|", "\n| `a.yaml`"]


def edited(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randint(0, 4)):
        at = chance.randrange(len(lines))
        line = lines[at]
        kind = chance.randrange(6)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, line)
        elif kind == 2:
            lines[at] = " " * chance.randint(0, 8) + line.lstrip()
        elif kind == 3:
            lines[at] = f"{line.split(':')[0]}: {chance.choice(VALUES)}"
        elif kind == 4:
            lines[at] = line[: chance.randint(0, len(line))]
        else:
            lines[at] = f"{line} {chance.choice(VALUES)}"
    return "\n".join(lines)


def prose(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(0, 50)))


def tree(chance: random.Random, files: dict[str, str]) -> MemoryTree:
    comment = prose(chance).replace("\n", "\n# ")
    return MemoryTree(
        {path: f"# {comment}\n{edited(text, chance)}" for path, text in files.items()} | {"README.md": prose(chance)}
    )


def reviewed(chance: random.Random) -> Review:
    names = ("compose.yaml", "prod/a.yaml", "prod/b.yaml", "x/docker-compose.yml", '"q\n".yaml')
    files = {name: chance.choice(POOL).read_text() for name in names[: chance.randint(1, len(names))]}
    pull = Pull(title=prose(chance)[:80], body=prose(chance), number=3, base_ref="main", head_ref="topic")
    return review(Reading(pull, tree(chance, files), tree(chance, files), "base", "head"), Settings())


def test_there_is_something_to_change() -> None:
    assert len(POOL) > 10


@pytest.mark.parametrize("seed", range(4))
def test_every_change_is_reviewed(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(ROUNDS):
        found = reviewed(chance)
        assert found.crashes == ()
        for page in (as_json, markdown, terminal, sarif, annotate):
            assert page(found)  # type: ignore[operator]
