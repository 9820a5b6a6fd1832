"""Short names that stay clear, and links that lead where they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.model.change import FileStatus
from bot.model.pull import Repository
from bot.review.links import Links
from bot.review.names import short_names
from tests.review.factory import BASE, HEAD, PULL, at, change, changed, review


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["web.yaml", "api.yaml"], ["web.yaml", "api.yaml"]),
        (["prod/web.yaml"], ["prod/web.yaml"]),
        (["a/compose.yaml", "b/compose.yaml"], ["a/compose.yaml", "b/compose.yaml"]),
        (["prod/one-quite-long-file-name.yaml"], ["one-quite-long-file-name.yaml"]),
        (
            [
                "prod/meadow-2-large-sgl-tp4.yaml",
                "prod/meadow-2-large-sgl-tp4-batch.yaml",
                "prod/meadow-2-large-sgl-tp4-int4-trial.yaml",
            ],
            ["tp4", "tp4-batch", "tp4-int4-trial"],
        ),
        (
            ["prod/meadow-alpha-for-production.yaml", "prod/meadow-beta-for-production.yaml"],
            ["alpha-for-production", "beta-for-production"],
        ),
        (
            ["prod/meadow-alpha-for-production-in-the-north.yaml", "prod/meadow-beta-for-production-in-the-north.yaml"],
            ["alpha", "beta"],
        ),
        (
            ["prod/meadow-5.1-large-batch.yaml", "prod/meadow-5.2-large-batch.yaml"],
            ["meadow-5.1-large-batch", "meadow-5.2-large-batch"],
        ),
        (["prod/engine-of-the-host-number-1.yaml", "prod/engine-of-the-host-number-2.yaml"], ["number-1", "number-2"]),
        (
            ["prod/a-file-with-a-long-name.yaml", "docs/a-file-with-a-long-name.yaml"],
            ["prod/a-file-with-a-long-name.yaml", "docs/a-file-with-a-long-name.yaml"],
        ),
    ],
)
def test_names_are_short_where_they_stay_clear(paths: list[str], names: list[str]) -> None:
    found = short_names(paths)
    assert [found[path] for path in paths] == names


PATHS = st.lists(st.text("ab-_./", min_size=1, max_size=40) | st.text(min_size=1, max_size=40), max_size=8)


@given(PATHS)
def test_no_two_files_share_a_name(paths: list[str]) -> None:
    found = short_names(paths)
    assert set(found) == set(paths)
    assert len(set(found.values())) == len(found)
    assert all(found.values())
    assert not {name for path, name in found.items() if name != path} & set(found)


FILES = (changed("prod/web.yaml"), changed("old.yaml", FileStatus.DELETED))
BLOB = f"https://github.com/example/deployments/blob/{HEAD}"


def test_places_are_permanent_links() -> None:
    links = Links(review(change(files=FILES)))
    assert links.place(at("prod/web.yaml:3")) == f"[prod/web.yaml:3]({BLOB}/prod/web.yaml#L3)"
    assert links.place(at("prod/web.yaml:3-5")) == f"[prod/web.yaml:3-5]({BLOB}/prod/web.yaml#L3-L5)"
    assert links.place(at("prod/ü b#.yaml:3")).endswith(f"({BLOB}/prod/%C3%BC%20b%23.yaml#L3)")


def test_a_deleted_file_is_shown_where_it_was() -> None:
    assert BASE in Links(review(change(files=FILES))).place(at("old.yaml:3"))


@pytest.mark.parametrize(
    "pull",
    [
        replace(PULL, repository=Repository()),
        replace(PULL, head_sha=""),
        replace(PULL, head_sha="main"),
        replace(PULL, repository=Repository("a/b) [x](y")),
        replace(PULL, repository=Repository("a/b", server="javascript:alert(1)")),
    ],
)
def test_without_a_commit_on_a_server_places_are_text(pull) -> None:  # type: ignore[no-untyped-def]
    links = Links(review(change(files=FILES, pull=pull)))
    assert links.place(at("prod/web.yaml:3-5")) == "`prod/web.yaml:3-5`"
    assert links.in_findings([at("prod/web.yaml:3")]) == {}


def test_another_server_has_its_own_address() -> None:
    pull = replace(PULL, repository=Repository("a/b", server="https://git.example:8443"))
    assert "(https://git.example:8443/a/b/blob/" in Links(review(change(files=FILES, pull=pull))).place(at("x.yaml:1"))


def test_the_file_is_named_where_it_changes_and_many_places_are_counted() -> None:
    links = Links(review(change(files=FILES, pull=replace(PULL, head_sha=""))))
    places = [at(f"a.yaml:{line}") for line in (1, 2)] + [at(f"b.yaml:{line}") for line in range(1, 9)]
    assert links.places(places) == "`a.yaml:1`, `2`, `b.yaml:1`, `2`, `3`, and 5 more"
