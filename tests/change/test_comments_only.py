"""What counts as a change of comments, and what does not."""

from __future__ import annotations

import pytest

from bot.change.files import changed_files
from tests.support.memory_tree import MemoryTree

BASE = """\
# The web tier.
x-env: &env
  TZ: UTC
services:
  web:
    image: nginx:1.27   # pinned
    command: ["sh", '-c', run]
    ports: ["80:80"]
    environment: *env
    labels:
      version: "1.10"
      note: it's
    entrypoint: |
      # a remark of the script
      exec run
  db:
    environment:
      <<: *env
    image: postgres:16
"""


def comments_only(old: str, new: str, path: str = "compose.yaml") -> bool:
    (file,) = changed_files(MemoryTree({path: old}), MemoryTree({path: new}))
    return file.comments_only


QUIET = {
    "a comment changes": ("# The web tier.", "# The tier of the web."),
    "a comment comes": ("  db:\n", "  # The database.\n  db:\n"),
    "a comment goes": ("# The web tier.\n", ""),
    "a remark at a line's end changes": ("# pinned", "# see #12"),
    "a remark at a line's end moves up": (
        "    image: nginx:1.27   # pinned\n",
        "    # pinned\n    image: nginx:1.27\n",
    ),
    "blank lines come": ("  db:\n", "\n\n  db:\n"),
    "blanks at a line's end come": ("services:\n", "services:   \n"),
    "quotes of the other kind": ("'-c'", '"-c"'),
    "quotes that change nothing": ("image: postgres:16", 'image: "postgres:16"'),
    "quotes of a key": ("  db:\n", '  "db":\n'),
    "line ends of Windows": ("\n", "\r\n"),
    "a byte order mark": ("# The web tier.", "\ufeff# The web tier."),
}

LOUD = {
    "a value": ("postgres:16", "postgres:17"),
    "a value beside its comment": ("nginx:1.27   # pinned", "nginx:1.28   # pinned"),
    "quotes that make a number a text": ('"1.10"', "1.10"),
    "a key that comes": ("    image: postgres:16\n", "    image: postgres:16\n    init: true\n"),
    "an order that changes": (
        '    ports: ["80:80"]\n    environment: *env\n',
        '    environment: *env\n    ports: ["80:80"]\n',
    ),
    "a remark in a script": ("# a remark of the script", "# another remark"),
    "an apostrophe in a text": ("it's", "its"),
    "a layout": ('    ports: ["80:80"]\n', '    ports:\n      - "80:80"\n'),
    "an alias written out": ("    environment: *env\n", "    environment: {TZ: UTC}\n"),
    "a value that a remark swallows": ("image: postgres:16", "image: #postgres:16"),
    "a block scalar of another kind": ("entrypoint: |", "entrypoint: >"),
    "a service that becomes a remark": ("  db:\n", "  # db:\n"),
    "an indent that means something": ("    image: postgres:16\n", "      image: postgres:16\n"),
    "a broken file": ("services:\n", "services:\n\t# tab\n"),
}


@pytest.mark.parametrize("name", QUIET)
def test_comments_only(name: str) -> None:
    old, new = QUIET[name]
    assert old in BASE
    assert comments_only(BASE, BASE.replace(old, new))


@pytest.mark.parametrize("name", LOUD)
def test_more_than_comments(name: str) -> None:
    old, new = LOUD[name]
    assert old in BASE
    assert not comments_only(BASE, BASE.replace(old, new))


@pytest.mark.parametrize("word", ["no", "Yes", "null", "1.10", "0x1F", "~", "2024-01-02", "1_000", ".inf", "+1", "NaN"])
def test_quotes_of_a_word_that_could_mean_something_are_no_comment(word: str) -> None:
    assert not comments_only(f"a: {word}\n", f'a: "{word}"\n')


def test_a_document_more_is_no_comment() -> None:
    assert not comments_only("a: 1\n", "a: 1\n---\nb: 1\n")


def test_only_yaml_has_comments_we_know() -> None:
    assert not comments_only("# a\nx\n", "# b\nx\n", path="run.sh")


def test_an_alias_bomb_costs_nothing() -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 6)
    )
    assert comments_only(f"# 1\n{bomb}", f"# 2\n{bomb}")
