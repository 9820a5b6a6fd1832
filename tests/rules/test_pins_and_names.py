"""Rules about pins, repositories and labels that state them, beyond the examples of their pages."""

from __future__ import annotations

import pytest

from bot.model.finding import Level
from tests.rules.deploy.reviewing import findings, only

ONE, TWO = f"sha256:{'1' * 64}", f"sha256:{'2' * 64}"


def image(reference: str, labels: str = "{}") -> str:
    return f"services:\n  engine:\n    image: {reference}\n    labels: {labels}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"acme/engine:1@{ONE}", f"acme/engine:2@{TWO}"),
        (f"acme/engine:nightly@{ONE}", f"acme/engine:nightly@{TWO}"),  # a tag that is moved on purpose
        ("acme/engine:1", "acme/engine:2"),
        (f"acme/engine@{ONE}", f"acme/engine@{TWO}"),
        (f"acme/engine:1@{ONE}", f"acme/other:2@{ONE}"),  # another repository is another question
        (f"acme/engine:1@{ONE}", f"acme/engine:${{TAG}}@{ONE}"),
        (f"acme/engine:1@{TWO}", f"acme/engine@{TWO}"),
    ],
)
def test_pins_that_move_whole_or_cannot_be_told_are_left_alone(before: str, after: str) -> None:
    assert findings("half-moved-pin", image(before), image(after)) == []


def test_a_pin_that_was_half_moved_before_is_no_news() -> None:
    stale = image(f"acme/engine:2@{ONE}")
    assert findings("half-moved-pin", stale, stale.replace("labels: {}", "labels: {a: b}")) == []


def test_a_new_tag_on_the_old_digest_deploys_the_old_image() -> None:
    found = only("half-moved-pin", image(f"acme/engine:1@{ONE}"), image(f"acme/engine:2@{ONE}"))
    assert found.certainty == "sure"
    assert "the same image is deployed again" in found.says


MODEL = """\
services:
  engine:
    image: vllm/vllm-openai:1
    command: serve acme/mini --revision %s
    environment: {HF_HUB_OFFLINE: "%s"}
  downloader:
    image: registry.example/uv:1
    command: sh -c "hf download acme/mini --revision %s"
"""
OLD, NEW = "1" * 40, "2" * 40


def test_a_model_fetched_and_served_at_one_revision_is_whole() -> None:
    assert findings("half-moved-pin", MODEL % (OLD, "1", OLD), MODEL % (NEW, "1", NEW)) == []
    assert findings("half-moved-pin", MODEL % (OLD, "1", OLD), MODEL % (OLD, "1", "${REVISION}")) == []


@pytest.mark.parametrize(
    ("offline", "level", "then"), [("1", Level.ERROR, "fails at start"), ("0", Level.WARNING, "second time")]
)
def test_a_model_served_at_another_revision_blocks_only_an_engine_that_is_offline(
    offline: str, level: Level, then: str
) -> None:
    found = only("half-moved-pin", MODEL % (OLD, offline, OLD), MODEL % (NEW, offline, OLD))
    assert (found.level, found.at.line) == (level, 4)
    assert then in found.says


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"acme/exporter@{ONE}", f"acme/exporter@{TWO}"),
        (f"acme/exporter@{ONE}", f"acme/other@{TWO}"),  # another image altogether
        ("acme/exporter:1", "acme/other:1"),  # a tag that says nothing
        ("acme/exporter:4.5.2", "mirror.example/exporter:4.5.2"),  # another registry: a mirror, say
        (f"acme/exporter@{ONE}", "acme/other:${TAG}"),
    ],
)
def test_another_image_or_a_mirror_is_no_repository_renamed_by_mistake(before: str, after: str) -> None:
    assert findings("unknown-image-repository", image(before), image(after)) == []


@pytest.mark.parametrize("same", [f"@{ONE}", ":4.5.2-distroless"])
def test_the_same_image_from_a_repository_nobody_named_is_told(same: str) -> None:
    found = only("unknown-image-repository", image(f"acme/exporter{same}"), image(f"acme/exporter-mini{same}"))
    assert "`docker.io/acme/exporter`" in found.says
    assert found.at.line == 3


def test_a_repository_that_another_file_names_is_known() -> None:
    base = {"a.yaml": image(f"acme/exporter@{ONE}"), "b.yaml": image(f"acme/exporter-mini@{ONE}")}
    head = {**base, "a.yaml": image(f"acme/exporter-mini@{ONE}")}
    assert findings("unknown-image-repository", base, head) == []


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("{obs.image: '11111111'}", "{obs.image: '22222222'}"),
        ("{obs.image: '99999999'}", "{obs.image: '99999999'}"),  # never was the image's
        ("{obs.image: '1'}", "{obs.image: '1'}"),  # too short to be a digest
    ],
)
def test_a_label_that_moved_along_or_never_stated_the_image_is_left_alone(was: str, now: str) -> None:
    before, after = image(f"acme/engine@{ONE}", was), image(f"acme/engine@{TWO}", now)
    assert findings("label-mirror-broken", before, after) == []


def test_a_label_that_states_the_old_image_is_told() -> None:
    label = f"{{obs.image: '{ONE}'}}"
    found = only("label-mirror-broken", image(f"acme/engine@{ONE}", label), image(f"acme/engine@{TWO}", label))
    assert found.at.line == 4


GPUS = """\
services:
  engine:
    image: vllm/vllm-openai:1
    command: serve acme/mini --served-model-name %s
    labels: {%s}
    deploy: {resources: {reservations: {devices: [{driver: nvidia, device_ids: [%s], capabilities: [gpu]}]}}}
"""


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (("mini", 'obs.gpus: "0,1"', '"0","1"'), ("mini", 'obs.gpus: "2,3"', '"2","3"')),
        (("mini", 'obs.gpus: "0,1"', '"0","1"'), ("mini", 'obs.gpus: "0,1"', '"1","0"')),  # the same set
        (("mini", 'obs.shards: "0,1"', '"0","1"'), ("mini", 'obs.shards: "0,1"', '"2","3"')),  # not of GPUs
        (("mini", 'obs.gpus: "4"', '"0","1"'), ("mini", 'obs.gpus: "4"', '"2","3"')),  # never was their number
        (("mini", "team: mini-kiosk", '"0"'), ("maxi", "team: mini-kiosk", '"0"')),  # not a word of its own
        (("mini", "model: mini", '"0"'), ("mini maxi", "model: mini", '"0"')),  # still one of its names
        (("mini", "model: mini", '"0"'), ("maxi", "model: maxi", '"0"')),
    ],
)
def test_labels_that_still_tell_the_truth_are_left_alone(was: tuple[str, ...], now: tuple[str, ...]) -> None:
    assert findings("label-mirror-broken", GPUS % was, GPUS % now) == []


@pytest.mark.parametrize("label", ['obs.gpus: "0,1"', 'gpu_ids: "0-1"', 'tags: \'["gpu:0,1", "env:x"]\''])
def test_a_label_that_states_the_old_gpus_is_told(label: str) -> None:
    found = only("label-mirror-broken", GPUS % ("mini", label, '"0","1"'), GPUS % ("mini", label, '"2","3"'))
    assert "reserves `2,3`" in found.says
    assert found.at.line == 5


@pytest.mark.parametrize("label", ["model: mini", "tags: '[\"model:mini\"]'"])
def test_a_label_that_states_the_old_served_name_is_told(label: str) -> None:
    found = only("label-mirror-broken", GPUS % ("mini", label, '"0"'), GPUS % ("maxi", label, '"0"'))
    assert "serves `maxi`" in found.says
    assert found.certainty == "likely"
