"""YAML to nodes: places, and every way of being refused."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.main import CParser

from bot.document.comments import comments
from bot.document.parse import MAX_BYTES, DocumentError, parse
from bot.model.node import MappingNode, Node, ScalarNode, SequenceNode, Style
from bot.model.project import ProblemKind


def at(text: str, *path: str) -> Node:
    node: Node = parse("f.yaml", text.encode()).roots[0]
    for key in path:
        assert isinstance(node, MappingNode)
        found = node.get(key)
        assert found is not None
        node = found
    return node


def refusal(data: bytes | str) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        parse("f.yaml", data.encode() if isinstance(data, str) else data)
    return caught.value


def test_the_c_parser_is_there() -> None:
    # With another extra of ruamel.yaml everything works and takes ten times as long, without a word.
    assert CParser is not None


def test_places_count_lines_and_characters_from_one() -> None:
    node = at("a: 1\nü: {b: x}\n", "ü", "b")
    assert (node.at.line, node.at.column, node.at.end_line) == (2, 8, 2)


def test_a_literal_block_ends_with_its_last_line_of_text() -> None:
    node = at("a: |\n  x\n  y\n\n# c\nb: 1\n", "a")
    assert isinstance(node, ScalarNode)
    assert (node.text, node.style) == ("x\ny\n", Style.LITERAL)
    assert (node.at.line, node.at.end_line) == (1, 3)


def test_a_folded_block_keeps_its_source() -> None:
    node = at("a: >\n  x\n  y\nb: 1\n", "a")
    assert isinstance(node, ScalarNode)
    assert node.raw == ">\n  x\n  y\n"


def test_a_mapping_ends_where_its_last_value_ends() -> None:
    node = at("a:\n  b: 1\n  c: [x,\n    y]\nd: 1\n", "a")
    assert (node.at.line, node.at.end_line) == (2, 4)


def test_an_alias_is_the_node_its_anchor_names() -> None:
    root = at("a: &x {b: 1}\nc: *x\n")
    assert isinstance(root, MappingNode)
    assert root.get("a") is root.get("c")


def test_a_redefined_anchor_is_taken_as_compose_takes_it() -> None:
    node = at("a: &x 1\nb: &x 2\nc: *x\n", "c")
    assert isinstance(node, ScalarNode)
    assert node.text == "2"


def test_a_colon_in_a_flow_mapping_is_taken_as_compose_takes_it() -> None:
    node = at("a: {image: nginx:1.25}\n", "a", "image")
    assert isinstance(node, ScalarNode)
    assert node.text == "nginx:1.25"


def test_a_glued_colon_does_not_hide_what_is_wrong_elsewhere() -> None:
    assert "tab" in refusal("a: [x:/y]\nb:\n\tc: 1\n").problem.says


WORDS = ("a", "8o:80", "x:/y:ro", "nginx:1.25", "k: v", "k: h:1", "'q:r'", "http://a:1/b?c=d", "a#b", "-x:2")


@given(st.recursive(st.sampled_from(WORDS), lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=12))
def test_glued_colons_are_read_as_the_parser_reads_them_that_takes_them(shape: object) -> None:
    def written(part: object) -> str:
        return part if isinstance(part, str) else f"[{', '.join(written(each) for each in part)}]"  # type: ignore[attr-defined]

    text = f"ports: {written(shape) if not isinstance(shape, str) else f'[{shape}]'}\nlast: b:c\n"
    theirs = YAML(typ="safe", pure=True).load(text)
    assert plain(parse("f.yaml", text.encode()).roots[0]) == as_text(theirs)


def plain(node: Node) -> object:
    if isinstance(node, MappingNode):
        return {pair.key.text: plain(pair.value) for pair in node.pairs}
    return [plain(each) for each in node.items] if isinstance(node, SequenceNode) else node.text


def as_text(data: object) -> object:
    if isinstance(data, dict):
        return {str(key): as_text(value) for key, value in data.items()}
    return [as_text(each) for each in data] if isinstance(data, list) else str(data)


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    node = at("\ufeffa: 1\r\nb: |\r\n  x\r\n", "b")
    assert isinstance(node, ScalarNode)
    assert node.text == "x\n"
    assert node.at.line == 2


def test_other_line_separators_do_not_shift_the_lines_that_git_counts() -> None:
    node = at('a: "x\u2028 y"\nb: 2\n', "b")
    assert node.at.line == 2


def test_tags_are_kept() -> None:
    node = at("a: !reset null\n", "a")
    assert node.tag == "!reset"


@pytest.mark.parametrize(
    ("data", "kind", "line", "words"),
    [
        (b"a: 1\nb: \xe9\n", ProblemKind.ENCODING, 2, "UTF-8"),
        (b"a: 1\n\0\n", ProblemKind.ENCODING, 2, "NUL"),
        (b"a: 1\nb: \x07\n", ProblemKind.ENCODING, 2, "control"),
        (b"a: 1\n\tb: 2\n", ProblemKind.YAML, 2, "tab"),
        (b"a: 1\nb: [x\n", ProblemKind.YAML, 3, "flow sequence"),
        (b"a: *nowhere\n", ProblemKind.YAML, 1, "nowhere"),
        (b"a: &x [*x]\n", ProblemKind.YAML, 1, "contains itself"),
        (b"? [a]\n: b\n", ProblemKind.YAML, 1, "key"),
        (b"a: 1\nb: 2\na: 3\n", ProblemKind.DUPLICATE_KEY, 3, "line 1"),
        (b"x: &x {}\na:\n  <<: *x\n  <<: *x\n", ProblemKind.DUPLICATE_KEY, 4, "the first wins"),
        (b"x" * (MAX_BYTES + 1), ProblemKind.LIMIT, 1, "MiB"),
        (b"[" * 40_000, ProblemKind.LIMIT, 1, "deep"),
        (b"- " * 40_000, ProblemKind.LIMIT, 1, "deep"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(data: bytes, kind: ProblemKind, line: int, words: str) -> None:
    problem = refusal(data).problem
    assert (problem.kind, problem.at.line) == (kind, line)
    assert words in problem.says


def test_an_alias_bomb_costs_nothing() -> None:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [
        f"{name}: &{name} [{','.join(['*' + last] * 9)}]" for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    bomb = "\n".join(lines)
    start = time.perf_counter()
    problem = refusal(bomb).problem
    assert problem.kind is ProblemKind.LIMIT
    assert time.perf_counter() - start < 1
    assert len(bomb) < 400


def test_comments_are_runs_of_lines_outside_of_text() -> None:
    file = parse("f.yaml", b"# one\n# two\na: |\n  # text\n  x\nb: 1\n\n  # three\nc: 2\n")
    assert [(comment.lines, comment.at.line, comment.at.end_line) for comment in comments(file)] == [
        (("one", "two"), 1, 2),
        (("three",), 8, 8),
    ]
