"""Digests of changed files that other files state."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from bot.change.files import changed_files
from bot.change.pins import content_pins
from bot.local.folder_tree import FolderTree
from bot.model.change import ContentPin
from bot.model.place import Place
from tests.support.memory_tree import MemoryTree

OLD, NEW = "services: {web: {image: x:1}}\n", "services: {web: {image: x:2}}\n"
Files = dict[str, str | bytes]


def digest(text: str, algorithm: str = "sha256") -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


def pins(base: Files, head: Files) -> tuple[ContentPin, ...]:
    before, after = MemoryTree(base), MemoryTree(head)
    return content_pins(before, after, changed_files(before, after))


def test_nothing_is_pinned_where_nothing_states_a_digest() -> None:
    assert pins({"a.yaml": OLD, "b": "x"}, {"a.yaml": NEW, "b": "x"}) == ()


def test_a_pin_of_a_file_that_did_not_change_is_no_pin() -> None:
    sums = f"{digest(OLD)}  a.yaml\n"
    assert pins({"a.yaml": OLD, "SHA256SUMS": sums, "c": "1"}, {"a.yaml": OLD, "SHA256SUMS": sums, "c": "2"}) == ()


def test_a_digest_of_nothing_pins_nothing() -> None:
    sums = f"{digest('')}  a.yaml\n"
    assert pins({"a.yaml": "", "s": sums}, {"a.yaml": NEW, "s": sums}) == ()


def test_a_file_that_only_moves_keeps_its_digest() -> None:
    sums = f"{digest(OLD)}  a.yaml\n"
    assert pins({"a.yaml": OLD, "s": sums}, {"b.yaml": OLD, "s": sums}) == ()


@pytest.mark.parametrize("algorithm", ["sha256", "sha1", "md5", "sha512"])
@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("SHA256SUMS", "{}  a.yaml"),
        ("tests/pins.py", 'EXPECTED = "{}"'),
        ("lock.json", '{{"a": "sha256:{}"}}'),
        ("ci.yaml", "  - echo {} a.yaml | sha256sum -c"),
        ("README.md", "The file is `{}`."),
        ("check.sh", "test $(sha256sum < a.yaml) = {}"),
    ],
)
def test_a_stale_pin_in_any_text(algorithm: str, path: str, line: str) -> None:
    text = "first\n" + line.format(digest(OLD, algorithm)) + "\n"
    (pin,) = pins({"a.yaml": OLD, path: text}, {"a.yaml": NEW, path: text})
    at = Place.of_line(path, 2)
    assert pin == ContentPin("a.yaml", algorithm, digest(OLD, algorithm), at, at, None)


def test_git_s_own_name_of_the_content_is_a_digest_too() -> None:
    name = hashlib.sha1(b"blob %d\0" % len(OLD) + OLD.encode()).hexdigest()
    (pin,) = pins({"a.yaml": OLD, "s": name}, {"a.yaml": NEW, "s": name})
    assert pin.algorithm == "git blob"


def test_a_pin_in_capitals_is_a_pin() -> None:
    text = digest(OLD).upper()
    (pin,) = pins({"a.yaml": OLD, "s": text}, {"a.yaml": NEW, "s": text})
    assert pin.now == Place.of_line("s", 1)


def test_a_renewed_pin_is_no_longer_where_it_was() -> None:
    (pin,) = pins(
        {"a.yaml": OLD, "s": f"# sums\n{digest(OLD)}\n"},
        {"a.yaml": NEW, "s": f"# sums\n# more\n{digest(NEW)}\n"},
    )
    assert (pin.at, pin.now, pin.renewed) == (Place.of_line("s", 2), None, Place.of_line("s", 3))


def test_a_pin_that_moved_with_its_lines_is_still_there() -> None:
    (pin,) = pins({"a.yaml": OLD, "s": f"{digest(OLD)}\n"}, {"a.yaml": NEW, "s": f"# new\n{digest(OLD)}\n"})
    assert (pin.now, pin.renewed) == (Place.of_line("s", 2), None)


def test_a_rewritten_line_may_still_state_the_old_digest() -> None:
    (pin,) = pins({"a.yaml": OLD, "s": f"A = '{digest(OLD)}'\n"}, {"a.yaml": NEW, "s": f'A = "{digest(OLD)}"\n'})
    assert pin.now == Place.of_line("s", 1)


def test_of_two_pins_in_a_file_each_is_told_apart() -> None:
    first, second = pins(
        {"a.yaml": OLD, "s": f"one {digest(OLD)}\ntwo {digest(OLD)}\n"},
        {"a.yaml": NEW, "s": f"one {digest(NEW)}\ntwo {digest(OLD)}\n"},
    )
    assert (first.at.line, first.now, first.renewed) == (1, None, Place.of_line("s", 1))
    assert (second.at.line, second.now) == (2, Place.of_line("s", 2))


def test_a_pinning_file_may_move_or_go() -> None:
    sums = f"{digest(OLD)}  a.yaml\n"
    (moved,) = pins({"a.yaml": OLD, "s": sums}, {"a.yaml": NEW, "sums/s": sums})
    assert (moved.at.file, moved.now) == ("s", Place.of_line("sums/s", 1))
    (gone,) = pins({"a.yaml": OLD, "s": sums}, {"a.yaml": NEW})
    assert (gone.now, gone.renewed) == (None, None)


def test_a_renamed_target_is_named_by_its_new_path() -> None:
    old = "".join(f"line {number}\n" for number in range(9))
    sums = f"{digest(old)}  a.yaml\n"
    (pin,) = pins({"a.yaml": old, "s": sums}, {"b.yaml": old + "x\n", "s": sums})
    assert pin.target == "b.yaml"


def test_a_deleted_target_leaves_its_pin_behind() -> None:
    sums = f"{digest(OLD)}  a.yaml\n"
    (pin,) = pins({"a.yaml": OLD, "s": sums}, {"s": sums})
    assert (pin.target, pin.now, pin.renewed) == ("a.yaml", Place.of_line("s", 1), None)


def test_where_the_content_stays_elsewhere_only_lines_that_name_the_file_count() -> None:
    sums = f"{digest(OLD)}  prod/a.yaml\n{digest(OLD)}  prod/b.yaml\n{digest(OLD)}  test/a.yaml\n"
    base: Files = {"prod/a.yaml": OLD, "prod/b.yaml": OLD, "test/a.yaml": OLD, "s": sums, "t": digest(OLD)}
    (pin,) = pins(base, {**base, "prod/a.yaml": NEW})
    assert pin.at == Place.of_line("s", 1)


def test_a_name_on_the_line_beside_is_enough_where_the_line_has_none() -> None:
    lock = f"- path: prod/a.yaml\n  sha256: {digest(OLD)}\n- path: prod/b.yaml\n  sha256: {digest(OLD)}\n"
    base: Files = {"prod/a.yaml": OLD, "prod/b.yaml": OLD, "lock.yaml": lock}
    assert [pin.at.line for pin in pins(base, {**base, "prod/b.yaml": NEW})] == [4]
    base["lock.yaml"] = f"- sha256: {digest(OLD)}\n  path: prod/a.yaml\n- sha256: {digest(OLD)}\n  path: prod/b.yaml\n"
    assert [pin.at.line for pin in pins(base, {**base, "prod/b.yaml": NEW})] == [3]


def test_thousands_of_changed_files_are_one_search(tmp_path: Path) -> None:
    base: Files = {f"{n}.yaml": f"n: {n}\n" for n in range(3_000)}
    base["SHA256SUMS"] = "".join(f"{digest(f'n: {n}' + chr(10))}  {n}.yaml\n" for n in range(3_000))
    head: Files = {**base, **{f"{n}.yaml": f"n: {n + 1}0\n" for n in range(3_000)}}
    for side, contents in (("base", base), ("head", head)):
        (tmp_path / side).mkdir()
        for path, text in contents.items():
            (tmp_path / side / path).write_text(str(text))
    before, after = FolderTree(tmp_path / "base"), FolderTree(tmp_path / "head")
    files = changed_files(before, after)
    began = time.perf_counter()
    assert len(content_pins(before, after, files)) == 3_000
    assert time.perf_counter() - began < 5.0  # 0.3 s alone; a search for each would take a minute
