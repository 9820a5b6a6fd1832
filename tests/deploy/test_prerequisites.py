"""What the operator must see to before the deploy."""

from __future__ import annotations

from bot.app import change_of
from bot.model.plan import Prerequisite, PrerequisiteKind
from bot.model.pull import Pull
from bot.model.settings import Settings
from bot.ports import Reading
from tests.deploy.estates import PATH, Files, files
from tests.support.memory_tree import MemoryTree

BASE = """\
services:
  fetch:
    image: uv:1
    restart: "no"
    entrypoint: [sh, -c]
    command:
      - |
        set -e
        hf download acme/tiny --revision 1111111111111111111111111111111111111111
    environment: {TOKEN: "${TOKEN:?set it}", SEEN: "${SEEN}"}
  web:
    image: web:1
    ports: ["80:80"]
    volumes: [certs:/certs]
volumes:
  certs: {external: true}
"""
STEP = "        hf download acme/large --revision 2222222222222222222222222222222222222222\n"


def needed(after: Files, before: Files = BASE, body: str = "", **settings: object) -> list[Prerequisite]:
    reading = Reading(
        pull=Pull(title="A change", body=body),
        base=MemoryTree(files(before)),
        head=MemoryTree(files(after)),
        base_name="base",
        head_name="head",
    )
    return list(change_of(reading, Settings(**settings))[0].prerequisites)  # type: ignore[arg-type]


def texts(after: Files, before: Files = BASE, body: str = "") -> list[str]:
    return [each.text for each in needed(after, before, body)]


def with_download(comment: str = "") -> str:
    return BASE.replace("    environment:", f"{comment}{STEP}    environment:", 1)


def test_a_change_that_needs_nothing_asks_for_nothing() -> None:
    assert needed(BASE.replace("ports:", "labels: {a: b}\n    ports:")) == []


def test_a_new_required_variable_blocks_and_one_without_a_default_is_blank() -> None:
    after = BASE.replace('SEEN: "${SEEN}"', 'SEEN: "${SEEN}", A: "${NEW:?x}", B: "${BLANK}", C: "${FINE:-1}"')
    found = needed(after)
    assert [(each.text, each.blocks) for each in found] == [
        ("`NEW` must be set", True),
        ("`BLANK` has no default: unset, it is blank", False),
    ]
    assert {each.kind for each in found} == {PrerequisiteKind.VARIABLE}
    assert found[0].at.line == 10


def test_a_variable_that_becomes_required_blocks() -> None:
    assert texts(BASE.replace("${SEEN}", "${SEEN:?now}")) == ["`SEEN` must be set"]


def test_a_new_image_names_its_services() -> None:
    after = BASE.replace("web:1", "web:2") + "\n"
    assert texts(after.replace("volumes:\n  certs", "  web-2: {image: web:2}\nvolumes:\n  certs")) == [
        "a new image, `web:2`, for `web` and `web-2`"
    ]


def test_ports_and_external_networks_and_volumes() -> None:
    after = BASE.replace('ports: ["80:80"]', 'ports: ["80:80", "127.0.0.1:81:81", "82"]\n    networks: [front]')
    after += "  other: {}\nnetworks:\n  front: {external: true, name: edge}\n"
    assert sorted(texts(after)) == [
        "the external network `edge` must be there",
        "the host port `127.0.0.1:81/tcp`, newly published by `web`",
    ]


def test_what_only_a_profile_starts_needs_no_image() -> None:
    assert texts(BASE.replace("volumes:\n  certs", "  job: {image: job:1, profiles: [off]}\nvolumes:\n  certs")) == []


def test_a_new_file_is_held_against_all_that_base_needs() -> None:
    new = "services:\n  web: {image: web:1, environment: {T: '${TOKEN:?x}'}}\n  more: {image: more:1}\n"
    assert texts({PATH: BASE, "lab/new.yaml": new}) == ["a new image, `more:1`, for `more`"]


def test_a_download_without_a_stated_size_says_so() -> None:
    assert texts(with_download()) == [
        "`fetch` downloads `acme/large@2222222222222222222222222222222222222222`; no size is stated"
    ]


def test_the_comment_above_states_the_size() -> None:
    (found,) = texts(with_download("        # The weights of the large one: ~165 GiB.\n"))
    assert "`~165 GiB` (comment `prod/pack.yaml:" in found


def test_the_text_states_size_and_room() -> None:
    (found,) = texts(
        with_download(), body="Also fetches acme/large (~165 GiB).\n\nConfirm ≥250 GiB free on the cache volume."
    )
    assert found.endswith(": `~165 GiB` and `≥250 GiB free` (pull request text)")


def test_figures_of_memory_and_of_other_models_are_no_disk() -> None:
    body = "acme/large needs 80 GiB of GPU memory. acme/other takes 12 GB."
    (found,) = texts(with_download(), body=body)
    assert found.endswith("no size is stated")


def test_the_readme_may_state_it() -> None:
    after = {PATH: with_download(), "README.md": "# Pack\n\nThe snapshot of acme/large takes 165 GB of disk.\n"}
    (found,) = texts(after, {PATH: BASE, "README.md": "# Pack\n"})
    assert "`165 GB of disk` (`README.md`)" in found
