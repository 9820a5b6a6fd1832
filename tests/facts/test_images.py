"""Image references as Docker reads them, and no others."""

from __future__ import annotations

import json

import pytest
from docker_image.digest import InvalidDigest
from docker_image.reference import InvalidReference, Reference
from hypothesis import given
from hypothesis import strategies as st

from bot.model.facts import ImageRef
from tests.facts.reading import facts

SHA256 = f"sha256:{'4f' * 32}"

Read = tuple[str, str, str | None, str | None]


def read(text: str) -> ImageRef:
    image = facts(f"image: {json.dumps(text)}").image
    assert image is not None
    return image


def parts(image: ImageRef) -> Read | None:
    return (image.registry, image.repository, image.tag, image.digest) if image.known else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nginx", ("docker.io", "library/nginx", None, None)),
        ("nginx:1.27-alpine", ("docker.io", "library/nginx", "1.27-alpine", None)),
        ("index.docker.io/nginx", ("docker.io", "library/nginx", None, None)),
        ("docker.io/acme/web", ("docker.io", "acme/web", None, None)),
        ("localhost/web", ("localhost", "web", None, None)),
        ("registry:5000/team/web:2", ("registry:5000", "team/web", "2", None)),
        ("[::1]:5000/web", ("[::1]:5000", "web", None, None)),
        (f"ghcr.io/acme/a__b--c.d:9@{SHA256}", ("ghcr.io", "acme/a__b--c.d", "9", SHA256)),
        (f"quay.io/acme/web@sha512:{'0' * 128}", ("quay.io", "acme/web", None, f"sha512:{'0' * 128}")),
    ],
)
def test_a_reference_is_read_with_what_docker_adds_to_a_short_name(text: str, expected: Read) -> None:
    assert parts(read(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("Web", "acme/Web", "ACME/web", "a..b", "a___b", "-a", "a-", "a//b", "/a", "a/", "web:", "web:1:2", "web@"),
        *("wëb", "web:täg", "we b", "a_b.io/web", f"web@{SHA256.upper()}", "web@sha256:4f", f"web@md5:{'0' * 32}"),
        *(SHA256, "4f" * 32, f"web:{'9' * 129}", "a" * 300, "web\n"),
    ],
)
def test_what_docker_refuses_is_kept_as_text_and_not_known(text: str) -> None:
    image = read(text)
    assert (image.known, image.text) == (False, text)


def by_the_library(text: str) -> Read | None:
    try:
        found = Reference.parse_normalized_named(text)
    except (InvalidReference, InvalidDigest):
        return None
    registry, repository = found.split_hostname()
    return registry, repository, found["tag"], found["digest"]


PIECES = ("a", "b9", ".", "-", "_", "__", "/", ":", "@", "localhost", "docker.io/", "5000", "[::1]", "x.y", "é", " ")


@given(st.lists(st.sampled_from((*PIECES, f"@{SHA256}", f"@sha512:{'0' * 128}", "@sha256:4F")), min_size=1, max_size=7))
def test_it_agrees_with_another_reading_of_the_grammar(pieces: list[str]) -> None:
    """Without capitals, where that one takes a folder for a registry, and bare digests, which it takes for names."""
    text = "".join(pieces)
    if "F" not in text.split("@")[0]:
        assert parts(read(text)) == by_the_library(text)
