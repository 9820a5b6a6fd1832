"""What holds for every input: nothing but problems comes of it, and a short form means what its long form means."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.compose.load import Cache, load_estate
from bot.facts.read import read_facts
from bot.model.project import Estate
from bot.model.settings import Settings
from tests.support.memory_tree import MemoryTree

FEW = settings(max_examples=60, deadline=None, derandomize=True)
_NAMES = "services networks volumes configs include extends image command ports environment depends_on a b file service path <<"
KEYS = st.sampled_from(_NAMES.split())
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["a", "${A}", "80:80", "a:b"]),
)
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)
WORDS = st.text("abcdefgh0123456789", min_size=1, max_size=6)
PORTS = st.integers(1, 65535)


def loaded(files: dict[str, str | bytes]) -> Estate:
    asked = (
        Settings(files=("compose.yaml",), projects=(tuple(files),))
        if len(files) > 1
        else Settings(files=("compose.yaml",))
    )
    return load_estate(MemoryTree(files), asked, read_facts, Cache())[0]


def model(files: dict[str, str | bytes]) -> object:
    project = loaded(files).projects["compose.yaml"]
    assert project.problems == ()
    return {name: service.value.plain() for name, service in project.services.items()}


def service(**fields: object) -> str:
    return json.dumps({"services": {"s": {"image": "a", **fields}}})


@FEW
@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_refused(data: bytes) -> None:
    for project in loaded({"compose.yaml": b"services:\n  a: {image: x}\n" + data}).projects.values():
        assert all(problem.says and problem.at.line >= 1 for problem in project.problems)


@FEW
@given(TREES)
def test_any_tree_loads_or_is_refused_with_a_place(tree: object) -> None:
    text = json.dumps({"services": {"a": tree}, "x": tree}, allow_nan=False) if _plain(tree) else "services: {}"
    for project in loaded({"compose.yaml": text}).projects.values():
        assert all(problem.says and problem.at.line >= 1 for problem in project.problems)
        for each in project.services.values():
            assert each.facts.role


def _plain(tree: object) -> bool:
    try:
        json.dumps(tree, allow_nan=False)
    except ValueError:
        return False
    return True


@FEW
@given(st.dictionaries(WORDS, WORDS, min_size=1, max_size=4))
def test_lists_and_mappings_of_names_are_the_same(values: dict[str, str]) -> None:
    for field in ("environment", "labels", "sysctls"):
        listed = [f"{name}={value}" for name, value in values.items()]
        assert model({"compose.yaml": service(**{field: listed})}) == model(
            {"compose.yaml": service(**{field: values})}
        )


@FEW
@given(PORTS, PORTS, st.sampled_from(["tcp", "udp"]))
def test_a_short_port_is_its_long_form(published: int, target: int, protocol: str) -> None:
    short = service(ports=[f"{published}:{target}/{protocol}"])
    long = service(ports=[{"target": target, "published": str(published), "protocol": protocol, "mode": "ingress"}])
    assert model({"compose.yaml": short}) == model({"compose.yaml": long})


@FEW
@given(WORDS, WORDS, st.booleans())
def test_a_short_mount_is_its_long_form(source: str, target: str, read_only: bool) -> None:
    short = service(volumes=[f"./{source}:/{target}{':ro' if read_only else ''}"])
    long = {"type": "bind", "source": f"./{source}", "target": f"/{target}", "bind": {}} | (
        {"read_only": True} if read_only else {}
    )
    assert model({"compose.yaml": short}) == model({"compose.yaml": service(volumes=[long])})


@FEW
@given(st.lists(st.dictionaries(WORDS, WORDS, max_size=3), min_size=3, max_size=3))
def test_laying_over_is_associative_for_mappings(layers: list[dict[str, str]]) -> None:
    """(a over b) over c is a over (b over c): the middle two are folded by hand."""
    a, b, c = (service(environment=each, labels=each) for each in layers)
    folded = service(environment={**layers[1], **layers[2]}, labels={**layers[1], **layers[2]})
    three = {"compose.yaml": a, "b.yaml": b, "c.yaml": c}
    assert model(three) == model({"compose.yaml": a, "b.yaml": folded})  # type: ignore[arg-type]
